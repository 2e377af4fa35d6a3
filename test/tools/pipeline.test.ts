import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { LiveOutput } from "../../src/services/Call.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"
import { call, offer } from "../../src/tools/pipeline.js"
import * as Tool from "../../src/tools/Tool.js"

class Broken extends Schema.TaggedError<Broken>()("Broken", { said: Schema.String }) {
  override get message() {
    return this.said
  }
}
const tool = <E extends Broken, R>(body: (input: { readonly text: string; readonly count?: number }) => Effect.Effect<string, E, R>) =>
  Tool.make({
    name: "probe",
    set: null,
    description: "",
    input: Schema.Struct({ text: Schema.String, count: Schema.optionalWith(Schema.Number, { exact: true }) }),
    touches: "executes",
    subjects: () => ["*"],
    body
  })
const given = (secret = "s3cret-value-1", decision: "allow" | "deny" = "allow") =>
  Effect.provide(Layer.mergeAll(PermissionsMemory(decision), SecretsMemory([], [secret])))

describe("the way of a call", () => {
  it.effect("names every fault of the input at once and runs nothing", () =>
    Effect.gen(function*() {
      const ran = yield* Ref.make(false)
      const error = yield* Effect.flip(call(tool(() => Effect.as(Ref.set(ran, true), "")), { text: 1, nmae: "x" }))
      assert.strictEqual(error._tag, "InvalidInput")
      assert.include(error.message, "probe")
      assert.include(error.message, "text: Expected string")
      assert.include(error.message, "nmae")
      assert.isFalse(yield* Ref.get(ran))
    }).pipe(given()))

  it.effect("says of what is missing what was expected there, deep in a list too", () =>
    Effect.gen(function*() {
      const edit = Schema.Struct({ kind: Schema.Literal("fact", "trap"), at: Schema.Number.annotations({ description: "line" }) })
      const nested = Tool.make({
        name: "nested",
        set: null,
        description: "",
        input: Schema.Struct({ edits: Schema.Array(edit) }),
        touches: "reads",
        subjects: () => ["*"],
        body: () => Effect.succeed("")
      })
      assert.strictEqual(
        (yield* Effect.flip(call(nested, { edits: [{}] }))).message,
        "Invalid input for nested: edits.0.kind: is missing, expected: \"fact\" | \"trap\"; edits.0.at: is missing, expected: number (line). Nothing was run."
      )
      assert.include((yield* Effect.flip(call(nested, {}))).message, "edits: is missing, expected: list.")
    }).pipe(given()))

  it.effect("takes null under an optional key as absent and a number given as text as a number", () =>
    Effect.gen(function*() {
      const seen = tool((input) => Effect.succeed(JSON.stringify(input)))
      assert.strictEqual(yield* call(seen, { text: "a", count: null }), "{\"text\":\"a\"}")
      assert.strictEqual(yield* call(seen, { text: "7", count: "10" }), "{\"text\":\"7\",\"count\":10}")
    }).pipe(given()))

  it.effect("never reaches the body of a denied call", () =>
    Effect.gen(function*() {
      const ran = yield* Ref.make(false)
      const error = yield* Effect.flip(call(tool(() => Effect.as(Ref.set(ran, true), "")), { text: "a" }))
      assert.strictEqual(error._tag, "Denied")
      assert.isFalse(yield* Ref.get(ran))
    }).pipe(given("s3cret-value-1", "deny")))

  it.effect("runs what was reviewed, whatever became of the object since, and after that what it holds then", () =>
    Effect.gen(function*() {
      const offered = yield* offer(tool((input) => Effect.succeed(input.text)))
      const raw = { text: "reviewed" }
      yield* offered.review(raw)
      raw.text = "changed"
      assert.strictEqual(yield* offered.run(raw), "reviewed")
      assert.strictEqual(yield* offered.run(raw), "changed")
      yield* offered.review(raw)
      raw.text = "again"
      yield* offered.review(raw)
      assert.strictEqual(yield* offered.run(raw), "again")
    }).pipe(given()))

  it.effect("hides secrets in results, in errors, and behind escape sequences", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(tool(() => Effect.succeed("a s3cret-value-1 b")), { text: "" }), "a [secret hidden] b")
      assert.strictEqual(yield* call(tool(() => Effect.succeed("s3cret\x1b[0m-value-1")), { text: "" }), "[secret hidden]")
      const error = yield* Effect.flip(call(tool(() => new Broken({ said: "no: s3cret-value-1" })), { text: "" }))
      assert.strictEqual(error.message, "no: [secret hidden]")
    }).pipe(given()))

  it.effect("hides secrets in streamed output, however it is cut", () =>
    Effect.gen(function*() {
      const shown = yield* Ref.make("")
      const streaming = tool(() =>
        Effect.gen(function*() {
          const { emit } = yield* LiveOutput
          for (const piece of ["key s3cr", "et\x1b[3", "1m-value", "-1 end\x1b", "[0m"]) yield* emit(piece)
          return "done"
        }))
      yield* call(streaming, { text: "" }).pipe(
        Effect.provideService(LiveOutput, { emit: (text) => Ref.update(shown, (before) => before + text) })
      )
      assert.strictEqual(yield* Ref.get(shown), "key [secret hidden] end")
    }).pipe(given()))

  it.effect("cuts what is longer than 30,000 characters and says how much", () =>
    Effect.gen(function*() {
      const text = yield* call(tool(() => Effect.succeed("x".repeat(71_233))), { text: "" })
      assert.strictEqual(text, `${"x".repeat(30_000)}\n... [truncated 41,233 chars]`)
    }).pipe(given()))

  it.effect("stops a body at the tool's limit and interrupts it", () =>
    Effect.gen(function*() {
      const interrupted = yield* Ref.make(false)
      const slow = tool(() => Effect.as(Effect.never, "").pipe(Effect.onInterrupt(() => Ref.set(interrupted, true))))
      const running = yield* Effect.fork(Effect.flip(call(slow, { text: "" })))
      yield* TestClock.adjust("121 seconds")
      assert.strictEqual((yield* Fiber.join(running))._tag, "TimedOut")
      assert.isTrue(yield* Ref.get(interrupted))
    }).pipe(given()))
})
