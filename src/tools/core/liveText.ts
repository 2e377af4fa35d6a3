import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { LiveOutput } from "../../services/Call.js"

/** Units that wait for a slow screen; beyond that the oldest whole lines are left out. */
const mostWaiting = 65_536

/** No screen shows more than this often. */
const pause = "30 millis"

/**
 * From a callback that must not wait to a screen that takes its time. What it is too slow for is left out and said so;
 * the result has its own copy.
 */
export const liveText = Effect.gen(function*() {
  const { emit } = yield* LiveOutput
  const bell = yield* Queue.sliding<void>(1)
  const oneAtATime = yield* Effect.makeSemaphore(1)
  let waiting = ""
  let left = 0
  const flush = Effect.suspend(() => {
    const text = left === 0 ? waiting : `... [${left.toLocaleString("en-US")} chars not shown]\n${waiting}`
    waiting = ""
    left = 0
    return text === "" ? Effect.void : emit(text)
  }).pipe(oneAtATime.withPermits(1))
  const push = (text: string): void => {
    waiting += text
    if (waiting.length > mostWaiting * 2) {
      const line = waiting.indexOf("\n", waiting.length - mostWaiting)
      const from = line < 0 ? waiting.length - mostWaiting : line + 1
      left += from
      waiting = waiting.slice(from)
    }
    Queue.unsafeOffer(bell, undefined)
  }
  yield* Effect.forkScoped(Effect.forever(Queue.take(bell).pipe(Effect.zipRight(flush), Effect.zipRight(Effect.sleep(pause)))))
  yield* Effect.addFinalizer(() => flush)
  return push
})
