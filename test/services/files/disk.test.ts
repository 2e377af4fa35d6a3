import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import { DiskLive } from "../../../src/services/disk/live.js"
import { Change, Files } from "../../../src/services/Files.js"
import { FilesLive } from "../../../src/services/files/live.js"
import { HomeMemory } from "../../../src/services/Home.js"
import { HostLive } from "../../../src/services/host/live.js"
import { IdsLive } from "../../../src/services/Ids.js"
import { JailLive } from "../../../src/services/jail/live.js"
import { Secrets } from "../../../src/services/Secrets.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { failure, filesIn, plantAt, temporaryFolder } from "./support.js"

const on = (parent: string) => <A, E>(run: Effect.Effect<A, E, Files>) =>
  run.pipe(Effect.provide(filesIn(parent)), Effect.provide(SecretsMemory()))
const overwrite = (path: string, text: string) => Effect.flatMap(Files, (files) => files.overwrite(path, text))

describe("Files on a real disk", () => {
  it.scopedLive("replace one of several hard links and say so", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { a: "old" })
      fs.linkSync(`${parent}/ws/a`, `${parent}/ws/b`)
      fs.linkSync(`${parent}/ws/a`, `${parent}/c`)
      const done = yield* overwrite("a", "new").pipe(on(parent))
      assert.deepStrictEqual(done.notes, ["a had 2 other hard links, which keep the old content."])
      assert.deepStrictEqual(["ws/a", "ws/b", "c"].map((name) => fs.readFileSync(`${parent}/${name}`, "utf8")), ["new", "old", "old"])
    }))

  it.scopedLive("keep owner and mode, set-id bits included", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { a: "old" })
      if (process.getuid?.() === 0) fs.chownSync(`${parent}/ws/a`, 1234, 4321)
      fs.chmodSync(`${parent}/ws/a`, 0o6755)
      const before = fs.statSync(`${parent}/ws/a`)
      yield* overwrite("a", "new").pipe(on(parent))
      const after = fs.statSync(`${parent}/ws/a`)
      assert.deepStrictEqual([after.uid, after.gid, after.mode], [before.uid, before.gid, before.mode])
    }))

  it.scopedLive("write nothing into shiro's own folder, where that is in the workspace", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { "x/home/notes.json": "[]", link: { link: "x/home" } })
      const layer = FilesLive.pipe(Layer.provide(
        Layer.mergeAll(DiskLive, JailLive(`${parent}/ws`), HomeMemory(`${parent}/ws/link`), IdsLive, HostLive, SecretsMemory())
      ))
      yield* Effect.gen(function*() {
        for (const path of ["x/home/notes.json", "link/notes.json", "X/Home/new"]) {
          assert.include(yield* failure(overwrite(path, "x")), `${path} is protected: it lies in shiro's own folder`)
        }
        yield* overwrite("x/homely", "x")
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("know a denied file by its inode, under any name", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { ".env": "KEY=hunter2" })
      fs.linkSync(`${parent}/ws/.env`, `${parent}/ws/innocent`)
      const { dev, ino } = fs.statSync(`${parent}/ws/.env`)
      const secrets = Layer.effect(Secrets, Effect.map(Secrets, (plain) =>
        Secrets.of({ ...plain, deniedIdentity: (identity) => Effect.succeed(identity === `${dev}:${ino}`) }))).pipe(
          Layer.provide(SecretsMemory())
        )
      yield* Effect.gen(function*() {
        const files = yield* Files
        const edit = files.transact(["innocent"], (held) =>
          Effect.map(held.read("innocent"), (like) => ({ changes: [Change.Rewrite({ like, text: "x" })], value: null })))
        const move = files.transact(["innocent", "y"], () =>
          Effect.succeed({ changes: [Change.Move({ from: "innocent", to: "y" })], value: null }))
        const asked = [
          Effect.asVoid(files.read("innocent")), Effect.asVoid(files.window("innocent", { offset: 1, limit: 1 })),
          Effect.asVoid(files.countLines("innocent")), Effect.asVoid(files.bytes("innocent", 5)), Effect.asVoid(edit), Effect.asVoid(move)
        ]
        for (const each of asked) assert.include(yield* failure(each), "innocent is denied on read")
        assert.strictEqual((yield* files.overwrite("innocent", "new")).value.old, null)
      }).pipe(Effect.provide(filesIn(parent)), Effect.provide(secrets))
    }))

  it.scopedLive("read a window of a file far larger than memory would like", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { big: Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}\n`).join("") })
      fs.truncateSync(`${parent}/ws/big`, 5e9)
      yield* Effect.gen(function*() {
        const files = yield* Files
        const shown = yield* files.window("big", { offset: 19_999, limit: 2 })
        assert.deepStrictEqual([shown.lines, shown.more, shown.total], [["line 19999", "line 20000"], true, null])
        assert.include(yield* failure(files.read("big")), "big has 5,000,000,000 bytes; at most 67,108,864 are taken as a whole.")
      }).pipe(on(parent))
    }))
})
