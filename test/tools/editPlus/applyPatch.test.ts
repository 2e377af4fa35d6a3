import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Files } from "../../../src/services/Files.js"
import { applyPatch } from "../../../src/tools/editPlus/applyPatch.js"
import { inOrder } from "../../../src/tools/editPlus/patchOrder.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesAt, bytesOf, given, isThere, textAt } from "../workspace.js"

const envelope = (...lines: ReadonlyArray<string>) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n")
const patching = (...lines: ReadonlyArray<string>) => call(applyPatch, { patch: envelope(...lines) })
const refused = (...lines: ReadonlyArray<string>) => Effect.map(Effect.flip(patching(...lines)), (error) => error.message)

describe("apply_patch", () => {
  it.effect("changes several files at once and says what became of each", () =>
    Effect.gen(function*() {
      const text = yield* patching(
        "*** Update File: ./a.txt", "@@", "-a1", "+A1", "+A1b", " a2", "*** Delete File: b.txt", "*** Add File: c/new.txt", "+fresh",
        "*** Update File: f.txt", "*** Move to: d/g.txt", "@@", "-f", "+F", "*** Update File: same.txt", "*** Move to: same2.txt"
      )
      assert.strictEqual(
        text,
        [
          "Updated a.txt (+2 -1 lines).", "1: A1", "2: A1b", "3: a2", "Added c/new.txt (1 line).", "Moved f.txt to d/g.txt (+1 -1 lines).", "1: F",
          "Moved same.txt to same2.txt.", "Deleted b.txt."
        ].join("\n")
      )
      assert.deepStrictEqual(
        yield* Effect.forEach(["a.txt", "c/new.txt", "d/g.txt", "same2.txt"], textAt),
        ["A1\nA1b\na2\n", "fresh\n", "F\n", "kept"]
      )
      assert.deepStrictEqual(yield* Effect.forEach(["b.txt", "f.txt", "same.txt"], isThere), [false, false, false])
    }).pipe(given({ "a.txt": "a1\na2\n", "b.txt": "b\n", "f.txt": "f\n", "same.txt": "kept" })))

  it.effect("changes nothing at all when one part does not fit (openclaw/openclaw#117742)", () =>
    Effect.gen(function*() {
      const message = yield* refused(
        "*** Update File: a.txt", "@@", "-a1", "+A1", " a2", "*** Delete File: b.txt", "*** Add File: c/new.txt", "+fresh",
        "*** Update File: f.txt", "*** Move to: g.txt", "@@", "-f", "+F", "*** Update File: e.txt", "@@", "-no such line", "+x"
      )
      assert.strictEqual(
        message,
        "e.txt, hunk 1 (line 16 of the patch): its context and removed lines are not in the file. No file was changed.\nNo line is similar. Read the file again."
      )
      assert.deepStrictEqual(yield* Effect.forEach(["a.txt", "b.txt", "e.txt", "f.txt"], textAt), ["a1\na2\n", "b\n", "e1\n", "f\n"])
      assert.deepStrictEqual(yield* Effect.forEach(["c", "g.txt"], isThere), [false, false])
    }).pipe(given({ "a.txt": "a1\na2\n", "b.txt": "b\n", "e.txt": "e1\n", "f.txt": "f\n" })))

  it.effect("never replaces a file by adding or moving (openai/openai-agents-python#4919)", () =>
    Effect.gen(function*() {
      assert.include(yield* refused("*** Update File: src.txt", "*** Move to: dst.txt", "@@", "-alpha", "+beta"), "dst.txt already exists")
      assert.include(yield* refused("*** Add File: dst.txt", "+x"), "dst.txt already exists")
      assert.deepStrictEqual(yield* Effect.forEach(["src.txt", "dst.txt"], textAt), ["alpha\n", "important\n"])
    }).pipe(given({ "src.txt": "alpha\n", "dst.txt": "important\n" })))

  it.effect("updates in place a file that is moved to itself (openai/codex#34210)", () =>
    Effect.gen(function*() {
      yield* patching("*** Update File: d/note.txt", "*** Move to: ./d/note.txt", "@@", "-before", "+after", " rest")
      assert.strictEqual(yield* textAt("d/note.txt"), "after\nrest\n")
    }).pipe(given({ "d/note.txt": "before\nrest\n" })))

  it.effect("refuses a file that is changed under two names instead of losing one change", () =>
    Effect.gen(function*() {
      const message = yield* refused("*** Update File: real", "-one", "+1", "*** Update File: link", "-two", "+2")
      assert.strictEqual(message, "link is changed twice by this call, under two names. Nothing was changed. Use one name for it.")
      assert.strictEqual(yield* textAt("real"), "one\ntwo\n")
    }).pipe(given({ real: "one\ntwo\n", link: { link: "real" } })))

  it.effect("moves along a chain, into a freed place, and refuses a circle", () =>
    Effect.gen(function*() {
      yield* patching("*** Update File: a", "*** Move to: tmp", "*** Delete File: c", "*** Update File: b", "*** Move to: c", "*** Update File: tmp", "*** Move to: b")
      assert.deepStrictEqual(yield* Effect.forEach(["b", "c"], textAt), ["A", "B"])
      assert.isFalse(yield* isThere("a"))
    }).pipe(given({ a: "A", b: "B", c: "C" })))

  it("orders moves so that every target is free", () => {
    const moves = [{ from: "a", to: "b" }, { from: "b", to: "c" }]
    assert.deepStrictEqual(inOrder(moves), inOrder([moves[1] ?? { from: "", to: "" }, moves[0] ?? { from: "", to: "" }]))
    assert.include(String(inOrder([{ from: "a", to: "b" }, { from: "b", to: "a" }])), "can't change places")
  })

  it.effect("keeps CRLF, a BOM that the patch may show or not, and reports what it found inexactly", () =>
    Effect.gen(function*() {
      yield* patching("*** Update File: w.txt", "@@", " a", "-b", "+B", "+B2", " c")
      assert.strictEqual(yield* textAt("w.txt"), "a\r\nB\r\nB2\r\nc\r\nd\r\n")
      yield* patching("*** Update File: bom", "-import os", "+import sys")
      yield* call(applyPatch, { patch: "--- a/bom\n+++ b/bom\n@@ -1,2 +1,2 @@\n-\uFEFFimport sys\n+\uFEFFimport re\n x\n" })
      assert.strictEqual(yield* bytesAt("bom"), "\xef\xbb\xbfimport re\nx\n")
      const text = yield* patching("*** Update File: tab", "-  x", "+\ty")
      assert.include(text, "\nNote: tab, hunk 1 at line 1: found by ignoring all white space.")
    }).pipe(given({ "w.txt": "a\r\nb\r\nc\r\nd\r\n", bom: "\uFEFFimport os\nx\n", tab: "\tx\n" })))

  it.effect("makes new files and changes modes as a git diff says", () =>
    Effect.gen(function*() {
      yield* call(applyPatch, { patch: "diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+#!/bin/sh\n" })
      const text = yield* call(applyPatch, { patch: "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n" })
      assert.strictEqual(text, "Updated a (mode 755).")
      const files = yield* Files
      assert.deepStrictEqual([(yield* files.stat("run")).mode & 0o111, (yield* files.stat("a")).mode], [0o111, 0o755])
    }).pipe(given({ a: "x\n" })))

  it.effect("says that a file to change is missing, a secret or outside", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* refused("*** Update File: gone", "-a", "+b"), "No such file: gone. No file was changed.")
      assert.include(yield* refused("*** Update File: .env", "-KEY=2", "+b"), "denied on read")
      assert.strictEqual(yield* refused("*** Add File: ../x", "+b"), "Path escapes workspace: ../x")
    }).pipe(given({ ".env": "KEY=1\n" }, [".env"])))

  it.effect("says of a patch that can't be read where, before anybody is asked", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(applyPatch, { patch: "*** Begin Patch\n*** Add File: a\nx\n*** End Patch" }))
      assert.strictEqual(error._tag, "InvalidInput")
      assert.include(error.message, "patch: The patch can't be read: line 3 of the patch: under *** Add File: every line begins with +")
    }).pipe(given()))

  it.effect("shows a person a diff of everything and changes nothing", () =>
    Effect.gen(function*() {
      const patch = envelope("*** Update File: a", "-1", "+2", "*** Add File: b", "+x", "*** Delete File: c", "*** Update File: d", "*** Move to: e")
      const preview = applyPatch.preview === null ? "" : yield* applyPatch.preview({ patch })
      assert.strictEqual(
        preview,
        "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-1\n+2\n--- /dev/null\n+++ b/b\n@@ -0,0 +1,1 @@\n+x\n"
          + "diff --git a/d b/e\nsimilarity index 100%\nrename from d\nrename to e\ndeleted file c\n"
      )
      assert.deepStrictEqual(yield* Effect.forEach(["a", "c", "d"], textAt), ["1\n", "", ""])
    }).pipe(given({ a: "1\n", c: "", d: "" })))

  it("is judged by every path it names, and costs a request at most 500 bytes", () => {
    const patch = envelope("*** Update File: a", "*** Move to: b", "*** Add File: c", "+*** Delete File: z", "*** Delete File: d")
    assert.deepStrictEqual(applyPatch.subjects({ patch }), [{ path: "a" }, { path: "b" }, { path: "c" }, { path: "d" }])
    assert.isAtMost(bytesOf(applyPatch), 500)
  })
})
