import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

// Effect gives up the fibre's thread for a deferred or a semaphore even where there is nothing to wait for. What a call of a tool asks
// many times over goes these ways, which do not.

/** `Deferred.await`, at once where it is done. */
export const awaited = <A, E>(deferred: Deferred.Deferred<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Deferred.poll(deferred), Option.getOrElse(() => Deferred.await(deferred)))

/** Runs effects one at a time; at once where none is running. */
export const makeTurns = () => {
  const one = Effect.unsafeMakeSemaphore(1)
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(one.withPermitsIfAvailable(1)(effect), Option.match({ onNone: () => one.withPermits(1)(effect), onSome: Effect.succeed }))
}
