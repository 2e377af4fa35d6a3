import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SyntaxLive } from "../../../src/services/syntax/live.js"
import { readSymbol } from "../../../src/tools/extra/readSymbol.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, workspace } from "../workspace.js"

const given = (tree: Readonly<Record<string, string>>, denied: ReadonlyArray<string> = []) =>
  Effect.provide(workspace(tree, denied).pipe(Layer.provideMerge(SyntaxLive)))
const source = `const before = 1 // not about it

// A comment of its own.

/** Starts it. */
@logged({ a: 1 })
export class Server {
  // Runs it.
  @timed
  run() {
    return 1
  }
}
class Client {
  run() {}
}
export function over(a: string): void
export function over(a: number): void
export function over(a: unknown) {}
`

describe("read_symbol", () => {
  it.live("gives doc comments and decorators with the source, numbered", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readSymbol, { path: "a.ts", name: "Server.run" }), `a.ts lines 8-12: method Server.run
8:   // Runs it.
9:   @timed
10:   run() {
11:     return 1
12:   }`)
      const whole = yield* call(readSymbol, { path: "a.ts", name: "Server" })
      assert.match(whole, /^a\.ts lines 5-13: class Server\n5: \/\*\* Starts it\. \*\/\n6: @logged/)
      assert.notInclude(whole, "A comment of its own")
    }).pipe(given({ "a.ts": source })))

  it.live("lists several of one name instead of guessing", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readSymbol, { path: "a.ts", name: "run" }), `a.ts declares 2 of "run":
9-12: run() (in Server)
15: run() (in Client)
Name one with what it is in (Class.method), or read its lines with read_file.`)
    }).pipe(given({ "a.ts": source })))

  it.live("reads overloads that follow each other as one", () =>
    Effect.gen(function*() {
      const text = yield* call(readSymbol, { path: "a.ts", name: "over" })
      assert.match(text, /^a\.ts lines 17-19: function over\n17: .*\n18: .*\n19: /)
    }).pipe(given({ "a.ts": source })))

  it.live("takes a bare name for what is at the top and tells of the others", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readSymbol, { path: "a.py", name: "run" }), `a.py line 1: function run
1: def run(): pass
Of that name also:
3: def run(self) (in A)`)
    }).pipe(given({ "a.py": "def run(): pass\nclass A:\n    def run(self): pass\n" })))

  it.live("finds a type and tells of its impl blocks; finds methods in them", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(readSymbol, { path: "a.rs", name: "A" }), `a.rs lines 1-3: struct A
1: /// About it.
2: #[derive(Debug)]
3: struct A;
Of that name also:
4: impl A`)
      assert.include(yield* call(readSymbol, { path: "a.rs", name: "A::f" }), "method A.f")
    }).pipe(given({ "a.rs": "/// About it.\n#[derive(Debug)]\nstruct A;\nimpl A { fn f() {} }\n" })))

  it.live("finds a Go method by its receiver and a local function by its name", () =>
    Effect.gen(function*() {
      assert.include(yield* call(readSymbol, { path: "a.go", name: "Server.Start" }), "method Server.Start\n2: func (s *Server) Start() {}")
      assert.include(yield* call(readSymbol, { path: "a.py", name: "inner" }), "function outer.inner")
    }).pipe(given({ "a.go": "package a\nfunc (s *Server) Start() {}\n", "a.py": "def outer():\n    def inner(): pass\n" })))

  it.live("names what is similar on a miss, else what there is", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(readSymbol, { path: "a.ts", name: "Sever" }))
      assert.strictEqual(error.message, `a.ts declares no "Sever". Similar: Server.`)
      const other = yield* Effect.flip(call(readSymbol, { path: "a.ts", name: "zzz" }))
      assert.strictEqual(other.message, `a.ts declares no "zzz". It declares before, Server, Client and over.`)
    }).pipe(given({ "a.ts": source })))

  it.live("cuts a long one at the cap and names the line to go on with", () =>
    Effect.gen(function*() {
      const text = yield* call(readSymbol, { path: "a.ts", name: "long" })
      assert.isBelow(text.length, 31_000)
      assert.match(text, /continue with offset \d+/)
    }).pipe(given({ "a.ts": `function long() {\n${"  work()\n".repeat(5_000)}}\n` })))

  it.live("shows nothing of a denied file", () =>
    Effect.gen(function*() {
      assert.include((yield* Effect.flip(call(readSymbol, { path: "s.ts", name: "token" }))).message, "s.ts is denied on read")
    }).pipe(given({ "s.ts": "const token = 1\n" }, ["s.ts"])))

  it("costs few bytes of a request", () => assert.isAtMost(bytesOf(readSymbol), 330))
})
