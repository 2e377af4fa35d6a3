import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { appendFile } from "../../../src/tools/extra/appendFile.js"
import { deleteLines } from "../../../src/tools/extra/deleteLines.js"
import { insertLines } from "../../../src/tools/extra/insertLines.js"
import { prependFile } from "../../../src/tools/extra/prependFile.js"
import { replaceLines } from "../../../src/tools/extra/replaceLines.js"
import { call } from "../../../src/tools/pipeline.js"
import * as Lines from "../../../src/tools/text/lineEdits.js"
import { endingsOf } from "../../../src/tools/text/endings.js"
import { countLines, splitLines } from "../../../src/tools/text/lines.js"
import { fileModel, lineText, textOf } from "../text/arbitraries.js"
import { bytesAt, bytesOf, given, textAt } from "../workspace.js"

const message = <A, E extends { readonly message: string }, R>(run: Effect.Effect<A, E, R>) => Effect.map(Effect.flip(run), (error) => error.message)

describe("line tools", () => {
  it.effect("insert, delete, replace, append and prepend, and say where the file stands", () =>
    Effect.gen(function*() {
      const path = "a"
      assert.strictEqual(
        yield* call(insertLines, { path, line: 2, content: "x\ny" }),
        "Inserted 2 lines into a before line 2; it now has 5 lines.\n1: 1\n2: x\n3: y\n4: 2\n5: 3"
      )
      assert.strictEqual(yield* call(insertLines, { path, line: 6, content: "z\n" }), "Inserted 1 line into a at the end; it now has 6 lines.\n4: 2\n5: 3\n6: z")
      assert.strictEqual(yield* call(deleteLines, { path, startLine: 2, endLine: 3 }), "Deleted lines 2-3 of a (2 lines); it now has 4 lines.\n1: 1\n2: 2\n3: 3")
      assert.strictEqual(yield* call(replaceLines, { path, startLine: 2, endLine: 2, content: "two" }), "Replaced line 2 of a with 1 line; it now has 4 lines.\n1: 1\n2: two\n3: 3\n4: z")
      assert.strictEqual(yield* call(replaceLines, { path, startLine: 3, endLine: 3, content: "" }), "Replaced line 3 of a with nothing; it now has 3 lines.\n1: 1\n2: two\n3: z")
      assert.strictEqual(yield* call(appendFile, { path, content: "end" }), "Added 1 line to the end of a; it now has 4 lines.\n2: two\n3: z\n4: end")
      assert.strictEqual(yield* call(prependFile, { path, content: "top\n\n" }), "Added 2 lines at the top of a; it now has 6 lines.\n1: top\n2: \n3: 1\n4: two")
      assert.strictEqual(yield* textAt(path), "top\n\n1\ntwo\nz\nend\n")
    }).pipe(given({ a: "1\n2\n3\n" })))

  it.effect("refuse what is not there, the whole file, and empty content, and change nothing", () =>
    Effect.gen(function*() {
      const path = "a"
      assert.strictEqual(
        yield* message(call(insertLines, { path, line: 5, content: "x" })),
        "line 5 is past the end: a has 3 lines, so at most line 4 can be inserted before. Nothing was changed."
      )
      assert.strictEqual(yield* message(call(deleteLines, { path, startLine: 2, endLine: 9 })), "endLine 9 is past the end: a has 3 lines. Nothing was changed.")
      assert.strictEqual(yield* message(call(deleteLines, { path, startLine: 3, endLine: 2 })), "startLine 3 is after endLine 2. Nothing was changed.")
      assert.include(yield* message(call(deleteLines, { path, startLine: 1, endLine: 3 })), "Use delete_file")
      assert.include(yield* message(call(replaceLines, { path, startLine: 1, endLine: 3, content: "" })), "would leave a empty")
      assert.include(yield* message(call(appendFile, { path, content: "" })), "content is empty")
      assert.include(yield* message(call(prependFile, { path, content: "" })), "content is empty")
      assert.include(yield* message(call(insertLines, { path, line: 0, content: "x" })), "line: Expected a whole number of at least 1")
      assert.strictEqual(yield* message(call(appendFile, { path: "gone", content: "x" })), "No such file: gone")
      assert.include(yield* message(call(replaceLines, { path: ".env", startLine: 1, endLine: 1, content: "x" })), "denied on read")
      assert.strictEqual(yield* textAt(path), "1\n2\n3\n")
    }).pipe(given({ a: "1\n2\n3\n", ".env": "KEY=1\n" }, [".env"])))

  it.effect("keep CRLF, a BOM and the absence of a final newline, and glue nothing", () =>
    Effect.gen(function*() {
      yield* call(appendFile, { path: "crlf", content: "c\nd\n" })
      assert.strictEqual(yield* textAt("crlf"), "a\r\nb\r\nc\r\nd")
      yield* call(prependFile, { path: "bom", content: "first" })
      assert.strictEqual(yield* bytesAt("bom"), "\xef\xbb\xbffirst\nx\n")
      yield* call(appendFile, { path: "empty", content: "x" })
      assert.strictEqual(yield* textAt("empty"), "x\n")
    }).pipe(given({ crlf: "a\r\nb", bom: "\uFEFFx\n", empty: "" })))

  it.effect("say when the lines were the same, and show a person a diff", () =>
    Effect.gen(function*() {
      assert.include(yield* call(replaceLines, { path: "a", startLine: 1, endLine: 1, content: "1" }), "The lines were the same before.")
      const preview = insertLines.preview === null ? "" : yield* insertLines.preview({ path: "a", line: 1, content: "0" })
      assert.strictEqual(preview, "--- a/a\n+++ b/a\n@@ -1,1 +1,2 @@\n+0\n 1\n")
      assert.strictEqual(yield* textAt("a"), "1\n")
    }).pipe(given({ a: "1\n" })))

  it("cost a request at most 500 bytes each", () => {
    for (const bytes of [bytesOf(insertLines), bytesOf(deleteLines), bytesOf(replaceLines), bytesOf(appendFile), bytesOf(prependFile)]) assert.isAtMost(bytes, 500)
  })
})

describe("line edits", () => {
  const content = fc.tuple(fc.array(lineText, { minLength: 1, maxLength: 4 }), fc.boolean()).map(([lines, ended]) => lines.join("\n") + (ended ? "\n" : ""))
    .filter((text) => text !== "")

  it("equal a reference that works on lists of lines", () => {
    fc.assert(fc.property(fileModel(), content, fc.nat(14), fc.nat(14), (file, added, a, b) => {
      const text = textOf(file)
      const lines = splitLines(text)
      const before = lines.map((line) => line.text)
      const [start, end] = [Math.min(a, b), Math.min(Math.max(a, b), before.length)]
      const wanted = added.endsWith("\n") ? added.slice(0, -1).split("\n") : added.split("\n")
      const place = { path: "a", text }
      const cases = [
        { made: Lines.insertLines(place, start + 1, added), expected: start <= before.length ? [...before.slice(0, start), ...wanted, ...before.slice(start)] : null, at: start, count: 0 },
        { made: Lines.replaceLines(place, start + 1, end, added), expected: start < end ? [...before.slice(0, start), ...wanted, ...before.slice(end)] : null, at: start, count: end - start },
        { made: Lines.appendLines(place, added), expected: [...before, ...wanted], at: before.length, count: 0 },
        { made: Lines.prependLines(place, added), expected: [...wanted, ...before], at: 0, count: 0 }
      ]
      for (const { at, count, expected, made } of cases) {
        if (Either.isLeft(made)) {
          assert.isNull(expected)
          continue
        }
        const isTerminated = text === "" || text.endsWith("\n")
        const plain = (expected ?? []).map((line, index) => index === (expected ?? []).length - 1 && !isTerminated ? line : `${line}\n`).join("")
        assert.strictEqual(made.right.replaceAll("\r\n", "\n"), plain)
        if (endingsOf(text) === "\r\n") assert.notStrictEqual(endingsOf(made.right), "mixed")
        const after = splitLines(made.right)
        // Every line that was not touched keeps its ending, the last of the file aside.
        const above = Math.max(0, Math.min(at, before.length - 1))
        assert.deepStrictEqual(after.slice(0, above), lines.slice(0, above))
        const kept = lines.slice(at + count, -1)
        if (after.length === before.length - count + wanted.length) assert.deepStrictEqual(after.slice(at + wanted.length, at + wanted.length + kept.length), kept)
      }
    }), { numRuns: 500 })
  })

  it("delete just the range, and never the whole file", () => {
    fc.assert(fc.property(fileModel(), fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 14 }), (file, start, end) => {
      const text = textOf(file)
      const total = countLines(text)
      const made = Lines.deleteLines({ path: "a", text }, start, end)
      assert.strictEqual(Either.isRight(made), start <= end && end <= total && !(start === 1 && end === total))
      if (Either.isLeft(made)) return
      const texts = (each: string) => splitLines(each).map((line) => line.text)
      const expected = texts(text).filter((_, index) => index + 1 < start || index + 1 > end)
      // An unterminated blank last line is no line.
      if (text.endsWith("\n") || expected[expected.length - 1] !== "") assert.deepStrictEqual(texts(made.right), expected)
    }), { numRuns: 500 })
  })
})
