import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

interface Entry {
  readonly writes: boolean
  /** it waits for an approval, so nothing that depends on it may run before */
  readonly held: boolean
  readonly done: Deferred.Deferred<void>
}

/**
 * The calls of one answer, in its order: those that only read run at the same time, one that writes waits for all
 * before it, and what comes after a write waits for that.
 */
export class Order {
  readonly #calls = new Map<string, Entry>()

  #before(id: string, writes: boolean): ReadonlyArray<Entry> {
    const earlier: Array<Entry> = []
    for (const [each, entry] of this.#calls) {
      if (each === id) break
      if (writes || entry.writes) earlier.push(entry)
    }
    return earlier
  }

  /** A call came in; `asks` is whether it has to be approved by itself. Gives whether it has to wait for an approval. */
  readonly enter = Effect.fnUntraced(function*(this: Order, id: string, writes: boolean, asks: boolean) {
    const held = asks || this.#before(id, writes).some((entry) => entry.held)
    this.#calls.set(id, { writes, held, done: yield* Deferred.make<void>() })
    return held
  })

  /** Waits for what has to be done before this call. */
  readonly turn = (id: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const own = this.#calls.get(id)
      return own === undefined ? Effect.void : Effect.forEach(this.#before(id, own.writes), (entry) => Deferred.await(entry.done), { discard: true })
    })

  readonly done = (id: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const own = this.#calls.get(id)
      return own === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(own.done, undefined))
    })

  clear() {
    this.#calls.clear()
  }
}
