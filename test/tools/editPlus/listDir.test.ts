import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { listDir } from "../../../src/tools/editPlus/listDir.js"
import { call } from "../../../src/tools/pipeline.js"
import type { Tree } from "../../services/searching.js"
import { searchingMemory } from "../../services/searching.js"
import { bytesOf } from "../workspace.js"

const given = (tree: Tree) => Effect.provide(searchingMemory(tree))
const failing = (input: unknown) => Effect.map(Effect.flip(call(listDir, input)), ({ message }) => message)

describe("list_dir", () => {
  it.effect("shows two levels with sizes, and folders at the last level without what is in them", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(listDir, {}), ".\nREADME.md  2B\nsrc/\n  app.ts  2K\n  ui/")
      assert.strictEqual(yield* call(listDir, { depth: 1 }), ".\nREADME.md  2B\nsrc/")
      assert.strictEqual(yield* call(listDir, { depth: 3 }), ".\nREADME.md  2B\nsrc/\n  app.ts  2K\n  ui/\n    Button.tsx  3M")
      assert.strictEqual(yield* call(listDir, { path: "src" }), "src/\napp.ts  2K\nui/\n  Button.tsx  3M")
      assert.strictEqual(yield* call(listDir, { path: "/ws/src/../src/ui/" }), "src/ui/\nButton.tsx  3M")
    }).pipe(given({ "README.md": "hi", "src/app.ts": "x".repeat(2_000), "src/ui/Button.tsx": "x".repeat(3_000_000) })))

  it.effect("sorts by code units, files and folders mixed, dot files among them", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(listDir, {}), ".\n.env.example  1B\n.github/\n  w.yml  1B\nB  0B\na/\n  x  0B\na.txt  1023B\nb  1K\né  0B")
    }).pipe(given({ "b": "x".repeat(1024), "a/x": "", "a.txt": "x".repeat(1023), "B": "", "é": "", ".env.example": "x", ".github/w.yml": "x" })))

  it.effect("hides what ignore rules hide, shows it when asked, and never .git or node_modules", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(listDir, {}), ".\n.gitignore  5B\na  0B")
      assert.strictEqual(yield* call(listDir, { includeIgnored: true }), ".\n.gitignore  5B\na  0B\ndist/\n  b  0B")
      assert.strictEqual(yield* call(listDir, { path: "dist" }), "dist/ is hidden by ignore rules; set includeIgnored to list it.")
      assert.strictEqual(yield* call(listDir, { path: "dist", includeIgnored: true }), "dist/\nb  0B")
      assert.strictEqual(yield* call(listDir, { path: ".git", includeIgnored: true }), ".git/ is never listed (.git and node_modules are not).")
      assert.strictEqual(yield* call(listDir, { path: "node_modules/m" }), "node_modules/m/ is never listed (.git and node_modules are not).")
    }).pipe(given({ ".gitignore": "dist\n", "a": "", "dist/b": "", ".git/HEAD": "", "node_modules/m/c": "" })))

  it.effect("shows a link to a folder as one and does not enter it, but lists one that is asked for", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(listDir, { depth: 6 }), ".\nloop/  (link)\nreal/\n  a  3B\n  self/  (link)\nto-file  3B")
      assert.strictEqual(yield* call(listDir, { path: "loop" }), "loop/\na  3B\nself/  (link)")
    }).pipe(given({ "real/a": "abc", "real/self": { link: "." }, "loop": { link: "real" }, "to-file": { link: "real/a" } })))

  it.effect("shows 300 entries and how many there are besides", () =>
    Effect.gen(function*() {
      const lines = (yield* call(listDir, {})).split("\n")
      assert.strictEqual(lines.length, 302)
      assert.strictEqual(lines[301], "... [7 more entries; give a path or a smaller depth]")
    }).pipe(given(Object.fromEntries(Array.from({ length: 307 }, (_, n) => [`f${n}`, ""])))))

  it.effect("lowers the depth to 6 and says so; what is no depth is refused", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* call(listDir, { depth: 9 }),
        ".\na/\n  b/\n    c/\n      d/\n        e/\n          f/\ndepth was lowered to 6, the maximum."
      )
      assert.include(yield* failing({ depth: 0 }), "depth: Expected a whole number of at least 1, actual 0")
      assert.include(yield* failing({ depth: 2.5 }), "depth")
    }).pipe(given({ "a/b/c/d/e/f/g/h": "" })))

  it.effect("tells a missing folder, a file and a place outside apart", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* failing({ path: "nope" }), "No such file: nope")
      assert.strictEqual(yield* failing({ path: "a" }), "a is a file. Give a folder here; read_file shows a file.")
      assert.strictEqual(yield* failing({ path: "../x" }), "Path escapes workspace: ../x")
      assert.strictEqual(yield* failing({ path: "out" }), "Path escapes workspace: out")
      assert.strictEqual(yield* call(listDir, { path: "empty" }), "empty/")
    }).pipe(given({ a: "", out: { link: "/" }, empty: { folder: true } })))

  it("stays within its bytes", () => {
    assert.isAtMost(bytesOf(listDir), 330)
  })
})
