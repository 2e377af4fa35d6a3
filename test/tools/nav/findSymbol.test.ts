import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SearchMemory } from "../../../src/services/search/memory.js"
import { SyntaxLive } from "../../../src/services/syntax/live.js"
import { WalkerMemory } from "../../../src/services/walker/memory.js"
import { findSymbol } from "../../../src/tools/nav/findSymbol.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, workspace } from "../workspace.js"

const given = (tree: Readonly<Record<string, string>>, denied: ReadonlyArray<string> = []) =>
  Effect.provide(SearchMemory.pipe(
    Layer.provideMerge(WalkerMemory),
    Layer.provideMerge(workspace(tree, denied)),
    Layer.provideMerge(SyntaxLive)
  ))
const tree = {
  "src/a.ts": "export class Server {\n  run() {}\n}\n// run() here\nconst text = \"function run() {}\"\n",
  "src/b.py": "import a\n\ndef run():\n    a.run()\n\ndef outer():\n    def run(): pass\n",
  "lib/c.go": "package c\nfunc (s *Server) run() { run() }\n",
  "lib/d.rs": "struct Job;\nimpl Job { fn run(&self) {} }\n",
  "lib/uses.ts": "import { run } from \"../src/a.js\"\nrun()\nreturn run(1)\n",
  "notes.txt": "function run() {}\n"
}

describe("find_symbol", () => {
  it.live("finds declarations in every language, methods with their class, and no uses, comments or strings", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(findSymbol, { name: "run" }), [
        "lib/c.go:2: method Server.run",
        "lib/d.rs:2: method Job.run",
        "src/a.ts:2: method Server.run",
        "src/b.py:3: function run",
        "src/b.py:7: function outer.run"
      ].join("\n"))
    }).pipe(given(tree)))

  it.live("takes Class.method, and the type itself rather than its impl block", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(findSymbol, { name: "Server.run" }), "lib/c.go:2: method Server.run\nsrc/a.ts:2: method Server.run")
      assert.strictEqual(yield* call(findSymbol, { name: "Job::run" }), "lib/d.rs:2: method Job.run")
      assert.strictEqual(yield* call(findSymbol, { name: "Job" }), "lib/d.rs:1: struct Job")
    }).pipe(given(tree)))

  it.live("looks below a folder or into one file", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(findSymbol, { name: "run", path: "lib/" }), "lib/c.go:2: method Server.run\nlib/d.rs:2: method Job.run")
      assert.strictEqual(yield* call(findSymbol, { name: "run", path: "src/a.ts" }), "src/a.ts:2: method Server.run")
    }).pipe(given(tree)))

  it.live("says what to do when nothing is found", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(findSymbol, { name: "walk" }), `No definition of "walk" found. grep finds where it is mentioned.`)
      assert.include((yield* Effect.flip(call(findSymbol, { name: " " }))).message, "Expected a name, actual an empty text")
      assert.include((yield* Effect.flip(call(findSymbol, { name: "run", path: "../x" }))).message, "Path escapes workspace: ../x")
    }).pipe(given(tree)))

  it.live("leaves denied files out", () =>
    Effect.gen(function*() {
      assert.notInclude(yield* call(findSymbol, { name: "run" }), "src/b.py")
    }).pipe(given(tree, ["src/b.py"])))

  it.live("stops after a hundred and says that there are more", () =>
    Effect.gen(function*() {
      const lines = (yield* call(findSymbol, { name: "run" })).split("\n")
      assert.strictEqual(lines.length, 101)
      assert.strictEqual(lines.at(-1), "... [more definitions; give a path, or Class.method]")
    }).pipe(given(Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`f${n}.py`, "def run(): pass\n"])))))

  it.live("tells of a file that it could not look into", () =>
    Effect.gen(function*() {
      const text = yield* call(findSymbol, { name: "run" })
      assert.include(text, "b.py:1: function run")
      assert.include(text, "[1 file not searched: a.ts has 4,000,")
    }).pipe(given({ "a.ts": `function run() {}\n${"let a = 1\n".repeat(400_000)}`, "b.py": "def run(): pass\n" })))

  it("costs few bytes of a request", () => assert.isAtMost(bytesOf(findSymbol), 380))
})
