import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readManyFiles } from "../../../src/tools/editPlus/readManyFiles.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given } from "../workspace.js"

const read = (...files: ReadonlyArray<unknown>) => call(readManyFiles, { files })

describe("read_many_files", () => {
  it.effect("gives the blocks of tools.md in the order asked for, whatever can't be read", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* read({ path: "src/app.ts" }, { path: "src/gone.ts" }, { path: "b", offset: 2, limit: 1 }, { path: "../x" }, { path: ".env" }, { path: "b", offset: 9 }),
        [
          "===== src/app.ts =====\n1: export const port = 8080;",
          "===== src/gone.ts =====\n[unreadable: No such file: src/gone.ts]",
          "===== b =====\n2: two\n... [more lines; continue with offset 3]",
          "===== ../x =====\n[unreadable: Path escapes workspace: ../x]",
          "===== .env =====\n[unreadable: .env is denied on read: it may hold secrets, which must not leave this machine. Ask the user for what you need from it.]",
          "===== b =====\n[unreadable: offset 9 is past the end: b has 3 lines.]"
        ].join("\n\n")
      )
    }).pipe(given({ "src/app.ts": "export const port = 8080;\n", b: "one\ntwo\nthree\n", ".env": "KEY=1" }, [".env"])))

  it.effect("takes 1 to 20 files", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 21 }, () => ({ path: "a" }))
      assert.include((yield* Effect.flip(read(...many))).message, "files: Expected 1 to 20 files, actual 21")
      assert.include((yield* Effect.flip(read())).message, "Expected 1 to 20 files, actual 0")
      assert.include((yield* Effect.flip(read({ path: "a", offset: -1 }))).message, "files.0.offset: Expected a whole number")
      assert.strictEqual((yield* read(...many.slice(1))).split("\n\n").length, 20)
      assert.strictEqual(yield* read({ path: "a", offset: "1", limit: null }), "===== a =====\n1: x")
    }).pipe(given({ a: "x\n" })))

  it.effect("shares the cap evenly, passes on what a file does not need, and names what was cut", () =>
    Effect.gen(function*() {
      const text = yield* read({ path: "big1" }, { path: "small" }, { path: "big2" })
      const blocks = text.split("\n\n")
      assert.isAtMost(text.length, 30_200)
      assert.isAbove(text.length, 29_000)
      assert.strictEqual(blocks[1], "===== small =====\n1: s")
      assert.isBelow(Math.abs((blocks[0]?.length ?? 0) - (blocks[2]?.length ?? 0)), 10)
      for (const block of [blocks[0], blocks[2]]) assert.match(block ?? "", /\n\.\.\. \[truncated [\d,]+ chars\]\n\.\.\. \[more lines; continue with offset \d+\]$/)
      assert.strictEqual(blocks[3], "Cut to fit into one result: big1, big2. Continue at the offsets given.")
    }).pipe(given({ big1: "line\n".repeat(3_000), small: "s\n", big2: "line\n".repeat(3_000) })))

  it("is judged by every path, and costs a request at most what tools.md says", () => {
    assert.deepStrictEqual(readManyFiles.subjects({ files: [{ path: "a" }, { path: "b" }] }), [{ path: "a" }, { path: "b" }])
    assert.isAtMost(bytesOf(readManyFiles), 972)
  })
})
