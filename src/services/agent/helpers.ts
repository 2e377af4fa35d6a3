import type * as ContextTag from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Call, LiveOutput } from "../Call.js"
import type { Fault } from "../Fault.js"
import type { Model, ModelFacts } from "../Model.js"
import type { PromptParts } from "../PromptParts.js"
import { spanned } from "../spans.js"
import type { Task } from "../Subagents.js"
import type { Toolbox } from "../Toolbox.js"
import { keepContext } from "./context.js"
import { pathsIn } from "./digest.js"
import type { AgentEvent } from "./events.js"
import type { Holder } from "./loop.js"
import { lastText } from "./loop.js"
import { helperPrompt, lastStepNotice } from "./prompt.js"
import type { Scene } from "./prompt.js"
import { assemble } from "./sections.js"
import type { Meter } from "./turn.js"
import { runLoop } from "./turn.js"
import { helperTools } from "./variants.js"

export class NoWorker extends Schema.TaggedError<NoWorker>()("NoWorker", {}) {
  override get message() {
    return "A worker is not available in this run: it may change nothing, or nobody is here to approve. Nothing was started. Use kind explore or review."
  }
}
export class NoReport extends Schema.TaggedError<NoReport>()("NoReport", { description: Schema.String, steps: Schema.Number }) {
  override get message() {
    return `The helper "${this.description}" ended after ${this.steps} steps without a report. Give it a smaller task, or do it yourself.`
  }
}

const mostSteps = 20

/** What a helper takes from the turn that it belongs to. */
export interface Parent {
  readonly model: ContextTag.Tag.Service<Model>
  readonly toolbox: ContextTag.Tag.Service<Toolbox>
  readonly parts: ContextTag.Tag.Service<PromptParts>
  readonly scene: Omit<Scene, "tools">
  readonly instructions: Effect.Effect<string>
  readonly meter: Meter
  readonly turn: string
  readonly thinking: Holder["thinking"]
  readonly insists: boolean
  /** false in read-only and unattended runs */
  readonly mayWork: boolean
  readonly facts: ModelFacts
  readonly taskModel: string | undefined
}

const subject = (input: unknown): string => {
  if (typeof input !== "object" || input === null) return ""
  const paths = pathsIn(input)
  const first = paths[0] ?? Object.values(input).find((value): value is string => typeof value === "string") ?? ""
  const line = first.split("\n")[0] ?? ""
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}

/** One line for each call and how it ended, on the `task` call's live output. */
const progress = (emit: (text: string) => Effect.Effect<void>) => {
  const inputs = new Map<string, unknown>()
  const line = (id: string, name: string, ended: string) => emit(`${[name, subject(inputs.get(id)), ended].filter((part) => part !== "").join(" ")}\n`)
  return (event: AgentEvent): Effect.Effect<void> => {
    switch (event.type) {
      case "tool-call":
        inputs.set(event.id, event.input)
        return Effect.void
      case "tool-result":
        return line(event.id, event.name, "- ok")
      case "tool-error":
        return line(event.id, event.name, `- ${event.message.split("\n")[0] ?? ""}`)
      case "tool-denied":
        return line(event.id, event.name, `- denied: ${event.reason.split("\n")[0] ?? ""}`)
      case "notice":
        return emit(`${event.message}\n`)
      default:
        return Effect.void
    }
  }
}

/** Runs one helper to its report (agent.md, `task`). */
export const runHelper = Effect.fnUntraced(function*(parent: Parent, task: Task): Effect.fn.Return<string, Fault> {
  if (task.kind === "worker" && !parent.mayWork) return yield* new NoWorker()
  const call = yield* Call
  const live = yield* LiveOutput
  const context = keepContext({ messages: [], save: () => Effect.void, compacted: () => Effect.void })
  const facts = parent.taskModel === undefined ? parent.facts : yield* parent.model.facts(parent.taskModel)
  let steps = 0
  const sections = assemble({
    scene: { ...parent.scene, attended: false },
    base: (scene) => helperPrompt(scene, task.kind),
    parts: parent.parts,
    keeps: (part) => part.helpers === true,
    instructions: parent.instructions,
    changing: Effect.sync(() => steps >= mostSteps - 1 ? [lastStepNotice] : [])
  })
  const holder: Holder = {
    context,
    facts,
    thinking: parent.thinking,
    insists: parent.insists,
    label: task.description,
    ...(parent.taskModel === undefined ? {} : { model: parent.taskModel }),
    turn: `${parent.turn}/${call.id}`,
    prefix: `${call.id}/`,
    tools: Effect.map(parent.toolbox.live, (tools) => helperTools(tools, task.kind)),
    onWire: ({ description, inputSchema, name }) => ({ name, description, inputSchema }),
    sections,
    emit: progress(live.emit),
    spent: (usage) =>
      Effect.suspend(() => {
        steps += 1
        return parent.meter.add(usage, facts, 0)
      }),
    after: () => Effect.void,
    limit: Effect.flatMap(parent.meter.limit, (stop) => Effect.sync(() => stop === "cost" || stop === "time" ? stop : steps >= mostSteps ? "steps" : null))
  }
  yield* context.append({ role: "user", text: task.prompt })
  yield* spanned({ kind: "invoke_agent", of: task.kind, facts: { "gen_ai.agent.name": task.kind } }, runLoop(parent.model, holder, context, { millis: null, interrupt: null }))
  const report = lastText(yield* context.messages)
  return report === "" ? yield* new NoReport({ description: task.description, steps }) : report
})
