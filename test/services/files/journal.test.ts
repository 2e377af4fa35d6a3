import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type { DiskPort } from "../../../src/services/Disk.js"
import { Change, Files } from "../../../src/services/Files.js"
import { Journal } from "../../../src/services/Journal.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { contents, elsewhere, memoryDisk, runOn, treeBelow } from "./support.js"

const overwrite = (path: string, text: string) => Effect.flatMap(Files, (files) => files.overwrite(path, text))
const as = (disk: DiskPort, self: string, dead: ReadonlyArray<string> = []) =>
  Effect.provide(Layer.provide(runOn(disk, { self, dead }), SecretsMemory()))

/** A run that dies at the first unlink in the workspace, its other changes made. */
const dyingAtUnlink = (disk: DiskPort) => {
  let isDead = false
  const unlessDead = <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.suspend(() => isDead ? Effect.die("dead") : run)
  return {
    ...disk,
    rename: (...args: Parameters<DiskPort["rename"]>) => unlessDead(disk.rename(...args)),
    unlink: (...args: Parameters<DiskPort["unlink"]>) => {
      if (args[0].path === "/ws" && args[1] === "b") isDead = true
      return unlessDead(disk.unlink(...args))
    }
  }
}
const die = (disk: DiskPort) =>
  Effect.flatMap(Files, (files) =>
    files.transact(["a", "b"], (held) =>
      Effect.map(held.read("a"), (like) => ({ value: null, changes: [Change.Rewrite({ like, text: "new" }), Change.Remove({ path: "b" })] })))
  ).pipe(as(dyingAtUnlink(disk), "first"), Effect.exit)

describe("The journal", () => {
  it.scoped("tells, with the next change, what a dead run had left half-done", () =>
    Effect.gen(function*() {
      const disk = yield* memoryDisk({ "/ws/a": "A", "/ws/b": "B" })
      yield* die(disk)
      assert.deepStrictEqual(Object.keys(yield* treeBelow(disk, "/ws")), ["a", "b"])
      const done = yield* overwrite("c", "C").pipe(as(disk, "second", ["first"]))
      assert.deepStrictEqual(done.notes, ["A change of a, b that had died half-way was taken back."])
      assert.deepStrictEqual(yield* contents.pipe(as(disk, "third")), { a: "A", b: "B", c: "C" })
    }))

  it.scoped("leaves alone what somebody has changed after the death, and says where the earlier content is", () =>
    Effect.gen(function*() {
      const disk = yield* memoryDisk({ "/ws/a": "A", "/ws/b": "B" })
      yield* die(disk)
      yield* elsewhere("a", "theirs").pipe(as(disk, "bystander"))
      const done = yield* overwrite("c", "C").pipe(as(disk, "second", ["first"]))
      assert.match(
        done.notes[0] ?? "",
        /^A change of a, b that had died half-way was taken back, but a has been changed since and was left as it is; the earlier content is in \/home\/me\/\.shiro\/journal\/\w+\/left\/[\w-]+\.$/
      )
      assert.deepStrictEqual(yield* contents.pipe(as(disk, "third")), { a: "theirs", b: "B", c: "C" })
    }))

  it.scoped("of a run that dies beside a living one is put in order before the same files are changed again", () =>
    Effect.gen(function*() {
      const disk = yield* memoryDisk({ "/ws/a": "A", "/ws/b": "B" })
      const dead: Array<string> = []
      yield* Effect.gen(function*() {
        const files = yield* Files
        yield* die(disk)
        dead.push("first")
        const done = yield* files.overwrite("a", "second's")
        assert.deepStrictEqual(done.notes, ["A change of a, b that had died half-way was taken back."])
        assert.strictEqual(done.value.old, "A")
      }).pipe(as(disk, "second", dead))
      assert.deepStrictEqual(yield* contents.pipe(as(disk, "third")), { a: "second's", b: "B" })
    }))

  it.scoped("waits for another run's lock, and says so when that takes too long", () =>
    Effect.gen(function*() {
      const disk = yield* memoryDisk({ "/ws/a": "A", "/ws/b": "B" })
      const holder = yield* Effect.fork(
        Effect.flatMap(Files, (files) => files.transact(["a"], () => Effect.never)).pipe(as(disk, "first"))
      )
      yield* Effect.yieldNow()
      const other = yield* Effect.fork(Effect.flip(overwrite("a", "x").pipe(as(disk, "second"))))
      yield* overwrite("b", "free").pipe(as(disk, "third"))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(
        (yield* Fiber.join(other)).message,
        "Cannot change a: another shiro has been changing it for half a minute. Nothing was changed."
      )
      const patient = yield* Effect.fork(overwrite("a", "after").pipe(as(disk, "fourth")))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(holder)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(patient)
      assert.deepStrictEqual(yield* contents.pipe(as(disk, "fifth")), { a: "after", b: "free" })
      assert.deepStrictEqual(Object.keys(yield* treeBelow(disk, "/home/me/.shiro/locks")), [])
    }))

  it.scoped("keeps what was there for fourteen days", () =>
    Effect.gen(function*() {
      const disk = yield* memoryDisk({ "/ws/a": "A" })
      const entries = Effect.flatMap(Journal, (journal) => journal.entries)
      yield* overwrite("a", "1").pipe(as(disk, "first"))
      yield* TestClock.adjust("13 days")
      yield* overwrite("a", "2").pipe(as(disk, "second"))
      assert.strictEqual((yield* entries.pipe(as(disk, "x"))).length, 2)
      yield* TestClock.adjust("2 days")
      yield* overwrite("a", "3").pipe(as(disk, "third"))
      assert.deepStrictEqual((yield* entries.pipe(as(disk, "x"))).map(({ time }) => time / 86_400_000), [13, 15])
    }))
})
