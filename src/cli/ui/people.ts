import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Answer, Question } from "../../services/Approver.js"
import { Approver } from "../../services/Approver.js"
import type { Inquiry } from "../../services/Asker.js"
import { Asker } from "../../services/Asker.js"
import { diffLines } from "./diffView.js"
import type { Screen, Store } from "./state.js"
import type { Style } from "./style.js"

/** The person at the terminal: questions come one at a time, each shown until it is answered or its call is interrupted. */
export const makePeople = Effect.fnUntraced(function*(screen: Store<Screen>, style: Style) {
  const oneAtATime = yield* Effect.makeSemaphore(1)
  let answering: Deferred.Deferred<Answer> | null = null
  let choosing: Deferred.Deferred<ReadonlyArray<string> | null> | null = null
  const clear = Effect.sync(() => {
    answering = null
    choosing = null
    screen.update((before) => ({ ...before, question: null, inquiry: null }))
  })
  const ask = (asked: Question) =>
    oneAtATime.withPermits(1)(Effect.gen(function*() {
      const waiting = yield* Deferred.make<Answer>()
      answering = waiting
      const preview = asked.preview === null ? [] : diffLines(asked.preview, style)
      screen.update((before) => ({ ...before, question: { asked, preview } }))
      return yield* Deferred.await(waiting)
    }).pipe(Effect.ensuring(clear)))
  const inquire = (inquiry: Inquiry, secret = false) =>
    oneAtATime.withPermits(1)(Effect.gen(function*() {
      const waiting = yield* Deferred.make<ReadonlyArray<string> | null>()
      choosing = waiting
      screen.update((before) => ({ ...before, inquiry: { ...inquiry, secret } }))
      return yield* Deferred.await(waiting)
    }).pipe(Effect.ensuring(clear)))
  return {
    approver: Layer.succeed(Approver, Approver.of({ attended: true, ask })),
    asker: Layer.succeed(Asker, Asker.of({ attended: true, ask: inquire })),
    inquire,
    answer: (answer: Answer) => {
      if (answering !== null) Deferred.unsafeDone(answering, Effect.succeed(answer))
    },
    choose: (labels: ReadonlyArray<string> | null) => {
      if (choosing !== null) Deferred.unsafeDone(choosing, Effect.succeed(labels))
    }
  }
})
export type People = Effect.Effect.Success<ReturnType<typeof makePeople>>
