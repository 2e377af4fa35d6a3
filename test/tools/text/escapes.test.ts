import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { escapeStream, withoutEscapes } from "../../../src/tools/text/escapes.js"

const pieces = fc.array(
  fc.constantFrom(
    "text", "\n", "\r\n", "\r", "\t", "é🛰", "\x1b[31m", "\x1b[0m", "\x1b[2K", "\x1b]0;title\x07", "\x1b]8;;http://a\x1b\\", "\x1bPq#0\x1b\\",
    "\x1b(B", "\x1bc", "\x1b", "\x9b1m", "\x9d0;t\x9c", "\x07", "\x08", "\x00", "\x7f", "\x1b[", "\x1b]", "\u0085", "\f", "\v"
  ),
  { maxLength: 20 }
)

describe("withoutEscapes", () => {
  it("takes colours, titles, links and cursor movements out", () => {
    assert.strictEqual(withoutEscapes("\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\ \x1bPq\x1b\\\x9b2Jend"), "red link end")
  })

  it("never lets an unfinished sequence swallow what follows", () => {
    assert.strictEqual(withoutEscapes("a\x1b]0;not ended\nthe rest"), "a0;not ended\nthe rest")
    assert.strictEqual(withoutEscapes("a\x1bPnot ended"), "anot ended")
    assert.strictEqual(withoutEscapes("a\x1b["), "a")
  })

  it("shows no carriage return, and keeps tab, form feed, NEL and line separators", () => {
    assert.strictEqual(withoutEscapes("a\r\nb\r\r\nc"), "a\nb\nc")
    assert.strictEqual(withoutEscapes("10%\r20%"), "10% 20%")
    assert.strictEqual(withoutEscapes("\t\f\v\u0085\u2028é"), "\t\f\v\u0085\u2028é")
    assert.strictEqual(withoutEscapes("pass\x08\x08\x07word\x00"), "password")
  })

  it("leaves nothing that a terminal acts on", () => {
    fc.assert(fc.property(pieces, (parts) => {
      assert.notMatch(withoutEscapes(parts.join("")), /[\x00-\x08\x0d-\x1f\x7f\x80-\x84\x86-\x9f]/)
    }))
  })

  it("is linear in hostile text", () => {
    const text = "\x1b]".repeat(200_000) + "x".repeat(200_000)
    assert.strictEqual(withoutEscapes(text), "x".repeat(200_000))
  })
})

describe("escapeStream", () => {
  it("gives the same text however the pieces are cut", () => {
    fc.assert(fc.property(pieces, fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
      const text = parts.join("")
      const at = [0, ...cuts.map((each) => Math.min(each, text.length)).sort((a, b) => a - b), text.length]
      const stream = escapeStream()
      const shown = at.slice(1).map((end, index) => stream.push(text.slice(at[index], end))).join("") + stream.end()
      assert.strictEqual(shown, withoutEscapes(text))
    }), { numRuns: 500 })
  })

  it("does not wait for ever for the end of a sequence", () => {
    const stream = escapeStream()
    assert.strictEqual(stream.push("\x1b]0;"), "")
    assert.isAbove(stream.push("x".repeat(20_000)).length, 10_000)
  })
})
