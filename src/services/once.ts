import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * Done on first use and kept. `Effect.cached` would keep an interruption of the first user for all later ones; here
 * the next user does it again.
 */
export const once = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.cachedInvalidateWithTTL(effect, Duration.infinity), ([kept, drop]) => {
    let done: Exit.Exit<A, E> | null = null
    const first = Effect.onExit(kept, (exit) =>
      Exit.isInterrupted(exit) ? drop : Effect.sync(() => {
        done = exit
      }))
    // Kept here as well: the cache gives up the thread each time it is asked.
    return Effect.suspend(() => done ?? first)
  })
