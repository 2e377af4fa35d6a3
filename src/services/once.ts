import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * Done on first use and kept. `Effect.cached` would keep an interruption of the first user for all later ones; here
 * the next user does it again.
 */
export const once = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.cachedInvalidateWithTTL(effect, Duration.infinity), ([kept, drop]) => Effect.onInterrupt(kept, () => drop))
