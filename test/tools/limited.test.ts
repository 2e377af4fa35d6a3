import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { Call } from "../../src/services/Call.js"
import { limited } from "../../src/tools/limited.js"

const late = () => "late" as const

describe("a limited effect", () => {
  it.effect("ends as it would without a limit, whether it has to wait or not", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* limited(Effect.succeed(1), "1 second", late), 1)
      assert.strictEqual(yield* limited(Effect.as(Effect.yieldNow(), 2), "1 second", late), 2)
      assert.strictEqual(yield* Effect.flip(limited(Effect.fail("no"), "1 second", late)), "no")
      assert.strictEqual(yield* Effect.flip(limited(Effect.zipRight(Effect.yieldNow(), Effect.fail("later")), "1 second", late)), "later")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(limited(Effect.die("broken"), "1 second", late))))
    }))

  it.effect("runs with what its caller provides", () =>
    Effect.gen(function*() {
      const call = { id: "c", turn: "t", worker: "w" }
      assert.deepStrictEqual(yield* limited(Call, "1 second", late).pipe(Effect.provideService(Call, call)), call)
    }))

  it.effect("is interrupted at the limit, and its clean-up awaited", () =>
    Effect.gen(function*() {
      const cleaned: Array<string> = []
      const slow = Effect.onInterrupt(Effect.never, () => Effect.zipRight(Effect.yieldNow(), Effect.sync(() => cleaned.push("cleaned"))))
      const fiber = yield* Effect.fork(Effect.flip(limited(slow, "1 second", late)))
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(cleaned, [])
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      assert.deepStrictEqual(cleaned, ["cleaned"])
    }))

  it.effect("is interrupted with its caller, who waits for its clean-up", () =>
    Effect.gen(function*() {
      const cleaned: Array<string> = []
      const begun = yield* Deferred.make<void>()
      const slow = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Effect.zipRight(Effect.yieldNow(), Effect.sync(() => cleaned.push("cleaned"))))
      )
      const fiber = yield* Effect.fork(limited(slow, "1 second", late))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(cleaned, ["cleaned"])
    }))
})
