import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"

/**
 * `effect` within a time limit, interrupted and awaited when that is over, as `Effect.timeoutFail` does it. It runs in a fibre of
 * its own that starts at once: what ends without having to wait needs neither a timer nor a second fibre.
 */
export const limited = <A, E, R, E2>(effect: Effect.Effect<A, E, R>, limit: Duration.DurationInput, late: () => E2): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const fiber = Runtime.runFork(runtime)(effect, { immediate: true })
        const done = fiber.unsafePoll()
        if (done !== null && Exit.isSuccess(done)) return done
        return restore(Fiber.join(fiber)).pipe(
          Effect.timeoutFail({ duration: limit, onTimeout: late }),
          Effect.ensuring(Fiber.interrupt(fiber))
        )
      })))
