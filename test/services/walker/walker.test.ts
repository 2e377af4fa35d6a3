import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { DiskLive } from "../../../src/services/disk/live.js"
import { WorkspaceMemory } from "../../../src/services/files/memory.js"
import { Jail, makeJail } from "../../../src/services/Jail.js"
import { Walker } from "../../../src/services/Walker.js"
import { WalkerLive } from "../../../src/services/walker/live.js"
import { WalkerMemory } from "../../../src/services/walker/memory.js"
import { plantedFolder, temporaryFolder } from "../planted.js"
import type { Tree } from "../searching.js"

type Given = (tree: Tree) => <A, E>(effect: Effect.Effect<A, E, Walker>) => Effect.Effect<A, E>

const liveAt = (root: string) => Effect.provide(Layer.provide(WalkerLive, Layer.merge(DiskLive, Layer.succeed(Jail, makeJail(root)))))
const inMemory: Given = (tree) => Effect.provide(Layer.provide(WalkerMemory, WorkspaceMemory(tree)))
const onDisk: Given = (tree) => (effect) => Effect.scoped(Effect.flatMap(plantedFolder(tree), (root) => effect.pipe(liveAt(root))))

const walk = (options?: Parameters<typeof Walker.Service.walk>[0]) => Effect.flatMap(Walker, (walker) => walker.walk(options))
const paths = (options?: Parameters<typeof Walker.Service.walk>[0]) =>
  Effect.map(walk(options), ({ entries }) => entries.map(({ kind, path }) => kind === "file" ? path : kind === "folder" ? `${path}/` : `${path} ${kind}`))
const failure = (folder: string) => Effect.map(Effect.flip(walk({ folder })), ({ message }) => message)

const contract = (name: string, given: Given) =>
  describe(name, () => {
    it.live("goes depth first, each folder right before what is in it, names by code units", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), [".h/", ".h/x", "B", "a/", "a/b/", "a/b/c", "a.txt", "é"])
        assert.deepStrictEqual(yield* paths({ depth: 1 }), [".h/", "B", "a/", "a.txt", "é"])
        assert.deepStrictEqual(yield* paths({ depth: 2, folder: "a" }), ["a/b/", "a/b/c"])
        assert.deepStrictEqual(yield* paths({ folder: "./a/../a/b" }), ["a/b/c"])
      }).pipe(given({ "a/b/c": "", "a.txt": "", "B": "", "é": "", ".h/x": "" })))

    it.live("tells sizes and times only when asked", () =>
      Effect.gen(function*() {
        const [plain] = (yield* walk()).entries
        assert.deepStrictEqual(plain, { path: "a", kind: "file", size: 0, modified: 0 })
        const [described] = (yield* walk({ stat: true })).entries
        assert.strictEqual(described?.size, 5)
        assert.isAbove(described?.modified ?? 0, 1_600_000_000_000)
      }).pipe(given({ a: "12345" })))

    it.live("takes a folder that a deeper file shows again out of the hands of the rules above it", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), [".gitignore", "lib/", "tools/", "tools/.gitignore", "tools/build/", "tools/build/x.js"])
      }).pipe(given({ ".gitignore": "build/\n*.log", "tools/.gitignore": "!build/\n", "tools/build/x.js": "", "tools/build/y.log": "", "build/z.js": "", "lib/build/w": "" })))

    it.live("never brings a file back whose folder is hidden, and knows a folder from a file", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), [".gitignore", "also", "gen/", "gen/kept/", "gen/kept/k"])
      }).pipe(given({ ".gitignore": "out/\n!out/in\n/gen/*\n!/gen/kept/\nalso/\n", "out/in": "", "gen/kept/k": "", "gen/lost/l": "", "gen/g": "", "also": "" })))

    it.live("reads .shiroignore last, nested ones too, and tells when one takes something back", () =>
      Effect.gen(function*() {
        const walked = yield* walk()
        assert.isTrue(walked.takesBack)
        assert.deepStrictEqual(walked.entries.map(({ path }) => path), [".gitignore", "a.log", "sub", "sub/.shiroignore", "sub/deep", "sub/deep/b.log"])
      }).pipe(given({ ".gitignore": "*.log\n!a.log\nx\n", "a.log": "", "b.log": "", "x": "", "sub/.shiroignore": "/c\n!deep/*.log\n", "sub/c": "", "sub/deep/b.log": "", "sub/b.log": "" })))

    it.live("does not look into .git and node_modules, nor list them, whatever they are", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths({ includeIgnored: true }), ["a", "sub/", "sub/b"])
        assert.isTrue((yield* walk({ folder: "sub/node_modules", includeIgnored: true })).hidden)
      }).pipe(given({ "a": "", ".git/config": "", "node_modules/x/y": "", "sub/b": "", "sub/.git": "gitdir: nowhere\n", "sub/node_modules/z": "" })))

    it.live("counts rules of .git/info/exclude, and none from above a nested repository", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), [".gitignore", "b.tmp", "inner/", "inner/.gitignore", "inner/a.log", "inner/c.tmp"])
      }).pipe(given({
        ".git/HEAD": "ref: refs/heads/main\n", ".git/info/exclude": "*.tmp\n", ".gitignore": "*.log\n!b.tmp\n",
        "a.log": "", "a.tmp": "", "b.tmp": "",
        "inner/.git/HEAD": "ref: refs/heads/main\n", "inner/.git/info/exclude": "d*\n", "inner/.gitignore": "x\n",
        "inner/a.log": "", "inner/c.tmp": "", "inner/d": "", "inner/x": ""
      })))

    it.live("finds the excludes of a work tree by its .git file", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), ["main/", "main/a", "tree/", "tree/b"])
      }).pipe(given({
        "main/.git/info/exclude": "x*\n", "main/.git/worktrees/t/commondir": "../..\n", "main/a": "", "main/x1": "",
        "tree/.git": "gitdir: ../main/.git/worktrees/t\n", "tree/b": "", "tree/x2": ""
      })))

    it.live("sees links: to folders as such and hidden as folders, others as files; follows none", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), [".gitignore", "dangling", "out link", "real/", "real/f", "to-file", "up link"])
        assert.deepStrictEqual(yield* paths({ folder: "up/real" }), ["up/real/f"])
        assert.strictEqual((yield* walk({ folder: "out" }).pipe(Effect.flip)).message, "Path escapes workspace: out")
      }).pipe(given({
        ".gitignore": "gone/\n", "real/f": "", "to-file": { link: "real/f" }, "up": { link: "." }, "gone": { link: "real" },
        "out": { link: "/" }, "dangling": { link: "nowhere" }
      })))

    it.live("refuses what is missing, no folder, or outside", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* failure("nope"), "No such file: nope")
        assert.strictEqual(yield* failure("a/b"), "a/b is a file. Give a folder here; read_file shows a file.")
        assert.strictEqual(yield* failure("../a"), "Path escapes workspace: ../a")
        assert.strictEqual(yield* failure("a/b/c"), "a/b/c is a file. Give a folder here; read_file shows a file.")
      }).pipe(given({ "a/b": "" })))

    it.live("tells of single files what a walk would leave out", () =>
      Effect.gen(function*() {
        const walker = yield* Walker
        const files = ["a", "b.log", "out/x", "sub/c", "sub/d", "node_modules/y", "sub/.git", "not/there.log", "not/there"]
        assert.deepStrictEqual(files.filter(yield* walker.hides()), ["b.log", "out/x", "sub/c", "node_modules/y", "sub/.git", "not/there.log"])
        assert.deepStrictEqual(files.filter(yield* walker.hides(true)), ["node_modules/y", "sub/.git"])
      }).pipe(given({ ".gitignore": "*.log\nout/\n", "sub/.shiroignore": "c\n", "a": "", "sub/c": "", "sub/d": "" })))

    it.live("reads ignore files with a BOM, carriage returns, escapes and bytes as git does", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* paths(), ["#c", ".gitignore", "a ", "c", "xé"])
      }).pipe(given({ ".gitignore": "\uFEFFfirst\r\nb\\ \r\n\\#d\nx?\r\n!c \n[[:digit:]]*\nz", "first": "", "a ": "", "b ": "", "#c": "", "#d": "", "xy": "", "xé": "", "c": "", "1": "", "z": "" })))
  })

contract("WalkerMemory", inMemory)
contract("WalkerLive", onDisk)

describe("WalkerLive on a folder below the top of a repository", () => {
  it.live("takes the rules of the folders above, up to the top", () =>
    Effect.gen(function*() {
      const top = yield* temporaryFolder
      execFileSync("git", ["init", "-q", `${top}/repo`])
      mkdirSync(`${top}/repo/pkg/app/out`, { recursive: true })
      for (const file of ["keep.log", "a.log", "b.tmp", "c", "out/d", "e"]) writeFileSync(`${top}/repo/pkg/app/${file}`, "")
      writeFileSync(`${top}/.gitignore`, "c\n")
      writeFileSync(`${top}/repo/.gitignore`, "*.log\n/pkg/app/out\n")
      writeFileSync(`${top}/repo/pkg/.gitignore`, "!keep.log\n")
      writeFileSync(`${top}/repo/.git/info/exclude`, "*.tmp\n")
      writeFileSync(`${top}/repo/.shiroignore`, "e\n")
      assert.deepStrictEqual(yield* paths().pipe(liveAt(`${top}/repo/pkg/app`)), ["c", "keep.log"])
    }).pipe(Effect.scoped))

  it.live("takes no rules from above outside of a repository", () =>
    Effect.gen(function*() {
      const top = yield* temporaryFolder
      mkdirSync(`${top}/ws`)
      writeFileSync(`${top}/.gitignore`, "*\n")
      writeFileSync(`${top}/ws/a`, "")
      assert.deepStrictEqual(yield* paths().pipe(liveAt(`${top}/ws`)), ["a"])
    }).pipe(Effect.scoped))
})

describe("WalkerLive", () => {
  it.live("reports folders that cannot be listed and goes on (root may list everything)", () =>
    Effect.gen(function*() {
      const root = yield* plantedFolder({ "a/x": "", "locked/y": "", "z": "" })
      chmodSync(`${root}/locked`, 0)
      yield* Effect.addFinalizer(() => Effect.sync(() => chmodSync(`${root}/locked`, 0o700)))
      const { entries, unreadable } = yield* walk().pipe(liveAt(root))
      const isRoot = process.getuid?.() === 0
      assert.deepStrictEqual(entries.map(({ path }) => path), ["a", "a/x", "locked", ...isRoot ? ["locked/y"] : [], "z"])
      assert.deepStrictEqual(unreadable, isRoot ? [] : ["locked"])
    }).pipe(Effect.scoped))

  it.live("lists pipes and sockets as something else than files", () =>
    Effect.gen(function*() {
      const root = yield* temporaryFolder
      execFileSync("mkfifo", [`${root}/pipe`])
      assert.deepStrictEqual(yield* paths().pipe(liveAt(root)), ["pipe other"])
    }).pipe(Effect.scoped))
})
