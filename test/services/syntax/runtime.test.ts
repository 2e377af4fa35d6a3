import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { GrammarName } from "../../../src/services/syntax/runtime.js"
import { parse } from "../../../src/services/syntax/runtime.js"

const samples: Readonly<Record<GrammarName, readonly [text: string, root: string]>> = {
  bash: ["f() { echo \"$1\"; }\n", "program"],
  "c-sharp": ["class A { int f() { return 1; } }\n", "compilation_unit"],
  cpp: ["int f() { return R\"x(a)x\"[0]; }\n", "translation_unit"],
  css: [".a { color: red; }\n", "stylesheet"],
  go: ["package a\nfunc f() {}\n", "source_file"],
  java: ["class A { void f() {} }\n", "program"],
  javascript: ["const f = () => `a${1}`\n", "program"],
  php: ["<?php function f() { return <<<X\na\nX; }\n", "program"],
  python: ["def f():\n    return '''a'''\n", "module"],
  ruby: ["def f\n  <<~X\n  a\n  X\nend\n", "program"],
  rust: ["fn f() -> &'static str { r#\"a\"# }\n", "source_file"],
  tsx: ["const f = () => <a>{1}</a>\n", "program"],
  typescript: ["function f<A>(a: A): A { return a }\n", "program"]
}
const kinds = (name: GrammarName, text: string) =>
  parse(name, text, (root) => [root.type, root.hasError, root.endIndex] as const)

describe("the parser runtime", () => {
  it.live("loads every grammar and parses a sample of it without errors", () =>
    Effect.forEach(Object.keys(samples), (key) => {
      const name = names.find((each) => each === key)
      if (name === undefined) return Effect.die(`no grammar ${key}`)
      const [text, root] = samples[name]
      return Effect.map(kinds(name, text), (found) => assert.deepStrictEqual(found, [root, false, text.length], name))
    }, { discard: true }))

  it.live("gives the same tree when a long text is parsed in slices", () =>
    Effect.gen(function*() {
      const piece = "export class A<T> { m(a: T) { return [`${a}`, /x/g, 'y'] } }\n"
      const count = 12_000
      const children = yield* parse("typescript", piece.repeat(count), (root) => [root.namedChildCount, root.hasError] as const)
      assert.deepStrictEqual(children, [count, false])
    }))

  it.live("stops at its limit and parses the next text as if nothing had been", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(parse("typescript", "let a = [1]\n".repeat(50_000), () => 0, 0))
      assert.strictEqual(error.message, "Parsing took longer than 0 s and was stopped. Use read_file and grep instead.")
      assert.deepStrictEqual(yield* kinds("typescript", "let a = 1\n"), ["program", false, 10])
    }))

  it.live("does not begin on brackets nested thousands deep", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(parse("typescript", "a = [{(".repeat(2_000), () => 0))
      assert.strictEqual(error.message, "Its brackets nest more than 5000 deep, which takes too long to parse. Use read_file and grep instead.")
      assert.deepStrictEqual(yield* kinds("typescript", "a = [{(}])".repeat(2_000)), ["program", true, 20_000])
    }))

  it.live("can be interrupted in the middle of a text", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(parse("java", "A<".repeat(1_000_000), () => 0, 600_000))
      yield* Effect.sleep(300)
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isInterrupted(exit))
    }))

  it.live("parses several texts at the same moment without mixing them up", () =>
    Effect.gen(function*() {
      const text = (n: number) => `const a${n} = ${"[1,".repeat(1)}2]\n`.repeat(4_000 + n)
      const counts = yield* Effect.forEach([0, 1, 2, 3], (n) => parse(n % 2 === 0 ? "typescript" : "javascript", text(n), (root) => root.namedChildCount), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(counts, [4_000, 4_001, 4_002, 4_003])
    }))
})

const names: ReadonlyArray<GrammarName> = [
  "bash", "c-sharp", "cpp", "css", "go", "java", "javascript", "php", "python", "ruby", "rust", "tsx", "typescript"
]
