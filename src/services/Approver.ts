import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

/** What wants to run, for the person who decides. */
export interface Question {
  readonly callId: string
  readonly tool: string
  /** The decoded input. */
  readonly input: unknown
  /** What is asked about: the command, the paths, the URL. */
  readonly subjects: ReadonlyArray<string>
  /** Why this asks, as a sentence. */
  readonly reason: string
  /** What "always" would allow for this session, as a pattern; null when it can't be granted. */
  readonly grant: string | null
  /** Label of the worker that asks, null for the agent itself. */
  readonly worker: string | null
  /** A unified diff of what would change, where the tool can tell. */
  readonly preview: string | null
}

/** An answer to a question: this once, always (kept as a grant), or no, with a reason for the model where one is given. */
export type Answer = Data.TaggedEnum<{
  Once: {}
  Always: {}
  No: { readonly reason: string | null }
}>
export const Answer = Data.taggedEnum<Answer>()

/** Whoever says yes or no: a terminal, an MCP client, an editor, a test, or nobody. */
export class Approver extends Context.Tag("shiro/Approver")<Approver, {
  readonly ask: (question: Question) => Effect.Effect<Answer>
  /** False where nobody can answer, so that a repeated call is denied at once. */
  readonly attended: boolean
}>() {}

/** Nobody is there: every question is a no that says so. */
export const ApproverNobody = Layer.succeed(Approver, Approver.of({
  attended: false,
  ask: (question) =>
    Effect.succeed(Answer.No({
      reason: `${question.reason} Nobody is here to ask, so it was not run. Allow it with a permission rule, or run with --yolo.`
    }))
}))

/** Answers in the given order, then with the last one; keeps what was asked. */
export const ApproverScripted = (answers: ReadonlyArray<Answer>) => Effect.gen(function*() {
  const asked = yield* Ref.make<ReadonlyArray<Question>>([])
  const layer = Layer.succeed(Approver, Approver.of({
    attended: true,
    ask: (question) =>
      Effect.map(Ref.updateAndGet(asked, (before) => [...before, question]), (all) =>
        answers[Math.min(all.length, answers.length) - 1] ?? Answer.No({ reason: null }))
  }))
  return { asked: Ref.get(asked), layer }
})
