import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface Choice {
  readonly label: string
  readonly detail?: string
}
export interface Inquiry {
  readonly question: string
  /** recommendation first; none: free text */
  readonly options: ReadonlyArray<Choice>
  readonly multiple: boolean
}

/** Whoever answers the agent's questions. Null answers: the question was dismissed. */
export class Asker extends Context.Tag("shiro/Asker")<Asker, {
  /** false where nobody is there; `ask` is then not offered */
  readonly attended: boolean
  /** the chosen labels, or one free text */
  readonly ask: (inquiry: Inquiry) => Effect.Effect<ReadonlyArray<string> | null>
}>() {}

/** Nobody answers: the `ask` tool is withheld, and every question gets null. */
export const AskerNobody = Layer.succeed(Asker, Asker.of({ attended: false, ask: () => Effect.succeed(null) }))
/** Answers in the given order, then dismisses. */
export const AskerScripted = (answers: ReadonlyArray<ReadonlyArray<string> | null>) =>
  Layer.sync(Asker, () => {
    const left = [...answers]
    return Asker.of({ attended: true, ask: () => Effect.sync(() => left.shift() ?? null) })
  })
