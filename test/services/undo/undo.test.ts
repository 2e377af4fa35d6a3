import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Call } from "../../../src/services/Call.js"
import type { Disk } from "../../../src/services/Disk.js"
import { DiskLive } from "../../../src/services/disk/live.js"
import { Change, Files } from "../../../src/services/Files.js"
import { FilesMemory } from "../../../src/services/files/memory.js"
import type { Jail } from "../../../src/services/Jail.js"
import type { Journal } from "../../../src/services/Journal.js"
import type { Secrets } from "../../../src/services/Secrets.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { Undo } from "../../../src/services/Undo.js"
import { UndoLive } from "../../../src/services/undo/live.js"
import { contents, elsewhere, failure, onDisk, tree } from "../files/support.js"
import type { Tree } from "../files/support.js"

type Ground = Files | Disk | Jail | Journal
const contract = (name: string, given: (tree: Tree) => Layer.Layer<Ground, never, Secrets>) => {
  const on = (before: Tree) => <A, E>(run: Effect.Effect<A, E, Ground | Undo>) =>
    run.pipe(Effect.provide(UndoLive.pipe(Layer.provideMerge(given(before)))), Effect.provide(SecretsMemory([".env"])))
  const inTurn = (turn: string) => Effect.provideService(Call, { id: turn, turn, worker: null })
  const overwrite = (path: string, text: string) => Effect.flatMap(Files, (files) => files.overwrite(path, text))
  const change = (...changes: ReadonlyArray<Change>) =>
    Effect.flatMap(Files, (files) =>
      files.transact(
        changes.flatMap((each) => each._tag === "Move" ? [each.from, each.to] : each._tag === "Rewrite" ? [each.like.path] : [each.path]),
        () => Effect.succeed({ changes, value: null })
      ))

  describe(`Undo ${name}`, () => {
    it.live("puts back all that the last turn changed, created, moved and deleted", () =>
      Effect.gen(function*() {
        const undo = yield* Undo
        yield* overwrite("run", "first").pipe(inTurn("one"))
        const before = yield* tree
        const second = Effect.all([
          overwrite("run", "second"),
          overwrite("run", "third"),
          change(Change.Move({ from: "a", to: "new/place" }), Change.Remove({ path: "link" })),
          change(Change.Create({ path: "new/deep/file", text: "x" }), Change.Create({ path: "brief", text: "x" })),
          change(Change.Remove({ path: "brief" }), Change.Remove({ path: "b" })),
          overwrite("b", "another"),
          overwrite(".env", "KEY=2")
        ])
        yield* second.pipe(inTurn("two"))
        const [last, first] = yield* undo.list
        assert.deepStrictEqual(
          [last?.id, last?.files, first?.id, first?.files],
          ["two", [".env", "a", "b", "link", "new/deep/file", "new/place", "run"], "one", ["run"]]
        )
        const undone = yield* undo.undoLast
        assert.deepStrictEqual([undone.turn.id, undone.restored, undone.refused], ["two", last?.files, []])
        assert.deepStrictEqual(yield* tree, before)
        assert.strictEqual((yield* undo.undoLast).turn.id, "one")
        assert.deepStrictEqual(yield* contents, { run: "zero", a: "A", b: "B", link: "-> a", ".env": "KEY=1" })
        assert.strictEqual(yield* failure(undo.undoLast), "There is nothing to undo here.")
        assert.include(yield* failure(undo.undo("two")), "The turn two changed nothing here that could still be undone.")
      }).pipe(on({ run: "zero", a: "A", b: "B", link: { link: "a" }, ".env": "KEY=1" })))

    it.live("leaves alone, file by file, what was changed since, and says so", () =>
      Effect.gen(function*() {
        const undo = yield* Undo
        const turn = Effect.all([overwrite("a", "ours"), overwrite("b", "ours"), overwrite("c", "ours"), change(Change.Remove({ path: "d" }))])
        yield* turn.pipe(inTurn("one"))
        yield* elsewhere("a", "theirs")
        yield* elsewhere("b", "ours")
        yield* elsewhere("d", "theirs")
        const undone = yield* undo.undoLast
        assert.deepStrictEqual(undone.restored, ["b", "c"])
        assert.deepStrictEqual(undone.refused, [
          { path: "a", why: "It has been changed since." },
          { path: "d", why: "It has been changed since." }
        ])
        assert.deepStrictEqual(yield* contents, { a: "theirs", b: "B", d: "theirs" })
        assert.deepStrictEqual((yield* undo.list).map(({ files }) => files), [["a", "d"]])
      }).pipe(on({ a: "A", b: "B", d: "D" })))

    it.live("takes an earlier turn back, where no later one has touched the file", () =>
      Effect.gen(function*() {
        const undo = yield* Undo
        yield* Effect.all([overwrite("a", "1"), overwrite("b", "1")]).pipe(inTurn("one"))
        yield* overwrite("b", "2").pipe(inTurn("two"))
        const undone = yield* undo.undo("one")
        assert.deepStrictEqual([undone.restored, undone.refused.map(({ path }) => path)], [["a"], ["b"]])
        assert.deepStrictEqual(yield* contents, { a: "A", b: "2" })
        assert.deepStrictEqual(yield* Effect.map(undo.undoLast, ({ restored }) => restored), ["b"])
        assert.deepStrictEqual(yield* Effect.map(undo.undo("one"), ({ restored }) => restored), ["b"])
        assert.deepStrictEqual(yield* contents, { a: "A", b: "B" })
      }).pipe(on({ a: "A", b: "B" })))
  })
}

contract("in memory", FilesMemory)
contract("on disk", onDisk(DiskLive))
