import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { once } from "../../src/services/once.js"

describe("once", () => {
  it.effect("is done again when its first user was interrupted (issue 8: every later turn ended as interrupted), and then kept", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      let runs = 0
      const value = yield* once(Effect.suspend(() => {
        runs++
        return runs === 1 ? Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never) : Effect.succeed(runs)
      }))
      const first = yield* Effect.fork(value)
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual([yield* value, yield* value, runs], [2, 2, 2])
    }))
})
