import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { readFile } from "../../../src/tools/core/readFile.js"
import { writeFile } from "../../../src/tools/core/writeFile.js"
import { call } from "../../../src/tools/pipeline.js"
import { collapsed } from "../../../src/tools/text/collapse.js"
import { bytesAt, bytesOf, given, textAt } from "../workspace.js"

const page = "<html>\n  <body>\n    <h1>Title</h1>\n    <p>one</p>\n    <p>two</p>\n    <p>three</p>\n    <p>four</p>\n  </body>\n</html>\n"

describe("write_file", () => {
  it.effect("creates a file and its folders", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(writeFile, { path: "./a/b/c.txt", content: "one\ntwo\n" }), "Wrote 8 chars to a/b/c.txt (new file, 2 lines).")
      assert.strictEqual(yield* textAt("a/b/c.txt"), "one\ntwo\n")
    }).pipe(given()))

  it.effect("replaces a file", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(writeFile, { path: "a", content: "one" }), "Wrote 3 chars to a (1 line, 2 before).")
      assert.strictEqual(yield* textAt("a"), "one")
    }).pipe(given({ a: "1\n2\n" })))

  it.effect("names a collapse of the layout in one line", () =>
    Effect.gen(function*() {
      const content = page.replace(/\s+/g, " ").trim()
      assert.strictEqual(
        yield* call(writeFile, { path: "index.blade.php", content }),
        `Wrote ${content.length} chars to index.blade.php, but it collapsed 9 lines into 1. If that was not intended, re-send the content with its original newlines and indentation.`
      )
    }).pipe(given({ "index.blade.php": page })))

  it.effect("says when the line endings change", () =>
    Effect.gen(function*() {
      const text = yield* call(writeFile, { path: "a", content: "one\ntwo\n" })
      assert.include(text, "\nIts line endings were CRLF and are now LF.")
    }).pipe(given({ a: "one\r\n" })))

  it.effect("keeps a byte order mark", () =>
    Effect.gen(function*() {
      yield* call(writeFile, { path: "a", content: "new\n" })
      assert.strictEqual(yield* bytesAt("a"), "\xef\xbb\xbfnew\n")
    }).pipe(given({ a: "\uFEFFold\n" })))

  it.effect("is refused once where the file changed unseen, also if a preview was made", () =>
    Effect.gen(function*() {
      yield* call(readFile, { path: "a" })
      yield* call(writeFile, { path: "a", content: "mine\n" })
      const preview = writeFile.preview
      if (preview !== null) yield* preview({ path: "a", content: "next\n" })
      assert.strictEqual(yield* call(writeFile, { path: "a", content: "next\n" }), "Wrote 5 chars to a (1 line, 1 before).")
    }).pipe(given({ a: "old\n" })))

  it.effect("shows a person what would change, and nothing of a secret", () =>
    Effect.gen(function*() {
      const preview = (path: string) => writeFile.preview === null ? Effect.succeed("") : writeFile.preview({ path, content: "new\n" })
      assert.strictEqual(yield* preview("a"), "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-old\n+new\n")
      assert.strictEqual(yield* preview("b"), "--- /dev/null\n+++ b/b\n@@ -0,0 +1,1 @@\n+new\n")
      assert.include((yield* Effect.flip(preview(".env"))).message, "denied on read")
      assert.notInclude(yield* call(writeFile, { path: ".env", content: "KEY=2" }), "KEY")
      assert.strictEqual(yield* textAt("a"), "old\n")
    }).pipe(given({ a: "old\n", ".env": "KEY=1" }, [".env"])))

  it("costs a request at most what tools.md says", () => assert.isAtMost(bytesOf(writeFile), 289))
})

describe("collapsed", () => {
  it("needs 5 lines before, at most a third after, and about the same characters", () => {
    assert.deepStrictEqual(collapsed("1\n2\n3\n4\n5\n", "1 2 3 4 5"), { before: 5, after: 1 })
    assert.isNull(collapsed("1\n2\n3\n4\n", "1 2 3 4"))
    assert.isNull(collapsed("1\n2\n3\n4\n5\n", "1 2\n3 4 5"))
    assert.isNull(collapsed("1\n2\n3\n4\n5\n", "1 2 3"))
    assert.deepStrictEqual(collapsed("1\n2\n3\n4\n5\n", "1234"), { before: 5, after: 1 })
  })

  it("never speaks of a file that keeps its lines", () => {
    fc.assert(fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (lines) => {
      const text = lines.map((line) => line.replace(/[\r\n]/g, "")).join("\n")
      assert.isNull(collapsed(text, text))
    }))
  })
})
