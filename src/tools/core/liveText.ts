import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { LiveOutput } from "../../services/Call.js"

/** Units that wait for a slow screen; beyond that the oldest are left out. */
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
  let waiting: Array<string> = []
  let size = 0
  let left = 0
  const flush = Effect.suspend(() => {
    const text = waiting.join("")
    // Beginning with a whole line after a gap, where there is one.
    const from = left === 0 ? 0 : text.indexOf("\n") + 1
    const note = left === 0 ? "" : `... [${(left + from).toLocaleString("en-US")} chars not shown]\n`
    waiting = []
    size = 0
    left = 0
    return text === "" ? Effect.void : emit(note + text.slice(from))
  }).pipe(oneAtATime.withPermits(1))
  const push = (text: string): void => {
    waiting.push(text)
    size += text.length
    while (size > mostWaiting && waiting.length > 1) {
      const dropped = waiting.shift()?.length ?? 0
      size -= dropped
      left += dropped
    }
    Queue.unsafeOffer(bell, undefined)
  }
  yield* Effect.forkScoped(Effect.forever(Queue.take(bell).pipe(Effect.zipRight(flush), Effect.zipRight(Effect.sleep(pause)))))
  yield* Effect.addFinalizer(() => flush)
  return push
})
