import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { glob } from "../../../src/tools/core/glob.js"
import { call } from "../../../src/tools/pipeline.js"
import type { Tree } from "../../services/searching.js"
import { searchingMemory } from "../../services/searching.js"
import { bytesOf } from "../workspace.js"

const given = (tree: Tree) => Effect.provide(searchingMemory(tree))
const found = (pattern: string, more: object = {}) => Effect.map(call(glob, { pattern, ...more }), (text) => text.split("\n"))
const failing = (input: unknown) => Effect.map(Effect.flip(call(glob, input)), ({ message }) => message)

describe("glob", () => {
  it.effect("is anchored at the root and gives paths by code units", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* found("*.ts"), ["B.ts", "a.ts"])
      assert.deepStrictEqual(yield* found("**/*.ts"), ["B.ts", "a.ts", "src/.hidden/d.ts", "src/a.b/c.ts", "src/a/b.ts"])
      assert.deepStrictEqual(yield* found("src/**"), ["src/.hidden/d.ts", "src/a.b/c.ts", "src/a/b.ts"])
      assert.deepStrictEqual(yield* found("./src/*/b.ts"), ["src/a/b.ts"])
      assert.deepStrictEqual(yield* found("/ws/src/*/b.ts"), ["src/a/b.ts"])
      assert.deepStrictEqual(yield* found("src/../a.ts"), ["a.ts"])
    }).pipe(given({ "a.ts": "", "B.ts": "", "src/a/b.ts": "", "src/a.b/c.ts": "", "src/.hidden/d.ts": "" })))

  it.effect("honours .gitignore and .shiroignore, nested and negated, and never shows .git or node_modules", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* found("**"), [".gitignore", ".shiroignore", "a.txt", "keep.log", "sub/.gitignore", "sub/c.tmp", "sub/gen/x.js"])
      assert.deepStrictEqual(yield* found("**", { includeIgnored: true }), [
        ".gitignore", ".shiroignore", "a.txt", "b.log", "gen/x.js", "keep.log", "secret/s.txt", "sub/.gitignore", "sub/c.tmp", "sub/d.txt", "sub/gen/x.js"
      ])
    }).pipe(given({
      ".gitignore": "*.log\n!keep.log\ngen/\n*.tmp\n",
      ".shiroignore": "secret\n!c.tmp\n",
      "sub/.gitignore": "!gen/\nd.txt\n",
      "a.txt": "", "b.log": "", "keep.log": "", "gen/x.js": "", "sub/gen/x.js": "", "sub/c.tmp": "", "sub/d.txt": "", "secret/s.txt": "",
      ".git/config": "", "node_modules/m/i.js": "", "sub/node_modules/n.js": ""
    })))

  it.effect("takes braces and classes, brackets also for themselves, and other characters as they are", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* found("app/[id]/*.{ts,tsx}"), ["app/[id]/page.tsx", "app/i/page.ts"])
      assert.deepStrictEqual(yield* found("app/(group)/*"), ["app/(group)/x.ts"])
      assert.deepStrictEqual(yield* found("[!a-z]*"), ["{b", "Ä.md"])
      assert.deepStrictEqual(yield* found("?.md"), ["Ä.md"])
      assert.deepStrictEqual(yield* found("{b"), ["{b"])
      assert.deepStrictEqual(yield* found("a*\\**"), ["a b*c\nd"].join("\n").split("\n"))
    }).pipe(given({ "app/[id]/page.tsx": "", "app/i/page.ts": "", "app/(group)/x.ts": "", "Ä.md": "", "{b": "", "a b*c\nd": "" })))

  it.effect("lists links to files, but not links to folders, which `dir/` rules hide as well", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* found("**"), [".gitignore", "dangling", "out/real.txt", "to-file"])
    }).pipe(given({
      ".gitignore": "hidden/\n",
      "out/real.txt": "",
      "to-file": { link: "out/real.txt" },
      "to-folder": { link: "out" },
      "hidden": { link: "out" },
      "dangling": { link: "nowhere" }
    })))

  it.effect("gives 200 at most and says what it lowered and left out", () =>
    Effect.gen(function*() {
      const most = yield* found("**", { limit: 500 })
      assert.strictEqual(most.length, 202)
      assert.deepStrictEqual(most.slice(200), ["... [more files; these are the first 200, use a narrower pattern]", "limit was lowered to 200, the maximum."])
      assert.deepStrictEqual(yield* found("**", { limit: "2" }), ["f000", "f001", "... [more files; these are the first 2, use a narrower pattern]"])
      assert.strictEqual((yield* found("**")).length, 201)
    }).pipe(given(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${String(n).padStart(3, "0")}`, ""])))))

  it.effect("says that nothing matches, and refuses what leaves the workspace or is no limit", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(glob, { pattern: "*.nope" }), "No files match *.nope.")
      assert.strictEqual(yield* failing({ pattern: "../**" }), "Path escapes workspace: ../**")
      assert.strictEqual(yield* failing({ pattern: "/etc/*" }), "Path escapes workspace: /etc/*")
      assert.strictEqual(yield* failing({ pattern: "~/x" }), "Path escapes workspace: ~/x")
      assert.include(yield* failing({ pattern: "*", limit: 0 }), "limit: Expected a whole number of at least 1, actual 0")
      assert.include(yield* failing({ pattern: "*", limit: 1.5 }), "limit")
      assert.include(yield* failing({}), "pattern")
    }).pipe(given({ a: "" })))

  it.effect("takes no exponential time over stars", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(glob, { pattern: `${"*a".repeat(40)}b` }), `No files match ${"*a".repeat(40)}b.`)
      assert.strictEqual(yield* call(glob, { pattern: `${"**/".repeat(40)}b` }), `No files match ${"**/".repeat(40)}b.`)
    }).pipe(given({ ["a".repeat(250)]: "", "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a": "" })))

  it("stays within its bytes", () => {
    assert.isAtMost(bytesOf(glob), 330)
  })
})
