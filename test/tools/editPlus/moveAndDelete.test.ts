import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { deleteFile } from "../../../src/tools/editPlus/deleteFile.js"
import { moveFile } from "../../../src/tools/editPlus/moveFile.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given, isThere, textAt } from "../workspace.js"

const message = <A, E extends { readonly message: string }, R>(run: Effect.Effect<A, E, R>) => Effect.map(Effect.flip(run), (error) => error.message)

describe("move_file", () => {
  it.effect("moves into a folder that is made", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(moveFile, { from: "a.txt", to: "./new//folder/b.txt" }), "Moved a.txt to new/folder/b.txt.")
      assert.strictEqual(yield* textAt("new/folder/b.txt"), "x\n")
      assert.isFalse(yield* isThere("a.txt"))
    }).pipe(given({ "a.txt": "x\n" })))

  it.effect("never replaces a file (modelcontextprotocol/servers#4628), and refuses a missing source", () =>
    Effect.gen(function*() {
      assert.include(yield* message(call(moveFile, { from: "a.txt", to: "d/b.txt" })), "d/b.txt already exists")
      assert.include(yield* message(call(moveFile, { from: "a.txt", to: "./a.txt" })), "a.txt already exists")
      assert.strictEqual(yield* message(call(moveFile, { from: "gone", to: "b" })), "No such file: gone")
      assert.include(yield* message(call(moveFile, { from: "a.txt", to: "../b" })), "Path escapes workspace: ../b")
      assert.include(yield* message(call(moveFile, { from: ".env", to: "b" })), "denied on read")
      assert.deepStrictEqual([yield* textAt("a.txt"), yield* textAt("d/b.txt")], ["new\n", "precious\n"])
    }).pipe(given({ "a.txt": "new\n", "d/b.txt": "precious\n", ".env": "KEY=1" }, [".env"])))

  it.effect("moves a link, not its target", () =>
    Effect.gen(function*() {
      yield* call(moveFile, { from: "link", to: "link2" })
      assert.strictEqual(yield* textAt("real"), "data\n")
      assert.isFalse(yield* isThere("link"))
      assert.isTrue(yield* isThere("link2"))
    }).pipe(given({ real: "data\n", link: { link: "real" } })))

  it.effect("is judged by both ends and shows a rename", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(moveFile.subjects({ from: "a", to: "b" }), [{ path: "a" }, { path: "b" }])
      assert.isAtMost(bytesOf(moveFile), 500)
      const preview = moveFile.preview === null ? "" : yield* moveFile.preview({ from: "./a", to: "b" })
      assert.strictEqual(preview, "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n")
    }).pipe(given({ a: "" })))
})

describe("delete_file", () => {
  it.effect("deletes one file and reports its size", () =>
    Effect.gen(function*() {
      const preview = deleteFile.preview === null ? "" : yield* deleteFile.preview({ path: "a.txt" })
      assert.strictEqual(preview, "--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-abc\n")
      assert.strictEqual(yield* call(deleteFile, { path: "a.txt" }), "Deleted a.txt (4 bytes).")
      assert.isFalse(yield* isThere("a.txt"))
      assert.strictEqual(yield* call(deleteFile, { path: ".env" }), "Deleted .env (5 bytes).")
    }).pipe(given({ "a.txt": "abc\n", ".env": "KEY=1" }, [".env"])))

  it.effect("deletes a link only (openai/openai-agents-python#4830), a dangling one too", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(deleteFile, { path: "link" }), "Deleted the link link; the file it led to is untouched.")
      yield* call(deleteFile, { path: "dangling" })
      assert.strictEqual(yield* textAt("real"), "data\n")
      assert.isFalse(yield* isThere("link"))
      assert.isFalse(yield* isThere("dangling"))
    }).pipe(given({ real: "data\n", link: { link: "real" }, dangling: { link: "nowhere" } })))

  it.effect("refuses a folder and what is not there", () =>
    Effect.gen(function*() {
      assert.include(yield* message(call(deleteFile, { path: "d" })), "d is a folder")
      assert.strictEqual(yield* message(call(deleteFile, { path: "gone" })), "No such file: gone")
      assert.strictEqual(yield* textAt("d/a"), "x")
      assert.isAtMost(bytesOf(deleteFile), 500)
    }).pipe(given({ "d/a": "x" })))
})
