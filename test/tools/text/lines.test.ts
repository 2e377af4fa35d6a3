import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { countLines, joinLines, lineNumbersAt, lineTexts, splitLines, withFinalNewline } from "../../../src/tools/text/lines.js"
import { counted, lineRange, listed, numbered } from "../../../src/tools/text/number.js"
import { fileModel, textOf } from "./arbitraries.js"

describe("lines", () => {
  it("joins to the same text", () => {
    fc.assert(fc.property(fileModel(), (file) => assert.strictEqual(joinLines(splitLines(textOf(file))), textOf(file))))
  })

  it("end at a newline only, a carriage return before it belongs to the ending", () => {
    assert.deepStrictEqual(splitLines("a\fb\r\nc\u2028d\u0085\n\re\r\r\nf\r"), [
      { text: "a\fb", ending: "\r\n" },
      { text: "c\u2028d\u0085", ending: "\n" },
      { text: "\re\r", ending: "\r\n" },
      { text: "f\r", ending: "" }
    ])
    assert.deepStrictEqual(splitLines(""), [])
    assert.deepStrictEqual(lineTexts("\n"), [""])
  })

  it("are counted like they are split", () => {
    fc.assert(fc.property(fileModel(), (file) => assert.strictEqual(countLines(textOf(file)), splitLines(textOf(file)).length)))
  })

  it("get the number of the line that holds a position", () => {
    assert.deepStrictEqual(lineNumbersAt("a\nbb\n\nc", [0, 1, 2, 4, 5, 6, 7]), [1, 1, 2, 2, 3, 4, 4])
  })

  it("keep or lose the final newline as told, and no line is glued to the next", () => {
    const lines = [{ text: "a", ending: "\r\n" as const }, { text: "b", ending: "" as const }, { text: "c", ending: "\r\n" as const }]
    assert.strictEqual(joinLines(withFinalNewline(lines, true)), "a\r\nb\r\nc\r\n")
    assert.strictEqual(joinLines(withFinalNewline(lines, false)), "a\r\nb\r\nc")
  })

  it("are shown with their numbers", () => {
    assert.strictEqual(numbered(["one", "", "three"], 9), "9: one\n10: \n11: three")
    assert.strictEqual(lineRange(3, 3), "line 3")
    assert.strictEqual(lineRange(3, 5), "lines 3-5")
    assert.strictEqual(counted(1, "line"), "1 line")
    assert.strictEqual(counted(0, "match", "matches"), "0 matches")
    assert.strictEqual(listed([1, 2, 3]), "1, 2 and 3")
    assert.strictEqual(listed([1, 2, 3], 2), "1, 2 and 1 more")
    assert.strictEqual(listed([7]), "7")
  })
})
