import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFile } from "../../../src/tools/core/readFile.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given } from "../workspace.js"

const lines = (count: number, text = (n: number) => `line ${n}`) => Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join("")

describe("read_file", () => {
  it.effect("numbers lines from 1, at newlines only, and never shows a carriage return", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readFile, { path: "a" }), "1: one\r\n2: t\fw\vo\n3: th\u2028ree\n4: fo\u0085ur\n5: TARGET".replace("\r", ""))
      assert.strictEqual(yield* call(readFile, { path: "a", offset: 5 }), "5: TARGET")
    }).pipe(given({ a: "one\r\nt\fw\vo\nth\u2028ree\nfo\u0085ur\nTARGET\n" })))

  it.effect("gives a window, and the offset to continue with where more follows", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readFile, { path: "a", offset: 3, limit: 2 }), "3: line 3\n4: line 4\n... [more lines; continue with offset 5]")
      assert.strictEqual(yield* call(readFile, { path: "a", offset: 9, limit: 2 }), "9: line 9\n10: line 10")
    }).pipe(given({ a: lines(10) })))

  it.effect("reads 2,000 lines by default", () =>
    Effect.gen(function*() {
      const text = yield* call(readFile, { path: "a" })
      assert.isTrue(text.endsWith("\n2000: x\n... [more lines; continue with offset 2001]"))
    }).pipe(given({ a: lines(2_001, () => "x") })))

  it.effect("says that a file is empty, and that an offset is past the end", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readFile, { path: "empty" }), "(empty file)")
      const error = yield* Effect.flip(call(readFile, { path: "three", offset: 9 }))
      assert.strictEqual(error.message, "offset 9 is past the end: three has 3 lines.")
      assert.strictEqual((yield* Effect.flip(call(readFile, { path: "empty", offset: 2 }))).message, "offset 2 is past the end: empty has 0 lines.")
    }).pipe(given({ empty: "", three: lines(3) })))

  it.effect("is cut at 30,000 units with the note, and says where to continue", () =>
    Effect.gen(function*() {
      const text = yield* call(readFile, { path: "a", limit: 100_000 })
      const [, head = "", cut = "", offset = ""] =
        /^([^]*)\n\.\.\. \[truncated ([\d,]+) chars\]\n\.\.\. \[more lines; continue with offset (\d+)\]$/.exec(text) ?? []
      assert.strictEqual(head.length, 30_000)
      assert.isAbove(Number(cut.replaceAll(",", "")), 0)
      const last = head.split("\n").length
      assert.strictEqual(offset, String(last))
      assert.include(yield* call(readFile, { path: "a", offset: last, limit: 1 }), `${last}: line ${last}`)
    }).pipe(given({ a: lines(20_000) })))

  it.effect("cuts a single huge line between graphemes and does not point at it again", () =>
    Effect.gen(function*() {
      const text = yield* call(readFile, { path: "sat.txt" })
      assert.notMatch(text, /\p{Surrogate}/u)
      assert.strictEqual(text, `1: ${"🛰".repeat(14_998)}\n... [truncated 50,004 chars]`)
      const next = yield* call(readFile, { path: "two.txt" })
      assert.isTrue(next.endsWith("\n... [more lines; continue with offset 2]"))
    }).pipe(given({ "sat.txt": `${"🛰".repeat(40_000)}\n`, "two.txt": `${"x".repeat(40_000)}\nnext\n` })))

  it.effect("refuses binaries, folders, secrets, missing files and paths outside", () =>
    Effect.gen(function*() {
      const message = (path: string) => Effect.map(Effect.flip(call(readFile, { path })), (error) => error.message)
      assert.include(yield* message("bin"), "bin is a binary file")
      assert.include(yield* message("folder"), "folder is a folder")
      assert.include(yield* message(".env"), "denied on read")
      assert.strictEqual(yield* message("gone.ts"), "No such file: gone.ts")
      assert.strictEqual(yield* message("../x"), "Path escapes workspace: ../x")
    }).pipe(given({ bin: "a\0b", folder: { folder: true }, ".env": "KEY=1" }, [".env"])))

  it.effect("shows bytes that are no UTF-8 with a note", () =>
    Effect.gen(function*() {
      const text = yield* call(readFile, { path: "old.js" })
      assert.match(text, /^\[[^\]]+\]\n1: let x = 1;\n2: \/\/ caf/)
    }).pipe(given({ "old.js": Uint8Array.from(Buffer.from("let x = 1;\n// caf\xe9\n", "latin1")) })))

  it.effect("names every fault of its input at once", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(readFile, { path: 3, offset: 0, limit: 1.5, lines: 4 }))
      for (const part of ["read_file", "path: Expected string", "offset: Expected a whole number of at least 1", "limit: Expected a whole", "lines: is unexpected"]) {
        assert.include(error.message, part)
      }
      assert.strictEqual(yield* call(readFile, { path: "a", offset: "2", limit: null }), "2: b")
    }).pipe(given({ a: "a\nb\n" })))

  it("costs a request at most what tools.md says", () => assert.isAtMost(bytesOf(readFile), 526))
})
