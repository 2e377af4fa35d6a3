import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { chmodSync, existsSync, linkSync, lstatSync, readFileSync, writeFileSync } from "node:fs"
import { inWorkers } from "../../../src/services/search/fallback.js"
import { startIn } from "../../../src/services/search/live.js"
import { compilePattern } from "../../../src/services/search/pattern.js"
import { InvalidRegex, Search } from "../../../src/services/Search.js"
import { Secrets } from "../../../src/services/Secrets.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import type { Walker } from "../../../src/services/Walker.js"
import { plantedFolder } from "../planted.js"
import type { Tree } from "../searching.js"
import { searchingLive, searchingMemory } from "../searching.js"

type Given = (tree: Tree, denied?: ReadonlyArray<string>) => <A, E>(effect: Effect.Effect<A, E, Search | Walker | Secrets>) => Effect.Effect<A, E>

const inMemory: Given = (tree, denied) => Effect.provide(searchingMemory(tree, denied))
const onDisk = (ripgrep: string): Given => (tree, denied) => (effect) =>
  Effect.scoped(Effect.flatMap(plantedFolder(tree), (root) => Effect.provide(effect, searchingLive(root, ripgrep, SecretsMemory(denied)))))

const grep = (query: Partial<Parameters<typeof Search.Service.grep>[0]>) =>
  Effect.flatMap(Search, (search) => search.grep({ pattern: "needle", limit: 200, ...query }))
const found = (query: Partial<Parameters<typeof Search.Service.grep>[0]> = {}) =>
  Effect.map(grep(query), ({ hits }) => hits.map(({ line, path, text }) => `${path}:${line}: ${text}`))
const failure = (query: Partial<Parameters<typeof Search.Service.grep>[0]>) => Effect.map(Effect.flip(grep(query)), ({ message }) => message)

const utf16 = (text: string, mark: "le" | "be") => {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le")
  return mark === "le" ? bytes : bytes.swap16()
}
const filler = `${"a".repeat(59)}\n`

const contract = (name: string, given: Given) =>
  describe(name, () => {
    it.live("gives hits by path in code units, then by line, and knows of more", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found(), ["B:1: needle", "a.b:1: needle", "a/b:1: needle", "a/b:3: needle", "é:1: needle"])
        const two = yield* grep({ limit: 3 })
        assert.deepStrictEqual(two.hits.map(({ path }) => path), ["B", "a.b", "a/b"])
        assert.isTrue(two.more)
        assert.isFalse((yield* grep({ limit: 5 })).more)
      }).pipe(given({ "a/b": "needle\n\nneedle\n", "a.b": "needle", "é": "needle", "B": "needle\n" })))

    it.live("finds the first hits among many files", () =>
      Effect.gen(function*() {
        const { hits, more } = yield* grep({ limit: 10 })
        assert.deepStrictEqual(hits.map(({ line, path }) => `${path}:${line}`), [
          "f00:1", "f00:2", "f00:3", "f01:1", "f01:2", "f01:3", "f02:1", "f02:2", "f02:3", "f03:1"
        ])
        assert.isTrue(more)
      }).pipe(given(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${String(n).padStart(2, "0")}`, "needle\n".repeat(3)])))))

    it.live("honours ignore rules, also where include fits what they hide", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found({ include: "*.log" }), ["kept.log:1: needle", "out/deep/kept.log:1: needle"])
        assert.deepStrictEqual(yield* found({ include: "*.log", includeIgnored: true }), ["a.log:1: needle", "kept.log:1: needle", "out/deep/kept.log:1: needle", "tmp/x.log:1: needle"])
        assert.deepStrictEqual(yield* found({ include: "out/**" }), ["out/deep/kept.log:1: needle"])
        assert.deepStrictEqual(yield* found({ include: "*.{log,md}" }), ["kept.log:1: needle", "out/deep/kept.log:1: needle", "readme.md:1: needle"])
        assert.deepStrictEqual(yield* found({ include: "kept.log" }), ["kept.log:1: needle", "out/deep/kept.log:1: needle"])
        assert.deepStrictEqual(yield* found({ include: "[kr]e*" }), ["kept.log:1: needle", "out/deep/kept.log:1: needle", "readme.md:1: needle"])
      }).pipe(given({
        ".gitignore": "*.log\n!kept.log\ntmp/\n", "a.log": "needle", "kept.log": "needle", "out/deep/kept.log": "needle", "tmp/x.log": "needle",
        "readme.md": "needle", ".git/x.log": "needle", "node_modules/y.log": "needle"
      })))

    it.live("honours .shiroignore, nested ones and what they take back, and no other tool's ignore files", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found(), ["a:1: needle", "e:1: needle", "f:1: needle", "sub/b.log:1: needle", "sub/deep/d:1: needle"])
      }).pipe(given({
        ".gitignore": "*.log\n", ".shiroignore": "hidden\n", ".ignore": "e\n", ".rgignore": "f\n", "sub/.shiroignore": "c\n!*.log\n",
        "a": "needle", "e": "needle", "f": "needle", "x.log": "needle", "hidden/y": "needle", "sub/b.log": "needle", "sub/c": "needle", "sub/deep/d": "needle"
      })))

    it.live("is not kept from the first hits by many that are hidden", () =>
      Effect.gen(function*() {
        const { hits, more } = yield* grep({ limit: 2 })
        assert.deepStrictEqual(hits.map(({ path }) => path), ["z"])
        assert.isFalse(more)
      }).pipe(given({ ".shiroignore": "a/\n", ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a/${n}`, "needle\n"])), z: "needle" })))

    it.live("leaves denied files out and counts those in the searched scope", () =>
      Effect.gen(function*() {
        const all = yield* grep({})
        assert.deepStrictEqual(all.hits.map(({ path }) => path), ["a", "x.env.example"])
        assert.strictEqual(all.leftOut, 2)
        assert.strictEqual((yield* grep({ includeIgnored: true })).leftOut, 3)
        assert.strictEqual((yield* grep({ include: "*.pem", pattern: "nothing" })).leftOut, 1)
        assert.strictEqual((yield* grep({ include: "*.ts" })).leftOut, 0)
      }).pipe(given(
        { "a": "needle", "x.env": "needle", "x.env.example": "needle", "k.pem": "", "out/y.env": "needle", ".gitignore": "out\n" },
        ["x.env", "k.pem", "out/y.env"]
      )))

    it.live("takes a pattern that looks like an option as a pattern", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found({ pattern: "--pre=./x" }), ["a:1: --pre=./x"])
        assert.deepStrictEqual(yield* found({ pattern: "-v" }), ["-f:1: -v"])
      }).pipe(given({ "a": "--pre=./x\n", "-f": "-v\n" })))

    it.live("keeps names with newlines, colons, quotes and leading dashes whole", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found(), ["-x:1: needle", "a\nb:1: needle", "q'\"\\:1: needle", "v:2/log:12:x.txt:2: needle 3:4"])
      }).pipe(given({ "-x": "needle", "a\nb": "needle\n", "q'\"\\": "needle", "v:2/log:12:x.txt": "\nneedle 3:4\n" })))

    it.live("ends lines at \\n alone, and shows no carriage return", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found({ pattern: "needle$" }), ["crlf:1: needle", "crlf:3: a needle", "last:2: needle"])
        assert.deepStrictEqual(yield* found({ pattern: "^$" }), ["crlf:2: "])
        assert.deepStrictEqual(yield* found({ pattern: "x" }), ["odd:1: x\fy\u2028z\u0085", "odd:2: x"])
      }).pipe(given({ "crlf": "needle\r\n\r\na needle\r\n", "last": "a\r\nneedle", "odd": "x\fy\u2028z\u0085\nx" })))

    it.live("reads marks of encodings and shows wrong bytes as such", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found({ pattern: "^needle" }), ["bom:1: needle é", "u16be:2: needle é", "u16le:2: needle é"])
        assert.deepStrictEqual(yield* found({ pattern: "caf" }), ["latin1:1: caf\uFFFD needle"])
        assert.deepStrictEqual(yield* found({ pattern: "caf. needle" }), [])
      }).pipe(given({
        "bom": "\uFEFFneedle é\n", "u16le": utf16("x\nneedle é\n", "le"), "u16be": utf16("x\nneedle é", "be"),
        "latin1": Buffer.from("caf\xe9 needle\n", "latin1")
      })))

    it.live("skips binaries, and what comes after a NUL far behind", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found(), ["far:1: needle", "text:1: needle"])
      }).pipe(given({
        "near": `needle\n${filler}\0needle\n`, "early": "\0\nneedle\n", "far": `needle\n${filler.repeat(2000)}mid\0dle\nneedle\n`, "text": "needle"
      })))

    it.live("keeps only the beginning of huge lines, and says how long they are", () =>
      Effect.gen(function*() {
        const { hits } = yield* grep({})
        assert.deepStrictEqual(hits.map(({ cut, path, text }) => [path, text.length, cut]), [
          ["ascii", 300, 999_706], ["short", 6, 0], ["wide", 300, 4706]
        ])
      }).pipe(given({ "ascii": `needle${"x".repeat(1_000_000)}\r\n`, "wide": `needle${"é".repeat(5_000)}`, "short": "needle" })))

    it.live("follows no links", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found(), ["real/a:1: needle"])
      }).pipe(given({ "real/a": "needle", "to-file": { link: "real/a" }, "to-folder": { link: "real" } })))

    it.live("says what is wrong with a pattern in the same words", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* failure({ pattern: "a(" }), "Invalid regex: Unterminated group")
        assert.strictEqual(yield* failure({ pattern: "[z-a]" }), "Invalid regex: Range out of order in character class")
        assert.strictEqual(yield* failure({ pattern: "*a" }), "Invalid regex: Nothing to repeat")
      }).pipe(given({ a: "a(" })))

    it.live("takes what JavaScript takes and ripgrep does not, and the other way round", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* found({ pattern: "(?<=x )foo(?!bar)" }), ["a:2: x foo"])
        assert.deepStrictEqual(yield* found({ pattern: "(o)\\1b" }), ["a:1: x foobar"])
        assert.deepStrictEqual(yield* found({ pattern: "function f() {" }), [])
        assert.deepStrictEqual(yield* found({ pattern: "Foo {" }), ["a:3: interface Foo {"])
        assert.deepStrictEqual(yield* found({ pattern: "foo\\r?$" }), ["a:2: x foo"])
        assert.deepStrictEqual(yield* found({ pattern: "(?i)FOO(?-i:BAR)|[[:digit:]]+é\\z" }), ["a:4: 12é"])
        assert.deepStrictEqual(yield* found({ pattern: "foo", ignoreCase: true }), ["a:1: x foobar", "a:2: x foo", "a:3: interface Foo {"])
      }).pipe(given({ a: "x foobar\nx foo\ninterface Foo {\n12é\n" })))

    it.live("finds files by glob: links to files too, folders never", () =>
      Effect.gen(function*() {
        const search = yield* Search
        const all = yield* search.files({ pattern: "**/*.ts", limit: 3 })
        assert.deepStrictEqual(all, { paths: ["a.ts", "b/c.ts", "l.ts"], more: true, unreadable: [] })
        assert.deepStrictEqual((yield* search.files({ pattern: "*.js", includeIgnored: true, limit: 3 })).paths, ["x.js"])
      }).pipe(given({ "a.ts": "", "b/c.ts": "", "d.ts/e.md": "", "l.ts": { link: "a.ts" }, "z.ts": "", "x.js": "", ".gitignore": "*.js" })))

    it.live("finds files that hold a word", () =>
      Effect.gen(function*() {
        const search = yield* Search
        const files = (literal: string, folder?: string) =>
          search.filesWithWord({ literal, extensions: [".ts", ".py"], ...folder === undefined ? {} : { folder } })
        assert.deepStrictEqual(yield* files("foo"), ["a.ts", "lib/b.py", "lib/sub/d.ts"])
        assert.deepStrictEqual(yield* files("foo", "lib"), ["lib/b.py", "lib/sub/d.ts"])
        assert.deepStrictEqual(yield* files("foo", "./lib/b.py"), ["lib/b.py"])
        assert.deepStrictEqual(yield* files("$x"), ["a.ts"])
        assert.deepStrictEqual(yield* files("f.o"), [])
        assert.strictEqual((yield* Effect.flip(files("foo", "nope"))).message, "No such file: nope")
        assert.strictEqual((yield* Effect.flip(files("foo", ".."))).message, "Path escapes workspace: ..")
      }).pipe(given(
        { "a.ts": "call(foo, $x)\n", "lib/b.py": "foo\n", "lib/c.md": "foo", "lib/sub/d.ts": "x.foo()", "e.ts": "foobar _foo foo_ éfoo", "s.ts": "foo", "o.ts": "foo", ".gitignore": "o.ts" },
        ["s.ts"]
      )))
  })

contract("SearchMemory", inMemory)
contract("SearchLive with ripgrep", onDisk(""))
contract("SearchLive without ripgrep", onDisk("off"))

describe("SearchLive", () => {
  const engine = Effect.flatMap(Search, (search) => search.engine)

  it.live("tells which search runs", () =>
    Effect.gen(function*() {
      assert.match(yield* engine.pipe(onDisk("")({})), /^ripgrep \d+\.\d+\.\d+ \(packaged\)$/)
      assert.strictEqual(yield* engine.pipe(onDisk("off")({})), "the built-in search")
      assert.strictEqual(yield* engine.pipe(onDisk("/nope/rg")({})), "the built-in search, as /nope/rg could not be run")
    }))

  it.live("falls back where ripgrep does not start, and where it dies", () =>
    Effect.gen(function*() {
      const root = yield* plantedFolder({ "ws/a": "needle\n", "rg": "#!/bin/sh\nprintf './a\\0001:half'\nkill -9 $$\n" })
      chmodSync(`${root}/rg`, 0o755)
      for (const ripgrep of ["/nope/rg", `${root}/rg`]) {
        assert.deepStrictEqual(yield* found().pipe(Effect.provide(searchingLive(`${root}/ws`, ripgrep))), ["a:1: needle"])
      }
    }).pipe(Effect.scoped))

  it.live("keeps the hits and names what ripgrep could not read", () =>
    Effect.gen(function*() {
      const root = yield* plantedFolder({
        "ws/a": "needle\n",
        "rg": "#!/bin/sh\nprintf './a\\0001:needle\\n'\necho 'rg: ./locked/b: Permission denied (os error 13)' >&2\necho 'rg: ./c: Odd' >&2\nexit 2\n"
      })
      chmodSync(`${root}/rg`, 0o755)
      const { hits, unreadable } = yield* grep({}).pipe(Effect.provide(searchingLive(`${root}/ws`, `${root}/rg`)))
      assert.deepStrictEqual(hits, [{ path: "a", line: 1, text: "needle", cut: 0 }])
      assert.deepStrictEqual(unreadable, ["locked/b could not be read (permission denied).", "./c: Odd."])
    }).pipe(Effect.scoped))

  it.live("kills ripgrep when it is interrupted", () =>
    Effect.gen(function*() {
      const root = yield* plantedFolder({ "ws/a": "needle\n" })
      writeFileSync(`${root}/rg`, `#!/bin/sh\necho $$ > ${root}/pid\nexec sleep 60\n`, { mode: 0o755 })
      const fiber = yield* Effect.fork(grep({}).pipe(Effect.provide(searchingLive(`${root}/ws`, `${root}/rg`))))
      const pid = yield* Effect.suspend(() =>
        existsSync(`${root}/pid`) && readFileSync(`${root}/pid`, "utf8").endsWith("\n") ? Effect.succeed(Number(readFileSync(`${root}/pid`, "utf8"))) : Effect.fail("not yet")
      ).pipe(Effect.retry(Schedule.spaced("10 millis")))
      yield* Fiber.interrupt(fiber)
      const gone = Effect.try(() => process.kill(pid, 0)).pipe(Effect.flip)
      yield* gone.pipe(Effect.retry(Schedule.spaced("10 millis")))
    }).pipe(Effect.scoped))

  it.live("leaves out another name of a denied file", () =>
    Effect.gen(function*() {
      const root = yield* plantedFolder({ "x.env": "needle\n", "b": "needle\n" })
      linkSync(`${root}/x.env`, `${root}/a-copy`)
      const { dev, ino } = lstatSync(`${root}/x.env`)
      const secrets = Layer.map(SecretsMemory(["x.env"]), (context) =>
        Context.make(Secrets, { ...Context.get(context, Secrets), deniedIdentity: (identity) => Effect.succeed(identity === `${dev}:${ino}`) }))
      for (const ripgrep of ["", "off"]) {
        const { hits, leftOut } = yield* grep({ limit: 1 }).pipe(Effect.provide(searchingLive(root, ripgrep, secrets)))
        assert.deepStrictEqual(hits.map(({ path }) => path), ["b"])
        assert.strictEqual(leftOut, 1)
      }
    }).pipe(Effect.scoped))

  it.live("gives up on a file that a pattern takes too long on, and then on the pattern", () =>
    Effect.gen(function*() {
      const bad = `${"a".repeat(40)}!\n`
      const root = yield* plantedFolder({ "a": "aaa\n", "b": bad, "c": "aa\n", "d": bad, "e": "a" })
      const compiled = compilePattern("(a+)+$", false)
      if (compiled instanceof InvalidRegex) return yield* compiled
      const search = (paths: ReadonlyArray<string>) =>
        inWorkers(startIn(root), 400)({ paths, matcher: compiled.matcher, limit: 10, perFile: 10 })
      const { files, unreadable } = yield* search(["a", "b", "c", "d", "e"])
      assert.deepStrictEqual(files.map(({ path }) => path), ["a", "c", "e"])
      assert.deepStrictEqual(unreadable, ["b was given up: the pattern takes too long on it.", "d was given up: the pattern takes too long on it."])
      assert.strictEqual(
        (yield* Effect.flip(search(["b", "d", "b"]))).message,
        "The search took longer than 1.2 s and was stopped. Use a simpler pattern or a narrower include."
      )
    }).pipe(Effect.scoped))
})

describe("SearchMemory", () => {
  it.live("gives up on a pattern that takes too long", () =>
    Effect.gen(function*() {
      const error = yield* grep({ pattern: "(a+)+$" }).pipe(inMemory({ b: `${"a".repeat(40)}!\n` }), Effect.flip)
      assert.strictEqual(error._tag, "SearchTooLong")
    }))
})
