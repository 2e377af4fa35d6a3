import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { RunOptions } from "./layers/machine.js"
import { agentLayer } from "./layers/whole.js"
import { Agent } from "./services/Agent.js"
import { Call } from "./services/Call.js"
import { HostLive } from "./services/host/live.js"
import { Ids } from "./services/Ids.js"
import { Toolbox } from "./services/Toolbox.js"

export { onlyOwnSpans } from "./services/spans/only.js"

/** No tool of this name is registered. */
export class UnknownTool extends Schema.TaggedError<UnknownTool>()("UnknownTool", { name: Schema.String, known: Schema.Array(Schema.String) }) {
  override get message() {
    return `Unknown tool "${this.name}". Available: ${this.known.join(", ")}`
  }
}

/** A run's options; the machine's own environment unless `host` gives another. */
export type ShiroOptions = Omit<RunOptions, "host"> & Partial<Pick<RunOptions, "host">>

/**
 * Everything over one workspace: agent, toolbox, and the services below them. Built once per workspace; many may live under
 * one runtime.
 */
export const layer = (options: ShiroOptions) => agentLayer({ host: HostLive, ...options })

/** One turn as a stream of events; it ends with `done`. */
export const turn = (prompt: string) => Stream.unwrap(Effect.map(Agent, (agent) => agent.turn(prompt)))

/** One turn's answer: the text of its last step. */
export const answer = (prompt: string) =>
  turn(prompt).pipe(
    Stream.runFold("", (text, event) => event.type === "text" ? text + event.text : event.type === "tool-call" ? "" : text),
    Effect.map((text) => text.trim())
  )

/** One tool, behind the same pipeline as every call; its text as a model would read it. */
export const tool = Effect.fn("Shiro.tool")(function*(name: string, input: unknown) {
  const tools = yield* (yield* Toolbox).all
  const found = tools.find((each) => each.name === name)
  if (found === undefined) return yield* new UnknownTool({ name, known: tools.map((each) => each.name) })
  const id = yield* (yield* Ids).next
  return yield* found.run(input).pipe(Effect.provideService(Call, { id, turn: id, worker: null }))
})

