import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Agent } from "../../src/services/Agent.js"
import type { AgentEvent } from "../../src/services/Agent.js"
import { AgentLive } from "../../src/services/agent/live.js"
import type { Approver } from "../../src/services/Approver.js"
import { ApproverNobody } from "../../src/services/Approver.js"
import { LiveOutput } from "../../src/services/Call.js"
import { ConfigMemory } from "../../src/services/Config.js"
import type { ConfigValues } from "../../src/services/config/schema.js"
import type { Fault } from "../../src/services/Fault.js"
import { Files, NoSuchFile } from "../../src/services/Files.js"
import { HostMemory } from "../../src/services/Host.js"
import { IdsMemory } from "../../src/services/Ids.js"
import { JailMemory } from "../../src/services/Jail.js"
import type { Model } from "../../src/services/Model.js"
import type { Permissions, Touches } from "../../src/services/Permissions.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import { PromptParts, PromptPartsLive } from "../../src/services/PromptParts.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"
import type { Keepers, Sessions } from "../../src/services/Sessions.js"
import { KeepersLive } from "../../src/services/sessions/keepers.js"
import { SessionsMemory } from "../../src/services/sessions/memory.js"
import { Subagents, SubagentsLive } from "../../src/services/Subagents.js"
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
  readonly offered?: Effect.Effect<ReadonlyArray<Offered>, never, Permissions | Subagents>
  readonly config?: Partial<ConfigValues>
  readonly permissions?: Layer.Layer<Permissions, never, Approver>
  readonly approver?: Layer.Layer<Approver>
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
    toolbox, setting.model, approver, subagents, sessions, setting.keepers ?? KeepersLive, setting.parts ?? PromptPartsLive,
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
