import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { grep } from "../../../src/tools/core/grep.js"
import { call } from "../../../src/tools/pipeline.js"
import type { Tree } from "../../services/searching.js"
import { searchingMemory } from "../../services/searching.js"
import { bytesOf } from "../workspace.js"

const given = (tree: Tree, denied: ReadonlyArray<string> = []) => Effect.provide(searchingMemory(tree, denied))
const failing = (input: unknown) => Effect.map(Effect.flip(call(grep, input)), ({ message }) => message)

const flag = "🇫🇷"
const family = "👨‍👩‍👧"

describe("grep", () => {
  it.effect("gives path, line number and text, by path and then by line", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* call(grep, { pattern: "needle" }),
        "a.b:1: needle in a.b\na/b:2: a needle\na/b:3: needle\nb:1:  needle"
      )
    }).pipe(given({ "b": " needle\n", "a/b": "x\na needle\r\nneedle", "a.b": "needle in a.b\n" })))

  it.effect("says so when nothing matches, and why a pattern with a newline never does", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(grep, { pattern: "nothing" }), "No matches.")
      assert.strictEqual(
        yield* call(grep, { pattern: "a\\nb" }),
        "No matches.\nLines are matched one by one, so a newline in the pattern matches nothing."
      )
      assert.strictEqual(yield* call(grep, { pattern: "\\\\nb" }), "No matches.")
    }).pipe(given({ a: "a\nb\n" })))

  it.effect("takes ignoreCase, include and includeIgnored", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(grep, { pattern: "X", ignoreCase: true }), "a.ts:1: x\nsrc/b.ts:1: x\nsrc/c.md:1: x")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "*.ts" }), "a.ts:1: x\nsrc/b.ts:1: x")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "src/*.{ts,js}" }), "src/b.ts:1: x")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "src/" }), "src/b.ts:1: x\nsrc/c.md:1: x")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "!*.ts" }), "src/c.md:1: x")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "/ws/src/*.md" }), "src/c.md:1: x")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "*.log" }), "No matches.")
      assert.strictEqual(yield* call(grep, { pattern: "x", include: "*.log", includeIgnored: true }), "out.log:1: x")
    }).pipe(given({ ".gitignore": "*.log\n", "a.ts": "x\n", "src/b.ts": "x\n", "src/c.md": "x\n", "out.log": "x\n", "node_modules/m/a.log": "x" })))

  it.effect("leaves denied files out and counts those in the searched scope", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* call(grep, { pattern: "TOKEN" }),
        "readme:1: TOKEN\n2 files left out: denied on read, as secrets may be in there."
      )
      assert.strictEqual(yield* call(grep, { pattern: "TOKEN", include: "readme" }), "readme:1: TOKEN")
      assert.strictEqual(
        yield* call(grep, { pattern: "none", include: "*.env" }),
        "No matches.\n1 file left out: denied on read, as secrets may be in there."
      )
    }).pipe(given(
      { readme: "TOKEN\n", "a.env": "TOKEN=1\n", "b.pem": "TOKEN\n", "dist/c.env": "TOKEN\n", ".gitignore": "dist\n" },
      ["a.env", "b.pem", "dist/c.env"]
    )))

  it.effect("gives the first 200 hits and says that there are more", () =>
    Effect.gen(function*() {
      const lines = (yield* call(grep, { pattern: "x" })).split("\n")
      assert.strictEqual(lines.length, 201)
      assert.strictEqual(lines[199], "b:50: x")
      assert.strictEqual(lines[200], "... [more matches; these are the first 200 by path, use a narrower pattern or include]")
    }).pipe(given({ a: "x\n".repeat(150), b: "x\n".repeat(51), c: "x\n" })))

  it.effect("cuts lines at 300 characters between graphemes and says how much", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(grep, { pattern: "^x" }), `a:1: ${`x${"y".repeat(299)}`}... [truncated 2,000,000 chars]`)
      assert.strictEqual(yield* call(grep, { pattern: "^z" }), `b:1: z${flag.repeat(74)}... [truncated 104 chars]`)
      assert.strictEqual(yield* call(grep, { pattern: "^w" }), `c:1: w${family.repeat(37)}... [truncated 80 chars]`)
      assert.strictEqual(yield* call(grep, { pattern: "^v" }), `d:1: v${"é".repeat(299)}`)
    }).pipe(given({
      a: `x${"y".repeat(299 + 2_000_000)}`,
      b: `z${flag.repeat(100)}\n`,
      c: `w${family.repeat(47)}\n`,
      d: `v${"é".repeat(299)}\r\n`
    })))

  it.effect("gives only whole hits where the result is full", () =>
    Effect.gen(function*() {
      const text = yield* call(grep, { pattern: "x" })
      assert.isAtMost(text.length, 30_000)
      const lines = text.split("\n")
      assert.isTrue(lines.slice(0, -1).every((line) => line.endsWith(`: ${"x".repeat(300)}`)))
      assert.strictEqual(lines.at(-1), `... [more matches; these are the first ${lines.length - 1} by path, use a narrower pattern or include]`)
    }).pipe(given({ a: `${"x".repeat(300)}\n`.repeat(150) })))

  it.effect("names what is wrong with a pattern, a glob or a path", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* failing({ pattern: "(a" }), "Invalid regex: Unterminated group")
      assert.strictEqual(yield* failing({ pattern: "a", include: "{a,b,c,d}".repeat(6) }), `Invalid glob **/${"{a,b,c,d}".repeat(6)}: it has more than 1000 alternatives.`)
      assert.strictEqual(yield* failing({ pattern: "a", include: "../*.ts" }), "Path escapes workspace: ../*.ts")
      assert.strictEqual(yield* failing({ pattern: "a", include: "src/*/../../../x" }), "Path escapes workspace: src/*/../../../x")
      assert.include(yield* failing({ pattern: "" }), "Expected a regex, actual an empty text")
      assert.include(yield* failing({ pattern: 3, flags: "g" }), "flags")
    }).pipe(given({})))

  it.effect("runs look-around, and what everybody but ripgrep understands", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(grep, { pattern: "foo(?!bar)" }), "a:2: foobaz")
      assert.strictEqual(yield* call(grep, { pattern: "interface Foo {" }), "a:3: interface Foo {")
      assert.strictEqual(yield* call(grep, { pattern: "(?i)FOOB" }), "a:1: foobar\na:2: foobaz")
    }).pipe(given({ a: "foobar\nfoobaz\ninterface Foo {\n" })))

  it("stays within its bytes", () => {
    assert.isAtMost(bytesOf(grep), 420)
  })
})
