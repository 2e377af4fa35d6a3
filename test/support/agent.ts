import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Agent } from "../../src/services/Agent.js"
import type { AgentEvent } from "../../src/services/Agent.js"
import { AgentLive } from "../../src/services/agent/live.js"
import { Approver, ApproverNobody } from "../../src/services/Approver.js"
import { Call, LiveOutput } from "../../src/services/Call.js"
import { ConfigMemory } from "../../src/services/Config.js"
import type { ConfigValues } from "../../src/services/config/schema.js"
import type { Fault } from "../../src/services/Fault.js"
import { Files, NoSuchFile } from "../../src/services/Files.js"
import { HostMemory } from "../../src/services/Host.js"
import { IdsMemory } from "../../src/services/Ids.js"
import { JailMemory } from "../../src/services/Jail.js"
import type { Model } from "../../src/services/Model.js"
import { fromJudge, Permissions } from "../../src/services/Permissions.js"
import type { Decision, Settled, Touches } from "../../src/services/Permissions.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import type { Plugin } from "../../src/services/Plugins.js"
import { PluginsMemory } from "../../src/services/Plugins.js"
import type { PromptParts } from "../../src/services/PromptParts.js"
import { PromptPartsLive } from "../../src/services/PromptParts.js"
import type { Secrets } from "../../src/services/Secrets.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"
import type { Keepers, Sessions } from "../../src/services/Sessions.js"
import { KeepersLive } from "../../src/services/sessions/keepers.js"
import { SessionsMemory } from "../../src/services/sessions/memory.js"
import type { Subagents } from "../../src/services/Subagents.js"
import { SubagentsLive } from "../../src/services/Subagents.js"
import type { Offered } from "../../src/services/Toolbox.js"
import { Toolbox } from "../../src/services/Toolbox.js"
import { offer } from "../../src/tools/pipeline.js"
import * as Tool from "../../src/tools/Tool.js"

export class Broke extends Schema.TaggedError<Broke>()("Broke", { text: Schema.String }) {
  override get message() {
    return this.text
  }
}

/** A tool with one text field, for tests of the loop. */
export const simple = (
  name: string,
  touches: Touches,
  body: (text: string) => Effect.Effect<string, Fault>
) =>
  Tool.make({
    name,
    set: null,
    description: `the test's ${name}`,
    input: Schema.Struct({ text: Schema.String }),
    touches,
    subjects: () => ["*"],
    body: ({ text }) => body(text)
  })

/** Prints before it ends. */
export const chatty = (name: string) =>
  simple(name, "executes", (text) =>
    Effect.gen(function*() {
      yield* (yield* LiveOutput).emit(`working on ${text}\n`)
      return `did ${text}`
    }))

export type Simple = ReturnType<typeof simple>

export interface Setting {
  readonly model: Layer.Layer<Model>
  readonly tools?: ReadonlyArray<Simple>
  /** tools that need a context of their own */
  readonly offered?: Effect.Effect<ReadonlyArray<Offered>, never, Permissions | Secrets | Subagents>
  readonly config?: Partial<ConfigValues>
  readonly permissions?: Layer.Layer<Permissions, never, Approver>
  readonly approver?: Layer.Layer<Approver>
  readonly plugins?: ReadonlyArray<Plugin>
  readonly files?: Readonly<Record<string, string>>
  readonly sessions?: Layer.Layer<Sessions>
  readonly keepers?: Layer.Layer<Keepers>
  readonly parts?: Layer.Layer<PromptParts>
}

const filesOf = (files: Readonly<Record<string, string>>) =>
  Layer.mock(Files, {
    read: (path) => {
      const text = files[path]
      return text === undefined
        ? new NoSuchFile({ path })
        : Effect.succeed({ path, text, encoding: "utf-8" as const, bom: false, changedSinceSeen: false })
    }
  })

/** Asks the approver by rule; "always" is remembered by tool. */
export const asking = (decisions: Readonly<Record<string, Decision>>) =>
  Layer.effect(Permissions, Effect.gen(function*(): Effect.fn.Return<Context.Tag.Service<Permissions>, never, Approver> {
    const approver = yield* Approver
    const always = new Set<string>()
    const settled = new Map<string, Settled>()
    const verdict = (tool: string) => {
      const decision = always.has(tool) ? "allow" as const : decisions[tool] ?? "allow"
      return { decision, by: "rules" as const, reason: `${tool} needs a yes`, parts: [], grant: "*" }
    }
    return fromJudge({
      explain: ({ tool }) => Effect.sync(() => verdict(tool)),
      review: ({ tool }) => Effect.sync(() => verdict(tool)),
      settle: ({ input, tool }) =>
        Effect.gen(function*(): Effect.fn.Return<Settled> {
          const { id, worker } = yield* Call
          const before = settled.get(id)
          if (before !== undefined) return before
          const { decision, reason } = verdict(tool)
          if (decision === "allow") return { granted: true }
          if (decision === "deny") return { granted: false, by: "rules", reason }
          const answer = yield* approver.ask({ callId: id, tool, input, subjects: [], reason, grant: "*", worker, preview: null })
          if (answer._tag === "Always") always.add(tool)
          const outcome: Settled = answer._tag === "No"
            ? { granted: false, by: "rules", reason: answer.reason ?? "The user said no." }
            : { granted: true }
          settled.set(id, outcome)
          return outcome
        }),
      spent: () => Effect.void,
      ended: () => Effect.void
    })
  }))

/** The live agent over memory layers. */
export const agentLayer = (setting: Setting) => {
  const approver = setting.approver ?? ApproverNobody
  const permissions = (setting.permissions ?? PermissionsMemory()).pipe(Layer.provide(approver))
  const subagents = SubagentsLive
  const toolbox = Layer.effect(Toolbox, Effect.gen(function*() {
    const offered = [
      ...yield* Effect.forEach(setting.tools ?? [], (tool) => offer(tool)),
      ...yield* setting.offered ?? Effect.succeed([])
    ]
    return Toolbox.of({ live: Effect.succeed(offered), all: Effect.succeed(offered), deferred: Effect.succeed([]), listing: Effect.succeed([]) })
  })).pipe(Layer.provide(Layer.mergeAll(permissions, SecretsMemory(), subagents)))
  const sessions = setting.sessions ?? SessionsMemory.pipe(Layer.provide(IdsMemory))
  return AgentLive.pipe(Layer.provideMerge(Layer.mergeAll(
    toolbox, setting.model, approver, PluginsMemory(setting.plugins), subagents, sessions, setting.keepers ?? KeepersLive, setting.parts ?? PromptPartsLive,
    ConfigMemory(setting.config ?? {}), IdsMemory, JailMemory("/ws"), HostMemory(), filesOf(setting.files ?? {})
  )))
}

/** The events of one turn, to its end or failure. */
export const turn = (prompt: string) =>
  Effect.gen(function*() {
    const events: Array<AgentEvent> = []
    const agent = yield* Agent
    const exit = yield* agent.turn(prompt).pipe(Stream.runForEach((event) => Effect.sync(() => void events.push(event))), Effect.exit)
    return { events, exit }
  })

export const ofType = <const T extends AgentEvent["type"]>(events: ReadonlyArray<AgentEvent>, type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type)
