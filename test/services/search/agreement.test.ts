import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as buffers from "node:buffer"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { HostMemory, Host } from "../../../src/services/Host.js"
import { compileGlob, InvalidGlob } from "../../../src/services/search/glob.js"
import { cutLine } from "../../../src/services/search/line.js"
import { locateRipgrep } from "../../../src/services/search/locate.js"
import { compilePattern } from "../../../src/services/search/pattern.js"
import type { Receiver } from "../../../src/services/search/records.js"
import { makeRecords } from "../../../src/services/search/records.js"
import { makeFileSearch } from "../../../src/services/search/worker.js"
import { InvalidRegex } from "../../../src/services/Search.js"
import { plantedFolder } from "../planted.js"

// The built-in search against ripgrep itself. Where a machine has no ripgrep at all there is nothing to compare with.
const ripgrep = Effect.flatMap(Host, locateRipgrep).pipe(
  Effect.provide(HostMemory({ env: { PATH: process.env["PATH"] } })),
  Effect.map((found) => found?.path ?? null)
)

const texts = [
  "", "\n", "foo", "foo bar\nbar foo\n\nfoobar fooo\n", "foo\r\n\r\n  \r\nbar\rfoo\r\nx\r", "a\tb\n\fff\n \n--- ab cd aab\n",
  "é É ß ẞ\nσ ς Σ\nK \u212A ſ s\n٣ 3\n😀 smile\n😀\n\u2028sep\nİ i\u0307\nx1 é2 naïve\n", "\uFEFFfoo bom\nb\n", "interface Foo {\nfoo(bar)\na+b a.b [x] {1} |\n",
  `${"a".repeat(500)}b\n${"é".repeat(310)}foo\n`, `${`${"ab".repeat(30)}\n`.repeat(1500)}foo mid\0dle\nfoo after\n`
]
const foreign = Buffer.from("zz\xff\xfe foo caf\xe9\xe9\n\xe2\x82 trunc foo\n\xf0\x9f\x98\x80 ok \xed\xa0\x80 sur\n", "latin1")
const tree = {
  ...Object.fromEntries(texts.map((text, n) => [`f${n}`, text])),
  "foreign": foreign, "le": Buffer.from("\uFEFFfoo é\r\nbar\n", "utf16le"), "sub/.dot": "foo\n", "a:b\nc": "foo\nfoo"
}

const atoms = [
  "a", "b", "foo", "bar", "o", " ", "é", "😀", "x", ".", ".*", "\\w", "\\d", "\\s", "\\S", "\\W", "\\D", "[a-f]", "[^a-f]", "[[:alpha:]]", "[[:^space:]]",
  "\\b", "\\B", "^", "$", "(foo|bar)", "(?:a|b)", "(?i:FOO)", "\\.", "[^\\s]", "\\p{L}", "\\pN", "\\P{Lu}", "{2}", "{1,2}", "*", "+", "?", "|", "[éÉ]", "(?i)",
  "\\x41", "\\x{1F600}", "-", "_", "[\\w-]", "[a-z&&[^aeiou]]", "[\\w--a]", "[a-c~~b-d]", "\"", "/", "\\(", "\\<", "\\b{end}", "(?x) ", "#", "\\t", "&&", "[]a]"
]
const patterns = FastCheck.array(FastCheck.constantFrom(...atoms), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""))
const known = ["^$", "$", "\\r", "foo\\r?$", "\\S\\s\\S", "(?i)[a-c]X", "(?i)\\P{Lu}", "\\P{Lu}.*", "\\P{Lu}.a", "(?i)[^a-z]", "[^\\x00-\\x7f]", "x*", "(?i)ß", "(?i)σ", "(?i)k", "\\p{Greek}", "\\p{scx=Greek}", "a{2}{3}", "(?U)a+?"]

const ours = (root: string, files: ReadonlyArray<string>, pattern: string, ignoreCase: boolean) => {
  const compiled = compilePattern(pattern, ignoreCase)
  if (compiled instanceof InvalidRegex) return null
  const search = makeFileSearch(fs, buffers, compiled.matcher, () => {})
  return files.flatMap((path) => search(`${root}/${path}`, Infinity).map(({ head, line, units }) => ({ path, line, ...cutLine(head, units) })))
}
const theirs = (program: string, root: string, pattern: string, ignoreCase: boolean) => {
  const { status, stdout } = spawnSync(program, [
    "--no-config", "--no-ignore", "--hidden", "--line-number", "--no-heading", "--null", "--crlf", ...ignoreCase ? ["-i"] : [], "-e", pattern, "--", "./"
  ], { cwd: root, maxBuffer: 1e9 })
  if (status === 2) return null
  const hits: Array<{ path: string; line: number; text: string; cut: number }> = []
  let path = ""
  const records = makeRecords({
    file: (found) => {
      path = found
      return true
    },
    hit: (line, head, units) => hits.push({ path, line, ...cutLine(head, units) })
  })
  for (let at = 0; at < stdout.length; at += 777) records(stdout.subarray(at, at + 777))
  return hits
}
const byPlace = (one: { path: string; line: number }, other: { path: string; line: number }) =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line

describe("the built-in search", () => {
  it.live("finds the lines that ripgrep finds, and takes every pattern that ripgrep takes", () =>
    Effect.gen(function*() {
      const program = yield* ripgrep
      if (program === null) return yield* Effect.logWarning("not compared: there is no ripgrep")
      const root = yield* plantedFolder(tree)
      const files = Object.keys(tree).sort()
      const check = (pattern: string, ignoreCase: boolean) => {
        const expected = theirs(program, root, pattern, ignoreCase)
        const found = ours(root, files, pattern, ignoreCase)
        if (expected !== null) assert.deepStrictEqual(found?.sort(byPlace), expected.sort(byPlace), `${pattern} ${ignoreCase ? "ignoring case" : ""}`)
      }
      for (const pattern of known) for (const ignoreCase of [false, true]) check(pattern, ignoreCase)
      FastCheck.assert(FastCheck.property(patterns, FastCheck.boolean(), check), { numRuns: 60 })
    }).pipe(Effect.scoped))

  it.live("fits globs as ripgrep does", () =>
    Effect.gen(function*() {
      const program = yield* ripgrep
      if (program === null) return yield* Effect.logWarning("not compared: there is no ripgrep")
      const names = ["a", "b", "ab", "a.ts", "b.tsx", ".h", "a b", "x{y}", "!a"]
      const paths = [...names, ...names.flatMap((one) => names.slice(0, 6).map((other) => `d-${one}/${other}`)), "d/e/f/a.ts", "d/e/b.tsx", "d/a"]
      const root = yield* plantedFolder(Object.fromEntries(paths.map((path) => [path, ""])))
      const parts = ["a", "b", "d", "*", "**", "/", "/**/", "**/", "/*", "?", "[ab]", "{a,b}", "{a,b}.{ts,tsx}", ".ts", "*.ts", "-", ".", "{d-a/,d-b/}", "\\!"]
      const globs = FastCheck.array(FastCheck.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((chosen) => chosen.join(""))
        // What the two read in different ways: runs of stars beside other characters, empty parts, `./`.
        .filter((glob) => !/[^/]\*\*|\*\*[^/]|\/\/|^\/|\/$|(?:^|\/)\.+\/|,\}?.*\*\*/.test(glob))
      FastCheck.assert(FastCheck.property(globs, (glob) => {
        const run = spawnSync(program, ["--no-config", "--no-ignore", "--hidden", "--files", "--null", "--glob", `/${glob}`, "./"], { cwd: root, encoding: "utf8" })
        const compiled = compileGlob(glob)
        if (run.status === 2 || compiled instanceof InvalidGlob) return
        const expected = run.stdout.split("\0").filter((path) => path !== "").map((path) => path.slice(2)).sort()
        assert.deepStrictEqual(paths.filter(compiled.matches).sort(), expected, glob)
      }), { numRuns: 60 })
    }).pipe(Effect.scoped))
})

describe("the reader of ripgrep's output", () => {
  const told = (bytes: Buffer, sizes: ReadonlyArray<number>, wants: (path: string) => boolean = () => true) => {
    const events: Array<string> = []
    const receiver: Receiver = {
      file: (path) => {
        events.push(`file ${path}`)
        return wants(path)
      },
      hit: (line, head, units) => events.push(`${line} ${units} ${head}`)
    }
    const read = makeRecords(receiver)
    for (let at = 0, n = 0; at < bytes.length; n++) {
      const size = sizes[n % sizes.length] ?? 1
      read(bytes.subarray(at, at + size))
      at += size
    }
    return events
  }
  const output = Buffer.from([
    "./a\u00001:x:y\n", "./a\u000012:\0\r\n", "./a: WARNING: stopped searching binary file after match (found \"\\0\" byte around offset 99)\n",
    "./b\nc:3:\u00007:é\n", "./b\nc:3:\u00008:\n", `./d\u00001:${"😀".repeat(2000)}\r\n`, "./e\u00009:z\n"
  ].join(""))

  it("gives the same whatever the pieces", () => {
    const whole = told(output, [output.length])
    assert.deepStrictEqual(whole.map((event) => event.slice(0, 30)), [
      "file a", "1 3 x:y", "12 1 \0", "file b\nc:3:", "7 1 é", "8 0 ", "file d", `1 4000 ${"😀".repeat(11)}\uD83D`, "file e", "9 1 z"
    ])
    FastCheck.assert(FastCheck.property(FastCheck.array(FastCheck.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), (sizes) => {
      assert.deepStrictEqual(told(output, sizes), whole)
    }))
  })

  it("passes over files that are not wanted", () => {
    assert.deepStrictEqual(told(output, [3], (path) => path === "e"), ["file a", "file b\nc:3:", "file d", "file e", "9 1 z"])
  })
})
