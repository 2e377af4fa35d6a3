import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { Files } from "../../../src/services/Files.js"
import { editFile } from "../../../src/tools/core/editFile.js"
import { readFile } from "../../../src/tools/core/readFile.js"
import { call } from "../../../src/tools/pipeline.js"
import { lineText } from "../text/arbitraries.js"
import { bytesAt, bytesOf, given, textAt } from "../workspace.js"

const failing = (input: unknown) => Effect.map(Effect.flip(call(editFile, input)), (error) => error.message)

describe("edit_file", () => {
  it.effect("replaces the one place and shows it numbered", () =>
    Effect.gen(function*() {
      const text = yield* call(editFile, { path: "a.ts", oldString: "three\n", newString: "3\n3b\n" })
      assert.strictEqual(text, "Edited a.ts: replaced 1 place (+2 -1 lines).\n1: one\n2: two\n3: 3\n4: 3b\n5: four\n6: five")
      assert.strictEqual(yield* textAt("a.ts"), "one\ntwo\n3\n3b\nfour\nfive\n")
    }).pipe(given({ "a.ts": "one\ntwo\nthree\nfour\nfive\n" })))

  it.effect("replaces every place when told to", () =>
    Effect.gen(function*() {
      const text = yield* call(editFile, { path: "a", oldString: "x", newString: "y", replaceAll: true })
      assert.isTrue(text.startsWith("Edited a: replaced 3 places (+2 -2 lines).\n"))
      assert.strictEqual(yield* textAt("a"), "y y\nb\ny\n")
    }).pipe(given({ a: "x x\nb\nx\n" })))

  it.effect("says in the words of tools.md that a text is there several times, and where", () =>
    Effect.gen(function*() {
      const [first, second] = (yield* failing({ path: "src/users.ts", oldString: "id", newString: "x" })).split("\n")
      assert.strictEqual(first, "oldString appears 3 times in src/users.ts. Add surrounding context or set replaceAll. Nothing was changed.")
      assert.strictEqual(second, "They begin at lines 1 and 3.")
      assert.strictEqual(yield* textAt("src/users.ts"), "id id\n\nid\n")
    }).pipe(given({ "src/users.ts": "id id\n\nid\n" })))

  it.effect("begins with the words of quality.md when it is not there, and shows what is nearest", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* failing({ path: "a.ts", oldString: "if (x) {\n    go()\n}", newString: "" }),
        "oldString not found in a.ts. Nothing was changed.\nThe same text but for white space is at lines 2-4 (with tabs):\n2: if (x) {\n3: \tgo()\n4: }"
      )
      assert.isTrue((yield* failing({ path: "a.ts", oldString: "if (y) {\n  stop()", newString: "" })).startsWith("oldString not found in a.ts. "))
    }).pipe(given({ "a.ts": "// a\nif (x) {\n\tgo()\n}\n" })))

  it.effect("refuses an empty oldString and one equal to newString", () =>
    Effect.gen(function*() {
      assert.include(yield* failing({ path: "t", oldString: "", newString: "X", replaceAll: true }), "oldString is empty")
      assert.include(yield* failing({ path: "t", oldString: "a", newString: "a" }), "oldString and newString are the same")
      assert.strictEqual(yield* textAt("t"), "abc\ndef\n")
    }).pipe(given({ t: "abc\ndef\n" })))

  it.effect("lets the new text land literally (anomalyco/opencode#45892)", () =>
    Effect.gen(function*() {
      const newString = "pay('$$', \"$&\", `$'`, '$1', \"$`\", '\\n');"
      yield* call(editFile, { path: "a", oldString: "log();", newString })
      assert.strictEqual(yield* textAt("a"), `${newString}\nkeep\n`)
    }).pipe(given({ a: "log();\nkeep\n" })))

  it.effect("keeps CRLF, a BOM, UTF-16 and the absence of a final newline", () =>
    Effect.gen(function*() {
      yield* call(editFile, { path: "crlf", oldString: "two\nthree", newString: "2\n3" })
      assert.strictEqual(yield* textAt("crlf"), "one\r\n2\r\n3\r\nfour")
      yield* call(editFile, { path: "bom", oldString: "import os\n", newString: "import sys\n" })
      assert.strictEqual(yield* bytesAt("bom"), "\xef\xbb\xbfimport sys\nx\n")
      yield* call(editFile, { path: "utf16", oldString: "é", newString: "ü" })
      assert.strictEqual(yield* bytesAt("utf16"), "\xff\xfea\0\xfc\0")
    }).pipe(given({
      crlf: "one\r\ntwo\r\nthree\r\nfour",
      bom: "\uFEFFimport os\nx\n",
      utf16: Uint8Array.from(Buffer.from("\xff\xfea\0\xe9\0", "latin1"))
    })))

  it.effect("never rewrites what is no valid UTF-8", () =>
    Effect.gen(function*() {
      assert.include(yield* failing({ path: "old", oldString: "x", newString: "y" }), "not valid UTF-8")
      assert.strictEqual(yield* bytesAt("old"), "x caf\xe9\n")
    }).pipe(given({ old: Uint8Array.from(Buffer.from("x caf\xe9\n", "latin1")) })))

  it.effect("does not quote a secret", () =>
    Effect.gen(function*() {
      const message = yield* failing({ path: ".env", oldString: "KE", newString: "y" })
      assert.include(message, "denied on read")
      assert.notInclude(message, "KEY=1")
    }).pipe(given({ ".env": "KEY=1\n" }, [".env"])))

  it.effect("says that the file had changed since it was read, a preview in between or not", () =>
    Effect.gen(function*() {
      yield* call(readFile, { path: "a" })
      const files = yield* Files
      yield* files.overwrite("a", "one\ntwo\n")
      const preview = editFile.preview
      assert.strictEqual(
        preview === null ? "" : yield* preview({ path: "a", oldString: "one", newString: "1" }),
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
      )
      assert.strictEqual(yield* textAt("a"), "one\ntwo\n")
    }).pipe(given({ a: "one\n" })))

  it.effect.prop("never touches another line", { before: fc.array(lineText), after: fc.array(lineText) }, ({ after, before }) => {
    const clean = (lines: ReadonlyArray<string>) => lines.filter((line) => !line.includes("UNIQUE"))
    const text = [...clean(before), "UNIQUE", ...clean(after)].join("\n")
    return Effect.gen(function*() {
      yield* call(editFile, { path: "a", oldString: "UNIQUE", newString: "other\nlines" })
      assert.strictEqual(yield* textAt("a"), text.replace("UNIQUE", "other\nlines"))
    }).pipe(given({ a: text }))
  }, { fastCheck: { numRuns: 10 } })

  it("costs a request at most what tools.md says", () => assert.isAtMost(bytesOf(editFile), 618))
})
