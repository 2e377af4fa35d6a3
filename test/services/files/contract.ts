import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { Disk } from "../../../src/services/Disk.js"
import { Files } from "../../../src/services/Files.js"
import { Jail } from "../../../src/services/Jail.js"
import type { Secrets } from "../../../src/services/Secrets.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { failure, read, textOf } from "./support.js"
import type { Tree } from "./support.js"

export type Given = (tree: Tree) => Layer.Layer<Files | Disk | Jail, never, Secrets>
export const provider = (given: Given) => (tree: Tree, denied: ReadonlyArray<string> = []) =>
  <A, E>(run: Effect.Effect<A, E, Files | Disk | Jail>) =>
    run.pipe(Effect.provide(given(tree)), Effect.provide(SecretsMemory(denied)))

const bytes = (...values: ReadonlyArray<number | string>) =>
  Uint8Array.from(values.flatMap((value) => typeof value === "string" ? [...Buffer.from(value, "latin1")] : [value]))
const utf16 = (text: string, big: boolean) => {
  const little = Buffer.from(`\uFEFF${text}`, "utf16le")
  return Uint8Array.from(big ? little.swap16() : little)
}
const window = (path: string, offset = 1, limit = 10) => Effect.flatMap(Files, (files) => files.window(path, { offset, limit }))

const plantLink = (name: string, text: (root: string) => string) =>
  Effect.gen(function*() {
    const disk = yield* Disk
    const { root } = yield* Jail
    yield* disk.symlink(text(root), yield* disk.root(root), name)
  }).pipe(Effect.scoped, Effect.orDie)

/** What every layer of `Files` does when it reads. */
export const readingContract = (name: string, given: Given) => {
  const on = provider(given)

  describe(`Files ${name}, reading`, () => {
    it.live("gives a text as it is, its mark taken off and remembered", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* read("./d/../plain"), {
          path: "plain", text: "a\r\nb", encoding: "utf-8", bom: false, changedSinceSeen: false
        })
        assert.deepInclude(yield* read("bom"), { text: "ü", encoding: "utf-8", bom: true })
        assert.deepInclude(yield* read("little"), { text: "zürich\n", encoding: "utf-16le", bom: true })
        assert.deepInclude(yield* read("big"), { text: "zürich\n", encoding: "utf-16be", bom: true })
        assert.strictEqual(yield* textOf("empty"), "")
        assert.strictEqual(yield* textOf("late"), "a".repeat(9000) + "\0")
      }).pipe(on({
        plain: "a\r\nb",
        bom: "\uFEFFü",
        little: utf16("zürich\n", false),
        big: utf16("zürich\n", true),
        empty: "",
        late: "a".repeat(9000) + "\0"
      })))

    it.live("refuses what is no text, by name of what it is", () =>
      Effect.gen(function*() {
        assert.strictEqual(
          yield* failure(read("nul")),
          "nul is a binary file (5 bytes; it has a NUL byte in its first 8 KB) and is not shown."
        )
        assert.include(yield* failure(read("latin")), "latin is not valid UTF-8 (looks like ISO-8859-1 (Latin-1))")
        assert.include(yield* failure(read("windows")), "looks like Windows-1252")
        assert.include(yield* failure(read("japanese")), "looks like Shift_JIS")
        assert.include(yield* failure(read("broken")), "looks like UTF-8 with 1 broken place")
        assert.include(yield* failure(read("odd")), "looks like UTF-16LE with broken characters")
        assert.include(yield* failure(read("wide")), "looks like UTF-32")
        assert.strictEqual(yield* failure(read("d")), "d is a folder. Use list_dir to see what is in it.")
        assert.strictEqual(yield* failure(read(".")), ". is a folder. Use list_dir to see what is in it.")
        assert.strictEqual(yield* failure(read("d/none/x")), "No such file: d/none/x")
        assert.strictEqual(yield* failure(read("nul/x")), "No such file: nul/x")
      }).pipe(on({
        nul: bytes("ab", 0, "cd"),
        latin: bytes("caf", 0xe9, " na", 0xef, "ve"),
        windows: bytes("a ", 0x93, "quote", 0x94),
        japanese: bytes(0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x82, 0xcc),
        broken: bytes(...Buffer.from("zürich übt schön "), 0xff),
        odd: bytes(0xff, 0xfe, 0x41, 0x00, 0x42),
        wide: bytes(0xff, 0xfe, 0, 0, 0x41, 0, 0, 0),
        "d/x": "x"
      })))

    it.live("follows links inside the workspace and refuses those that leave it", () =>
      Effect.gen(function*() {
        yield* plantLink("absolute", (root) => `${root}/d/x`)
        yield* plantLink("cousin", (root) => `${root}-evil/x`)
        for (const path of ["file", "folder/x", "twice", "up/x", "back", "absolute", "d/../d/x", "dot/d/x"]) {
          assert.strictEqual(yield* textOf(path), "X", path)
        }
        for (const path of ["out", "outside/passwd", "dangling", "cousin", "wrong"]) {
          assert.strictEqual(yield* failure(read(path)), `Path escapes workspace: ${path}`)
        }
        assert.strictEqual(yield* failure(read("none")), "No such file: none")
        assert.strictEqual(yield* failure(read("through/../d/x/y")), "No such file: d/x/y")
        assert.strictEqual(yield* failure(read("round/x")), "Cannot read round/x: ELOOP.")
        assert.strictEqual(yield* failure(read("round")), "Cannot read round: ELOOP.")
      }).pipe(on({
        "d/x": "X",
        file: { link: "d/x" },
        folder: { link: "./d/" },
        twice: { link: "folder/x" },
        "d/deep/up": { link: "../../d" },
        up: { link: "d/deep/up" },
        back: { link: "../ws/d/x" },
        dot: { link: "." },
        out: { link: "../../etc/passwd" },
        outside: { link: "/etc" },
        dangling: { link: "/no/such/place" },
        wrong: { link: "../other/ws/x" },
        none: { link: "d/missing" },
        round: { link: "round" }
      })))

    it.live("refuses paths that leave the workspace by their spelling", () =>
      Effect.gen(function*() {
        const { root } = yield* Jail
        for (const path of ["..", "../x", "a/../../x", "/etc/passwd", "~", "~/x", "~root/x", "a\0b", `${root}-evil/x`]) {
          assert.strictEqual(yield* failure(read(path)), `Path escapes workspace: ${path}`)
        }
        assert.strictEqual(yield* textOf(`${root}/..x/~y`), "Y")
        assert.strictEqual(yield* textOf("...d/ü\n\"-"), "named")
      }).pipe(on({ "..x/~y": "Y", "...d/ü\n\"-": "named" })))

    it.live("gives windows by lines that end at \\n", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* window("f", 2, 2), {
          path: "f", lines: ["two", "th\u2028r\u0085e\fe"], first: 2, left: 0, more: true, total: null, note: null
        })
        assert.deepInclude(yield* window("f", 3, 2), { lines: ["th\u2028r\u0085e\fe", "four"], more: false, total: 4 })
        assert.deepInclude(yield* window("f", 1, 4), { lines: ["one", "two", "th\u2028r\u0085e\fe", "four"], more: false, total: 4 })
        assert.deepInclude(yield* window("f", 9, 1), { lines: [], more: false, total: 4 })
        assert.deepInclude(yield* window("ended", 1, 1), { lines: ["a"], more: true, total: null })
        assert.deepInclude(yield* window("ended", 2, 5), { lines: ["b"], more: false, total: 2 })
        assert.deepInclude(yield* window("empty"), { lines: [], more: false, total: 0 })
        assert.deepInclude(yield* window("bom"), { lines: ["x", ""], total: 2 })
        assert.deepInclude(yield* window("little", 2), { lines: ["\u0a0a\u0a00", "end"], total: 3, note: null })
        assert.deepInclude(yield* window("big", 2), { lines: ["\u0a0a\u0a00", "end"], total: 3, note: null })
        for (const [path, count] of [["f", 4], ["ended", 2], ["empty", 0], ["bom", 2], ["little", 3], ["big", 3]] as const) {
          assert.strictEqual(yield* Effect.flatMap(Files, (files) => files.countLines(path)), count, path)
        }
      }).pipe(on({
        f: "one\r\ntwo\nth\u2028r\u0085e\fe\r\nfour",
        ended: "a\nb\n",
        empty: "",
        bom: "\uFEFFx\n\n",
        little: utf16("one\n\u0a0a\u0a00\r\nend", false),
        big: utf16("one\n\u0a0a\u0a00\r\nend", true)
      })))

    it.live("shows foreign bytes with a note, and refuses binaries", () =>
      Effect.gen(function*() {
        assert.deepInclude(yield* window("latin"), {
          lines: ["café", "é"],
          note: "This file is not valid UTF-8 (looks like ISO-8859-1 (Latin-1)); it is shown as such and cannot be edited here."
        })
        assert.deepInclude(yield* window("latin", 1, 0 + 1), { lines: ["café"] })
        assert.include(yield* failure(window("nul")), "is a binary file")
        assert.include(yield* failure(Effect.flatMap(Files, (files) => files.countLines("nul"))), "is a binary file")
        assert.deepStrictEqual([...yield* Effect.flatMap(Files, (files) => files.bytes("nul", 2))], [97, 0])
      }).pipe(on({ latin: bytes("caf", 0xe9, "\n", 0xe9), nul: bytes("a", 0, "\n") })))

    it.live("keeps 64 KB of a line, at a whole character, and goes on behind it", () =>
      Effect.gen(function*() {
        const shown = yield* window("f", 2, 2)
        assert.deepStrictEqual(shown.lines.map((line) => line.length), [32_768, 4])
        assert.deepStrictEqual([shown.lines[1], shown.note], ["next", null])
        const odd = yield* window("odd", 1, 1)
        assert.deepStrictEqual([odd.lines[0]?.length, odd.note], [32_768, null])
        const many = yield* window("many", 1, 2000)
        assert.strictEqual(many.more, true)
        assert.strictEqual(many.lines.length, 64)
      }).pipe(on({
        f: `first\n${"ü".repeat(200_000)}\nnext\n`,
        odd: `x${"ü".repeat(200_000)}`,
        many: `${"x".repeat(70_000)}\n`.repeat(100)
      })))

    it.live("finds a window far behind, in blocks that end anywhere", () =>
      Effect.gen(function*() {
        const shown = yield* window("f", 250_000, 2)
        assert.deepStrictEqual(shown.lines, ["line 250000", "line 250001"])
        assert.strictEqual(yield* Effect.flatMap(Files, (files) => files.countLines("f")), 300_000)
        assert.deepInclude(yield* window("f", 300_001), { lines: [], total: 300_000 })
      }).pipe(on({ f: Array.from({ length: 300_000 }, (_, index) => `line ${index + 1}\n`).join("") })))

    it.live("tells what lies there, a link itself", () =>
      Effect.gen(function*() {
        const files = yield* Files
        assert.deepInclude(yield* files.stat("d/x"), { path: "d/x", kind: "file", size: 3, hardLinks: 1 })
        assert.deepInclude(yield* files.stat("d"), { path: "d", kind: "folder" })
        assert.deepInclude(yield* files.stat("."), { path: ".", kind: "folder" })
        assert.deepInclude(yield* files.stat("out"), { path: "out", kind: "link" })
        assert.strictEqual(yield* failure(files.stat("none")), "No such file: none")
        assert.strictEqual(yield* failure(files.stat("out/passwd")), "Path escapes workspace: out/passwd")
      }).pipe(on({ "d/x": "abc", out: { link: "/etc" } })))

    it.live("gives no content of a denied file under any of its names", () =>
      Effect.gen(function*() {
        const files = yield* Files
        const said = ".env is denied on read: it may hold secrets, which must not leave this machine. Ask the user for what you need from it."
        assert.strictEqual(yield* failure(read(".env")), said)
        for (const path of ["link", "d/.env"]) {
          for (const asked of [Effect.asVoid(read(path)), Effect.asVoid(window(path)), Effect.asVoid(files.countLines(path)), Effect.asVoid(files.bytes(path, 10))]) {
            assert.strictEqual(yield* failure(asked), said.replace(".env", path))
          }
        }
      }).pipe(on({ "secret/.env": "PASSWORD=hunter2", ".env": "A=1", link: { link: ".env" }, "d": { link: "secret" } }, [".env", "secret/.env"])))
  })
}
