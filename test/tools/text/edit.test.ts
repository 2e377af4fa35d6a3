import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import type { Edit } from "../../../src/tools/text/edit.js"
import { applyEdit } from "../../../src/tools/text/edit.js"
import { endingsOf } from "../../../src/tools/text/endings.js"
import { splitLines } from "../../../src/tools/text/lines.js"
import { occurrences, occurrencesIn, withoutOverlap } from "../../../src/tools/text/occurrences.js"
import { fileModel, textOf } from "./arbitraries.js"

const lf = (text: string) => text.replaceAll("\r\n", "\n")

/** Every place by trying each position. */
const placesOf = (text: string, old: string) => {
  const places: Array<number> = []
  for (let at = 0; at + old.length <= text.length; at++) if (text.slice(at, at + old.length) === old) places.push(at)
  return places
}
/** The plain reference on texts whose lines end in `\n`: what an edit gives, or why not. */
const plainly = (text: string, { oldString, newString, replaceAll }: Edit): string | "empty" | "same" | "absent" | "several" => {
  if (oldString === "") return "empty"
  if (oldString === newString) return "same"
  const places = placesOf(text, oldString)
  if (places.length === 0) return "absent"
  if (places.length > 1 && replaceAll !== true) return "several"
  return text.split(oldString).join(newString)
}
const outcome = (text: string, edit: Edit) =>
  Either.match(applyEdit(text, edit), { onLeft: (problem) => problem.kind, onRight: (edited) => edited.text })

/** An edit whose old text is usually a piece of the file. */
const editOf = (text: string): fc.Arbitrary<Edit> =>
  fc.record({
    at: fc.nat(Math.max(0, text.length)),
    length: fc.nat(12),
    other: fc.constantFrom("", "nowhere", "a", "\n", "a\na"),
    takesOther: fc.boolean(),
    newString: fc.constantFrom("", "b", "$& $1 $$ \\1 $` $'", "x\ny", "\n", "\n\n", "é\nü\n", "a\r\nb"),
    replaceAll: fc.boolean()
  }).map(({ at, length, other, takesOther, newString, replaceAll }) => ({
    oldString: takesOther ? other : text.slice(at, at + length),
    newString,
    replaceAll
  }))
const fileAndEdit = fileModel().chain((file) => fc.tuple(fc.constant(file), editOf(lf(textOf(file)))))

describe("applyEdit", () => {
  it("equals a plain reference on files of one line ending", () => {
    fc.assert(fc.property(fileAndEdit, ([file, edit]) => {
      const text = textOf(file)
      const endings = endingsOf(text)
      if (endings === "mixed") return
      const expected = plainly(lf(text), { ...edit, newString: lf(edit.newString) })
      assert.strictEqual(outcome(text, edit), endings === "\r\n" ? expected.replaceAll("\n", "\r\n") : expected)
    }), { numRuns: 2_000 })
  })

  it("equals the reference but for endings on mixed files, and keeps those of every line it does not touch", () => {
    fc.assert(fc.property(fileAndEdit, ([file, edit]) => {
      const text = textOf(file)
      const result = applyEdit(text, edit)
      const expected = plainly(lf(text), { ...edit, newString: lf(edit.newString) })
      if (Either.isLeft(result)) return assert.strictEqual(result.left.kind, expected)
      assert.strictEqual(lf(result.right.text), expected)
      if (edit.replaceAll === true) return
      const before = splitLines(text)
      const after = splitLines(result.right.text)
      const touchedFrom = lf(text).indexOf(edit.oldString)
      const linesAbove = lf(text).slice(0, touchedFrom).split("\n").length - 1
      const linesBelow = lf(text).slice(touchedFrom + edit.oldString.length).split("\n").length - 1
      assert.deepStrictEqual(after.slice(0, linesAbove), before.slice(0, linesAbove))
      if (linesBelow > 0) {
        const untouched = before.slice(before.length - linesBelow + 1)
        assert.deepStrictEqual(after.slice(after.length - untouched.length), untouched)
      }
    }), { numRuns: 2_000 })
  })

  it("keeps the endings of unchanged lines inside of a mixed block, new lines get their neighbour's", () => {
    const edited = outcome("a\r\nb\nc\r\nd\n", { oldString: "a\nb\nc\nd", newString: "a\nB\nB2\nc\nd" })
    assert.strictEqual(edited, "a\r\nB\nB2\nc\r\nd\n")
    assert.strictEqual(outcome("a\r\nb\nc", { oldString: "a", newString: "a\nx" }), "a\r\nx\r\nb\nc")
    assert.strictEqual(outcome("a\r\nb\nc", { oldString: "c", newString: "c\nx" }), "a\r\nb\nc\nx")
  })

  it("lets `\\n` match either ending, and takes carriage returns it is given byte for byte first", () => {
    assert.strictEqual(outcome("one\r\ntwo\r\nthree\r\n", { oldString: "two\nthree", newString: "2\n3" }), "one\r\n2\r\n3\r\n")
    assert.strictEqual(outcome("a\r\nb\na\nb\n", { oldString: "a\r\nb", newString: "c" }), "c\na\nb\n")
    assert.strictEqual(outcome("a\nb\n", { oldString: "a\r\nb", newString: "c\r\nd" }), "c\nd\n")
    assert.strictEqual(outcome("a\rb\n", { oldString: "a\rb", newString: "c" }), "c\n")
  })

  it("counts overlapping places and names their lines", () => {
    assert.deepStrictEqual(applyEdit("row\nrow\nrow\nend\n", { oldString: "row\nrow\n", newString: "cell\n" }), Either.left({
      kind: "several",
      count: 2,
      lines: [1, 2]
    }))
    assert.strictEqual(outcome("aaa", { oldString: "aa", newString: "b", replaceAll: true }), "ba")
  })

  it("refuses an empty old text and one equal to the new one", () => {
    assert.strictEqual(outcome("abc", { oldString: "", newString: "X", replaceAll: true }), "empty")
    assert.strictEqual(outcome("abc", { oldString: "b", newString: "b" }), "same")
    assert.strictEqual(outcome("a\r\nb", { oldString: "a\nb", newString: "a\r\nb" }), "same")
  })

  it("is quick where everything repeats", () => {
    const text = "a".repeat(400_000)
    const result = applyEdit(text, { oldString: "a".repeat(1_000), newString: "b", replaceAll: true })
    assert.strictEqual(Either.getOrThrow(result).count, 400)
    assert.strictEqual(outcome(text, { oldString: "a".repeat(1_000), newString: "b" }), "several")
  })
})

describe("occurrences", () => {
  it("finds what trying each position finds", () => {
    const few = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 30 })
    const short = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 })
    fc.assert(fc.property(few, short, (text, old) => {
      assert.deepStrictEqual(occurrences(text, old), placesOf(text, old))
      assert.deepStrictEqual(occurrencesIn(text.split(""), old.split("")), placesOf(text, old))
      assert.strictEqual(withoutOverlap(placesOf(text, old), old.length).length, text.split(old).length - 1)
    }), { numRuns: 1_000 })
  })
})
