import type * as Effect from "effect/Effect"
import { makeTurns } from "../atOnce.js"
import type { CallFacts } from "../Call.js"
import type { Request, Settled, Verdict } from "../Permissions.js"
import { identityOf } from "./repeat.js"

/** What was found for one call. */
export interface Entry {
  verdict: Verdict | null
  settled: Settled | null
  /** one fibre at a time, so that nobody is asked twice */
  readonly once: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}
export interface Memo {
  readonly of: <Name extends string, In>(call: CallFacts, request: Request<Name, In>) => Entry
  readonly forget: <Name extends string, In>(call: CallFacts, request: Request<Name, In>) => void
}

const most = 1_024

/**
 * Verdicts by call id: several callers ask about one call, and must hear the same. Tool and input are part of the key,
 * since an id is only what a model or a client says. Keeps the newest ones.
 */
export const makeMemo = (): Memo => {
  const entries = new Map<string, Entry>()
  const keyOf = <Name extends string, In>({ id, turn }: CallFacts, request: Request<Name, In>) =>
    JSON.stringify([turn, id, identityOf(request)])
  return {
    of: (call, request) => {
      const key = keyOf(call, request)
      const known = entries.get(key)
      if (known !== undefined) return known
      for (const oldest of entries.keys()) {
        if (entries.size < most) break
        entries.delete(oldest)
      }
      const entry: Entry = { verdict: null, settled: null, once: makeTurns() }
      entries.set(key, entry)
      return entry
    },
    forget: (call, request) => {
      entries.delete(keyOf(call, request))
    }
  }
}
