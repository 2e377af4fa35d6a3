import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { boundedText } from "../../../src/services/shell/boundedText.js"

const fill = (keep: number, pieces: ReadonlyArray<string>) => {
  const bounded = boundedText(keep)
  for (const piece of pieces) bounded.push(piece)
  return bounded.captured()
}

describe("boundedText", () => {
  it("never holds half of a surrogate pair at a border", () => {
    assert.deepStrictEqual(fill(3, ["😀😀😀😀"]), { head: "😀", tail: "😀", dropped: 4 })
  })

  it.effect.prop(
    "keeps the first and the last units and counts the rest",
    { pieces: FastCheck.array(FastCheck.string({ unit: "grapheme-ascii", maxLength: 12 }), { maxLength: 20 }), keep: FastCheck.integer({ min: 1, max: 40 }) },
    ({ keep, pieces }) =>
      Effect.sync(() => {
        const whole = pieces.join("")
        const { dropped, head, tail } = fill(keep, pieces)
        assert.strictEqual(head.length + tail.length + dropped, whole.length)
        assert.isTrue(whole.startsWith(head) && whole.endsWith(tail))
        assert.strictEqual(dropped, Math.max(0, whole.length - 2 * keep))
      })
  )
})
