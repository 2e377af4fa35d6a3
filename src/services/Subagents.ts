import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { Kind } from "./agent/variants.js"
import type { Fault } from "./Fault.js"

export interface Task {
  /** a short label, shown to the user */
  readonly description: string
  readonly prompt: string
  readonly kind: Kind
}

/** No turn runs that a sub-agent could belong to. */
export class NoTurn extends Schema.TaggedError<NoTurn>()("NoTurn", {}) {
  override get message() {
    return "A sub-agent needs a running turn, and none runs here. Nothing was started."
  }
}

/**
 * Sub-agents, as the `task` tool sees them. The agent needs the tools and this tool needs the agent: the agent puts
 * itself behind this service when its layer is built.
 */
export class Subagents extends Context.Tag("shiro/Subagents")<Subagents, {
  /** Runs one to its end and gives its report. Several may run at the same time. */
  readonly run: (task: Task) => Effect.Effect<string, Fault>
  readonly bind: (run: (task: Task) => Effect.Effect<string, Fault>) => Effect.Effect<void>
}>() {}

export const SubagentsLive = Layer.effect(
  Subagents,
  Effect.map(Ref.make<(task: Task) => Effect.Effect<string, Fault>>(() => new NoTurn()), (bound) =>
    Subagents.of({
      run: (task) => Effect.flatMap(Ref.get(bound), (run) => run(task)),
      bind: (run) => Ref.set(bound, run)
    }))
)
