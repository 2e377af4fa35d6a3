import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

/** A section of the system prompt that a service contributes: task list, notes, skills, servers. */
export interface PromptPart {
  readonly name: string
  /** with its own heading; empty for none just now */
  readonly text: string
  /** It does not change within a turn, so it stands in the prefix that providers cache. */
  readonly stable: boolean
  /** The tool it speaks of: it is left out where that is not offered. */
  readonly tool?: string
  /** Also for sub-agents. */
  readonly helpers?: boolean
}

/** Who contributes to the system prompt. Services register when their layer is built; asked before each request, in that order. */
export class PromptParts extends Context.Tag("shiro/PromptParts")<PromptParts, {
  readonly register: (part: Effect.Effect<PromptPart>) => Effect.Effect<void>
  readonly all: Effect.Effect<ReadonlyArray<PromptPart>>
}>() {}

const make = Effect.map(Ref.make<ReadonlyArray<Effect.Effect<PromptPart>>>([]), (parts) =>
  PromptParts.of({
    register: (part) => Ref.update(parts, (before) => [...before, part]),
    all: Effect.flatMap(Ref.get(parts), (each) => Effect.all(each))
  }))

export const PromptPartsLive = Layer.effect(PromptParts, make)
