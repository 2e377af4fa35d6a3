import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { cap, capMiddle, clipped, cut, graphemeCeiling, graphemeFloor, moreLinesNote, resultCap, shares, truncationNote } from "../../../src/tools/text/cap.js"

const graphemes = (text: string) => [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].map((part) => part.segment)
const borders = (text: string) => {
  const found = [0]
  for (const grapheme of graphemes(text)) found.push((found[found.length - 1] ?? 0) + grapheme.length)
  return found
}
/** Pieces that join to long graphemes, and to runs in which no border is sure. */
const awkward = fc.array(
  fc.constantFrom("a", " ", "\n", "\r\n", "\r", "é", "e\u0301", "🛰️", "👨‍👩‍👧‍👦", "🇩🇪", "🇫🇷", "\u200d", "\u0301", "각", "क्षि", "漢", "\u{1F3FD}", "👍"),
  { maxLength: 60 }
).map((parts) => parts.join(""))

describe("cap", () => {
  it("gives exactly the note of tools.md", () => {
    assert.strictEqual(truncationNote(41233), "... [truncated 41,233 chars]")
    assert.strictEqual(cap("x".repeat(resultCap)), "x".repeat(resultCap))
    assert.strictEqual(cap("x".repeat(71_233)), `${"x".repeat(30_000)}\n... [truncated 41,233 chars]`)
  })

  it("never cuts a grapheme and loses nothing but what the note says", () => {
    fc.assert(fc.property(awkward, fc.nat(200), (text, limit) => {
      const result = cap(text, limit)
      if (text.length <= limit) return assert.strictEqual(result, text)
      const [, kept = "", count = ""] = /^([^]*)\n\.\.\. \[truncated ([\d,]+) chars\]$/.exec(result) ?? []
      assert.isTrue(text.startsWith(kept))
      assert.strictEqual(kept.length + Number(count.replaceAll(",", "")), text.length)
      assert.include(borders(text), kept.length)
      assert.isAtMost(kept.length, limit)
    }), { numRuns: 300 })
  })

  it("cuts at the nearest border", () => {
    fc.assert(fc.property(awkward, fc.nat(200), (text, at) => {
      const all = borders(text)
      assert.strictEqual(graphemeFloor(text, at), Math.max(...all.filter((border) => border <= at)))
      assert.strictEqual(graphemeCeiling(text, at), Math.min(...all.filter((border) => border >= Math.min(at, text.length))))
    }), { numRuns: 300 })
  })

  it("does not split a flag in a long run of flags, whatever stands before it", () => {
    for (const start of ["", "1: ", "ab", "é"]) {
      const text = start + "🇩🇪".repeat(9_000)
      const end = graphemeFloor(text, resultCap)
      assert.strictEqual((end - start.length) % 4, 0)
      assert.isAbove(end, resultCap - 4)
    }
  })

  it("cuts between code points where a grapheme is longer than it looks back", () => {
    const text = `a${"\u{1D167}".repeat(20_000)}`
    const { text: head, removed } = cut(text, 30_000)
    assert.notMatch(head, /\p{Surrogate}/u)
    assert.strictEqual(head.length + removed, text.length)
    assert.isAbove(head.length, 29_990)
  })

  it("leaves a text that was cut before and is over only by its notes", () => {
    const once = `${cap("x".repeat(50_000))}\n${moreLinesNote(431)}`
    assert.strictEqual(cap(once), once)
    const mostlyNotes = `${"x".repeat(29_000)}${`\n${moreLinesNote(1)}`.repeat(200)}`
    assert.isAtMost(cap(mostlyNotes).length, resultCap + 40)
  })

  it("keeps head and tail, the note between", () => {
    assert.strictEqual(capMiddle("short", "", 0, 100), "short")
    assert.strictEqual(capMiddle("a".repeat(10), "b".repeat(10), 0, 10), `aaaaa\n${truncationNote(10)}\nbbbbb`)
    assert.strictEqual(capMiddle("a".repeat(10), "b".repeat(10), 1_000, 10), `aaaaa\n${truncationNote(1_010)}\nbbbbb`)
  })

  it("shows no half of a surrogate pair at the border to what was lost", () => {
    const [high = "", low = ""] = "🛰".split("")
    assert.strictEqual(capMiddle(`a${high}`, `${low}b`, 1_000, 100), `a\n${truncationNote(1_002)}\nb`)
  })

  it("keeps head and tail without cutting a grapheme", () => {
    fc.assert(fc.property(awkward, fc.integer({ min: 2, max: 100 }), (text, limit) => {
      const result = capMiddle(text, "", 0, limit)
      if (text.length <= limit) return assert.strictEqual(result, text)
      const [, head = "", count = "", tail = ""] = /^([^]*)\n\.\.\. \[truncated ([\d,]+) chars\]\n([^]*)$/.exec(result) ?? []
      assert.isTrue(text.startsWith(head) && text.endsWith(tail))
      assert.strictEqual(head.length + tail.length + Number(count), text.length)
      assert.include(borders(text), head.length)
      assert.include(borders(text), text.length - tail.length)
    }), { numRuns: 300 })
  })

  it("clips an example line", () => {
    assert.strictEqual(clipped("abcdef", 6), "abcdef")
    assert.strictEqual(clipped("abcdefg", 6), "abcdef…")
  })
})

describe("shares", () => {
  it("gives stdout 20,000 and stderr 10,000, and passes over what one does not need", () => {
    assert.deepStrictEqual(shares([50_000, 50_000], 30_000, [2, 1]), [20_000, 10_000])
    assert.deepStrictEqual(shares([50_000, 4_000], 30_000, [2, 1]), [26_000, 4_000])
    assert.deepStrictEqual(shares([100, 50_000], 30_000, [2, 1]), [100, 29_900])
    assert.deepStrictEqual(shares([100, 200], 30_000, [2, 1]), [100, 200])
    assert.deepStrictEqual(shares([], 30_000), [])
  })

  it("never gives more than a part has or than there is, and leaves nothing over that a part could use", () => {
    fc.assert(fc.property(fc.array(fc.nat(40_000), { maxLength: 20 }), fc.nat(40_000), (sizes, total) => {
      const given = shares(sizes, total)
      const sum = given.reduce((all, each) => all + each, 0)
      given.forEach((each, index) => assert.isAtMost(each, sizes[index] ?? 0))
      assert.isAtMost(sum, total)
      const hungry = given.filter((each, index) => each < (sizes[index] ?? 0))
      if (hungry.length > 0) {
        assert.isAtLeast(sum, total - sizes.length)
        given.forEach((each) => assert.isAtMost(each, Math.min(...hungry)))
      }
    }), { numRuns: 300 })
  })
})
