import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Disk } from "../../../src/services/Disk.js"
import { findFiles } from "../../../src/tools/extra/findFiles.js"
import { recentFiles } from "../../../src/tools/extra/recentFiles.js"
import { tree } from "../../../src/tools/extra/tree.js"
import { call } from "../../../src/tools/pipeline.js"
import type { Tree } from "../../services/searching.js"
import { searchingMemory } from "../../services/searching.js"
import { bytesOf } from "../workspace.js"

const given = (planted: Tree) => Effect.provide(searchingMemory(planted))
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${String(n).padStart(3, "0")}.ts`, ""]))

describe("tree", () => {
  it.effect("shows folders first, three levels, no sizes", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(tree, {}), ".\nsrc/\n  ui/\n    deep/\n    b.ts\n  a.ts\nzoo/  (link)\nREADME.md")
      assert.strictEqual(yield* call(tree, { depth: 1 }), ".\nsrc/\nzoo/  (link)\nREADME.md")
      assert.strictEqual(yield* call(tree, { path: "src/ui", depth: 7 }), "src/ui/\ndeep/\n  c.ts\nb.ts\ndepth was lowered to 6, the maximum.")
    }).pipe(given({ "README.md": "hi", "src/a.ts": "", "src/ui/b.ts": "", "src/ui/deep/c.ts": "", "zoo": { link: "src" } })))

  it.effect("shows 300 entries, and what is ignored only when asked", () =>
    Effect.gen(function*() {
      const lines = (yield* call(tree, {})).split("\n")
      assert.strictEqual(lines.length, 302)
      assert.strictEqual(lines[301], "... [2 more entries; give a path or a smaller depth]")
      assert.strictEqual(yield* call(tree, { path: "out" }), "out/ is hidden by ignore rules; set includeIgnored to list it.")
      assert.strictEqual(yield* call(tree, { path: "out", includeIgnored: true }), "out/\nx")
    }).pipe(given({ ...many(301), ".gitignore": "out\n", "out/x": "" })))
})

describe("find_files", () => {
  it.effect("finds a part of a name in any case, no glob, by code units", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(findFiles, { name: "AUTH" }), "auth/session.ts\nsrc/Auth.test.ts\nsrc/oauth.ts".split("\n").slice(1).join("\n"))
      assert.strictEqual(yield* call(findFiles, { name: "auth/" }), "auth/session.ts")
      assert.strictEqual(yield* call(findFiles, { name: "*.ts" }), "No files match *.ts.")
      assert.strictEqual(yield* call(findFiles, { name: "ÄRGER" }), "ärger.md")
    }).pipe(given({ "auth/session.ts": "", "src/oauth.ts": "", "src/Auth.test.ts": "", "ärger.md": "", "dist/auth.js": "", ".gitignore": "dist/" })))

  it.effect("gives 200 at most and says how many more there are", () =>
    Effect.gen(function*() {
      const lines = (yield* call(findFiles, { name: ".ts", limit: 999 })).split("\n")
      assert.deepStrictEqual(lines.slice(199), ["f199.ts", "... [10 more]", "limit was lowered to 200, the maximum."])
      assert.strictEqual(yield* call(findFiles, { name: "f00", limit: 1 }), "f000.ts\n... [9 more]")
      assert.include((yield* Effect.flip(call(findFiles, { name: "" }))).message, "Expected a part of a name, actual an empty text")
    }).pipe(given(many(210))))
})

describe("recent_files", () => {
  const touched = Effect.fnUntraced(function*(times: Readonly<Record<string, string>>) {
    const disk = yield* Disk
    for (const [path, time] of Object.entries(times)) {
      const folder = yield* disk.root(`/ws/${path}`.slice(0, path.lastIndexOf("/") + 4) || "/ws")
      const file = yield* disk.open(folder, path.slice(path.lastIndexOf("/") + 1))
      yield* disk.setAttributes(file, { modified: Date.parse(time) })
    }
  }, Effect.scoped)

  it.effect("gives files newest first with the time, ignored ones and folders left out", () =>
    Effect.gen(function*() {
      yield* touched({ "old": "2024-01-02T03:04:05Z", "src/new": "2025-06-07T08:09:10.5Z", "src/mid": "2024-12-31T23:59:59Z", "b.log": "2026-01-01T00:00:00Z" })
      const text = yield* call(recentFiles, { path: "src" })
      assert.strictEqual(text, "2025-06-07T08:09:10.500Z  src/new\n2024-12-31T23:59:59.000Z  src/mid")
      yield* touched({ ".gitignore": "2000-01-01T00:00:00Z" })
      const all = (yield* call(recentFiles, {})).split("\n").map((line) => line.split("  ")[1])
      assert.deepStrictEqual(all, ["src/new", "src/mid", "old", ".gitignore"])
      assert.strictEqual(yield* call(recentFiles, { limit: 1 }), "2025-06-07T08:09:10.500Z  src/new")
    }).pipe(given({ "old": "", "src/new": "", "src/mid": "", "b.log": "", ".gitignore": "*.log\n" })))

  it.effect("gives 20 by default, 200 at most, and says that there are none", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* call(recentFiles, {})).split("\n").length, 20)
      const most = (yield* call(recentFiles, { limit: 201 })).split("\n")
      assert.strictEqual(most.length, 201)
      assert.strictEqual(most[200], "limit was lowered to 200, the maximum.")
      assert.strictEqual(yield* call(recentFiles, { path: "none" }), "No files in none.")
    }).pipe(given({ ...many(205), none: { folder: true } })))
})

describe("tree, find_files and recent_files", () => {
  it("stay within their bytes", () => {
    for (const bytes of [bytesOf(tree), bytesOf(findFiles), bytesOf(recentFiles)]) assert.isAtMost(bytes, 300)
  })
})
