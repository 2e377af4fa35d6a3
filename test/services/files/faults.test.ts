import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DiskPort, Folder } from "../../../src/services/Disk.js"
import { DiskFault } from "../../../src/services/Disk.js"
import { Change, Files } from "../../../src/services/Files.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { memoryDisk, runOn, treeBelow } from "./support.js"

const root = "/ws"
const home = "/home/me/.shiro"

type Blow = { readonly at: number; readonly kind: "die" | "die midway" | "fail" | "full"; readonly code?: string }
/** The disk under the blow: its `at`-th call that changes something fails, or is the last thing that happens (a write by half). */
const struck = (disk: DiskPort, blow: Blow) => {
  const state = { calls: 0, isDead: false }
  const die = Effect.die("dead")
  const alive = <A extends ReadonlyArray<unknown>, B, R>(run: (...args: A) => Effect.Effect<B, DiskFault, R>) =>
    (...args: A) => Effect.suspend(() => state.isDead ? die : run(...args))
  const strike = <A extends ReadonlyArray<unknown>, B, R>(
    call: string,
    run: (...args: A) => Effect.Effect<B, DiskFault, R>,
    half: (...args: A) => Effect.Effect<unknown, DiskFault, R> = () => Effect.void
  ) =>
    alive((...args: A) => {
      state.calls += 1
      if (blow.kind === "full") {
        const needsRoom = ["mkdir", "create", "write", "link", "symlink"].includes(call)
        return needsRoom && state.calls >= blow.at ? new DiskFault({ code: "ENOSPC", call, name: "" }) : run(...args)
      }
      if (state.calls !== blow.at) return run(...args)
      if (blow.kind === "fail") return new DiskFault({ code: blow.code ?? "EIO", call, name: "" })
      state.isDead = true
      return Effect.zipRight(blow.kind === "die midway" ? half(...args) : run(...args), die)
    })
  const port: DiskPort = {
    realPath: alive(disk.realPath),
    root: alive(disk.root),
    folder: alive(disk.folder),
    open: alive(disk.open),
    where: alive(disk.where),
    statOf: alive(disk.statOf),
    stat: alive(disk.stat),
    list: alive(disk.list),
    read: alive(disk.read),
    writable: alive(disk.writable),
    readLink: alive(disk.readLink),
    makeRoot: strike("mkdir", disk.makeRoot),
    create: strike("create", disk.create),
    write: strike("write", disk.write, (open, bytes, position) => disk.write(open, bytes.subarray(0, bytes.length >> 1), position)),
    flush: strike("flush", disk.flush),
    setAttributes: strike("chmod", disk.setAttributes),
    rename: strike("rename", disk.rename),
    link: strike("link", disk.link),
    symlink: strike("symlink", disk.symlink),
    unlink: strike("unlink", disk.unlink),
    makeFolder: strike("mkdir", disk.makeFolder),
    removeFolder: strike("rmdir", disk.removeFolder)
  }
  return { port, state }
}

/** The same disk with the home on another file system than the workspace. */
const apart = (disk: DiskPort): DiskPort => {
  const isApart = (from: Folder, to: Folder) => from.path.startsWith(home) !== to.path.startsWith(home)
  const within = (call: string, run: DiskPort["rename"]): DiskPort["rename"] => (from, fromName, to, toName) =>
    isApart(from, to) ? new DiskFault({ code: "EXDEV", call, name: toName }) : run(from, fromName, to, toName)
  return { ...disk, rename: within("rename", disk.rename), link: within("link", disk.link) }
}

const before = {
  "edit.txt": "old\n",
  "sub/edit2.txt": "old two\n",
  "gone.txt": "gone",
  "moved.txt": "moved",
  "swap-a": "A",
  "swap-b": "B",
  link: { link: "edit.txt" },
  "link2": { link: "moved.txt" }
}
const change = Effect.flatMap(Files, (files) =>
  files.transact(
    ["edit.txt", "sub/edit2.txt", "gone.txt", "moved.txt", "swap-a", "swap-b", "new/deep/file", "new/moved", "t", "link", "new/link", "link2"],
    (held) =>
      Effect.map(Effect.all([held.read("edit.txt"), held.read("sub/edit2.txt")]), ([one, two]) => ({
        value: null,
        changes: [
          Change.Rewrite({ like: one, text: "new\n" }),
          Change.Create({ path: "new/deep/file", text: "fresh" }),
          Change.Move({ from: "moved.txt", to: "new/moved" }),
          Change.Remove({ path: "gone.txt" }),
          Change.Rewrite({ like: two, text: "new two\n", mode: 0o755 }),
          Change.Move({ from: "swap-a", to: "t" }),
          Change.Move({ from: "swap-b", to: "swap-a" }),
          Change.Move({ from: "t", to: "swap-b" }),
          Change.Move({ from: "link", to: "new/link" }),
          Change.Remove({ path: "link2" })
        ]
      }))
  ))

const given = memoryDisk({
  ...Object.fromEntries(Object.entries(before).map(([path, what]) => [`${root}/${path}`, what])),
  [home]: { folder: true }
})
const run = (disk: DiskPort, self: string, dead: ReadonlyArray<string>) =>
  Layer.provide(runOn(disk, { self, dead, root, home }), SecretsMemory())
/** What is there once a later run has started, and what of locks and open transactions is left. */
const later = (disk: DiskPort, self: string, dead: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    yield* Effect.provide(Effect.asVoid(Files), run(disk, self, dead))
    const found = yield* treeBelow(disk, root)
    const open = Object.keys(yield* treeBelow(disk, home)).filter((path) => /\/(open|left)\/./.test(path))
    return { found, open }
  })

const old = Effect.flatMap(given, (disk) => treeBelow(disk, root))
const changed = Effect.flatMap(given, (disk) =>
  Effect.zipRight(Effect.provide(change, run(disk, "me", [])), treeBelow(disk, root)))
/** How many changing calls the whole transaction makes. */
const callsOn = (make: (disk: DiskPort) => DiskPort) => Effect.flatMap(Effect.map(given, make), (disk) => {
  const { port, state } = struck(disk, { at: -1, kind: "fail" })
  return Effect.as(Effect.provide(change, run(port, "me", [])), state).pipe(Effect.map(({ calls }) => calls))
})

const callsInAll = callsOn((disk) => disk)

/** Every other call where the calls are many; `SHIRO_SWEEP=all` for every one. */
const stride = process.env["SHIRO_SWEEP"] === "all" ? 1 : 2

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

describe("A transaction of ten changes, at every call that changes something", () => {
  it.live("leaves all old or all new after the program died there", () =>
    Effect.gen(function*() {
      const [before, after, calls] = yield* Effect.all([old, changed, callsInAll])
      assert.isAbove(calls, 60)
      const outcomes = { old: 0, new: 0 }
      for (let at = 0; at <= calls; at += 1) {
        const disk = yield* given
        const { port } = struck(disk, { at, kind: at % 2 === 0 ? "die" : "die midway" })
        yield* Effect.exit(Effect.provide(change, run(port, "me", [])))
        const { found, open } = yield* later(disk, "next", ["me"])
        const isOld = isSame(found, before)
        if (!isOld) assert.deepStrictEqual(found, after, `call ${at}`)
        assert.deepStrictEqual(open, [], `call ${at}`)
        outcomes[isOld ? "old" : "new"] += 1
      }
      assert.isAbove(outcomes.old, 50)
      assert.isAbove(outcomes.new, 1)
    }).pipe(Effect.scoped), 120_000)

  it.live("leaves all old and says so after a failure there, or all is done", () =>
    Effect.gen(function*() {
      const [before, after, calls] = yield* Effect.all([old, changed, callsInAll])
      for (let at = 1; at <= calls; at += stride) {
        const code = ["EIO", "ENOSPC", "EROFS"][at % 3] ?? ""
        const disk = yield* given
        const { port } = struck(disk, { at, kind: "fail", code })
        const outcome = yield* Effect.either(Effect.provide(change, run(port, "me", [])))
        const found = yield* treeBelow(disk, root)
        assert.deepStrictEqual(found, outcome._tag === "Left" ? before : after, `call ${at} ${code}`)
        if (outcome._tag === "Left") assert.include(outcome.left.message, code)
        assert.deepStrictEqual((yield* later(disk, "next", ["me"])).open, [], `call ${at} ${code}`)
      }
    }).pipe(Effect.scoped), 120_000)

  it.live("leaves all old and says so where the disk stays full from there on", () =>
    Effect.gen(function*() {
      const [before, after, calls] = yield* Effect.all([old, changed, callsInAll])
      for (let at = 1; at <= calls; at += stride) {
        const disk = yield* given
        const outcome = yield* Effect.either(Effect.provide(change, run(struck(disk, { at, kind: "full" }).port, "me", [])))
        assert.deepStrictEqual(yield* treeBelow(disk, root), outcome._tag === "Left" ? before : after, `call ${at}`)
        if (outcome._tag === "Left") assert.include(outcome.left.message, "ENOSPC")
      }
    }).pipe(Effect.scoped), 120_000)

  it.live("is put in order with the journal on another file system, where recovery dies at any call too", () =>
    Effect.gen(function*() {
      const [before, calls] = yield* Effect.all([old, callsOn(apart)])
      const at = Math.floor(calls * 0.85)
      for (let again = 1, isDead = true; isDead; again += stride) {
        const disk = apart(yield* given)
        yield* Effect.exit(Effect.provide(change, run(struck(disk, { at, kind: "die" }).port, "first", [])))
        const { port, state } = struck(disk, { at: again, kind: "die" })
        yield* Effect.exit(Effect.provide(Effect.asVoid(Files), run(port, "second", ["first"])))
        const { found, open } = yield* later(disk, "third", ["first", "second"])
        assert.deepStrictEqual(found, before, `recovery's call ${again}`)
        assert.deepStrictEqual(open, [], `recovery's call ${again}`)
        isDead = state.isDead
      }
    }).pipe(Effect.scoped), 120_000)

  it.live("is put in order although the recovery itself dies at any call", () =>
    Effect.gen(function*() {
      const [before, calls] = yield* Effect.all([old, callsInAll])
      const at = Math.floor(calls * 0.8)
      for (let again = 1, isDead = true; isDead; again += stride) {
        const disk = yield* given
        yield* Effect.exit(Effect.provide(change, run(struck(disk, { at, kind: "die" }).port, "first", [])))
        const { port, state } = struck(disk, { at: again, kind: "die" })
        yield* Effect.exit(Effect.provide(Effect.asVoid(Files), run(port, "second", ["first"])))
        const { found, open } = yield* later(disk, "third", ["first", "second"])
        assert.deepStrictEqual(found, before, `recovery's call ${again}`)
        assert.deepStrictEqual(open, [], `recovery's call ${again}`)
        isDead = state.isDead
      }
    }).pipe(Effect.scoped), 120_000)
})
