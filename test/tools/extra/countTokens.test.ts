import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { countTokens } from "../../../src/tools/extra/countTokens.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given } from "../workspace.js"

describe("count_tokens", () => {
  it.effect("takes about four characters for a token", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(countTokens, { text: "12345" }), "about 2 tokens (5 characters)")
      assert.strictEqual(yield* call(countTokens, { text: "" }), "about 0 tokens (0 characters)")
      assert.strictEqual(yield* call(countTokens, { path: "a.txt" }), "a.txt: about 1,000 tokens (4000 characters)")
    }).pipe(given({ "a.txt": "x".repeat(4_000) })))

  it.effect("wants a path or a text, not both and not neither", () =>
    Effect.gen(function*() {
      for (const input of [{}, { path: "a.txt", text: "x" }]) {
        const error = yield* Effect.flip(call(countTokens, input))
        assert.include(error.message, "Expected either path or text, one of them")
      }
      assert.strictEqual(yield* call(countTokens, { path: null, text: "1234" }), "about 1 token (4 characters)")
    }).pipe(given()))

  it.effect("does not read a denied file", () =>
    Effect.gen(function*() {
      assert.include((yield* Effect.flip(call(countTokens, { path: ".env" }))).message, ".env is denied on read")
    }).pipe(given({ ".env": "A=1" }, [".env"])))

  it("costs few bytes of a request", () => assert.isAtMost(bytesOf(countTokens), 280))
})
