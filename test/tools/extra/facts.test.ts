import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { countLines } from "../../../src/tools/extra/countLines.js"
import { fileInfo } from "../../../src/tools/extra/fileInfo.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given, searchFinding } from "../workspace.js"

const message = <A, E extends { readonly message: string }, R>(run: Effect.Effect<A, E, R>) => Effect.map(Effect.flip(run), (error) => error.message)

describe("count_lines", () => {
  it.effect("counts one file as editors do", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(countLines, { path: "./a" }), "./a: 2 lines")
      assert.strictEqual(yield* call(countLines, { path: "unended" }), "unended: 1 line")
      assert.strictEqual(yield* call(countLines, { path: "empty" }), "empty: 0 lines")
      assert.include(yield* message(call(countLines, { path: ".env" })), "denied on read")
    }).pipe(searchFinding({}), given({ a: "1\n2\n", unended: "1", empty: "", ".env": "KEY=1" }, [".env"])))

  it.effect("counts each file of a pattern and their sum", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* call(countLines, { pattern: "**" }),
        "a: 2\nb: 1\nbin: [unreadable: bin is a binary file (3 bytes; it has a NUL byte in its first 8 KB) and is not shown.]\ntotal: 3 lines in 2 files"
          + "\nOnly the first 200 files are counted. Use a narrower pattern.\nCannot list x: EACCES."
      )
    }).pipe(
      searchFinding({ paths: ["a", "b", "bin"], more: true, unreadable: ["Cannot list x: EACCES."] }),
      given({ a: "1\n2\n", b: "1\n", bin: "a\0b" })
    ))

  it.effect("says when nothing matches, and takes exactly one of path and pattern", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(countLines, { pattern: "*.x" }), "No files match *.x.")
      assert.include(yield* message(call(countLines, {})), "exactly one of path and pattern")
      assert.include(yield* message(call(countLines, { path: "a", pattern: "b" })), "exactly one of path and pattern")
      assert.deepStrictEqual([countLines.subjects({ path: "a" }), countLines.subjects({ pattern: "b" })], [[{ path: "a" }], ["b"]])
      assert.isAtMost(bytesOf(countLines), 500)
    }).pipe(searchFinding({}), given()))
})

describe("file_info", () => {
  it.effect("tells size, lines, time, mode, and text from binary", () =>
    Effect.gen(function*() {
      assert.match(yield* call(fileInfo, { path: "a" }), /^a: text, 2 lines, 4 bytes, modified \d{4}-\d\d-\d\dT[\d:.]+Z, mode 644$/)
      assert.match(yield* call(fileInfo, { path: "bin" }), /^bin: binary, 3 bytes, modified /)
      assert.match(yield* call(fileInfo, { path: "d" }), /^d: folder, modified /)
      assert.match(yield* call(fileInfo, { path: "link" }), /^link: link, modified [^;]+; what it leads to: text, 2 lines$/)
      assert.match(yield* call(fileInfo, { path: "old" }), /^old: text, 1 line \(.*UTF-8.*\), 5 bytes/)
    }).pipe(given({ a: "1\n2\n", bin: "a\0b", d: { folder: true }, link: { link: "a" }, old: Uint8Array.from(Buffer.from("caf\xe9\n", "latin1")) })))

  it.effect("tells nothing of a secret's content", () =>
    Effect.gen(function*() {
      assert.match(yield* call(fileInfo, { path: ".env" }), /^\.env: content denied on read, 5 bytes, /)
      assert.strictEqual(yield* message(call(fileInfo, { path: "gone" })), "No such file: gone")
      assert.isAtMost(bytesOf(fileInfo), 500)
    }).pipe(given({ ".env": "KEY=1" }, [".env"])))
})
