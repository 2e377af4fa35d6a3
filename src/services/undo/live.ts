import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { Call } from "../Call.js"
import type { DiskPort } from "../Disk.js"
import { Disk } from "../Disk.js"
import type { Spot, Walk } from "../disk/walk.js"
import { makeWalk } from "../disk/walk.js"
import { faultOf, faultOfCommit } from "../files/faults.js"
import { Jail } from "../Jail.js"
import type { Goal } from "../Journal.js"
import { Journal } from "../Journal.js"
import type { Undone } from "../Undo.js"
import { NothingToUndo, Undo } from "../Undo.js"
import type { Deed, TurnDeeds } from "./turns.js"
import { turnsOf } from "./turns.js"

const blockBytes = 1_048_576
const contentHash = Effect.fnUntraced(function*(disk: DiskPort, walk: Walk, spot: Spot) {
  const file = yield* walk.open(spot, spot.path)
  const hash = createHash("sha256")
  const block = new Uint8Array(blockBytes)
  for (let position = 0;;) {
    const count = yield* disk.read(file, block, position)
    if (count === 0) return hash.digest("hex")
    hash.update(block.subarray(0, count))
    position += count
  }
})

/** Whether a path is as the turn has left it, or gone where the turn made it. Another inode or time with the same content is no change. */
const isAsLeft = Effect.fnUntraced(function*(disk: DiskPort, walk: Walk, spot: Spot, { after, before, stamps }: Deed) {
  const { stat } = spot
  if (stat === null) return after.is === "nothing" || before.is === "nothing"
  if (stat.kind === "file" && stamps.includes(stat.stamp)) return true
  if (after.is === "nothing") return false
  if (after.is === "link") return stat.kind === "link" && (yield* disk.readLink(spot.folder, spot.name)) === after.text
  return stat.kind === "file" && after.hash !== null && after.hash === (yield* contentHash(disk, walk, spot))
})

type Judged = { readonly goal: Goal } | { readonly why: string }
const judge = Effect.fnUntraced(function*(disk: DiskPort, walk: Walk, deed: Deed) {
  const { before, path, transaction } = deed
  const refused = (why: string): Judged => ({ why })
  const judged = Effect.gen(function*() {
    const spot = yield* walk.to(path, false)
    if (spot.path !== path) return refused("A link lies on the way to it now.")
    if (!(yield* isAsLeft(disk, walk, spot, deed))) return refused("It has been changed since.")
    const goal: Goal = {
      path,
      expect: spot.stat?.stamp ?? null,
      want: before.is === "nothing" ? { is: "nothing" } : { is: "earlier", transaction }
    }
    return { goal } satisfies Judged
  })
  return yield* judged.pipe(Effect.scoped, Effect.catchAll((fault) => Effect.succeed(refused(`It cannot be looked at: ${fault.message}.`))))
})

const uncovered =
  "A command ran in this turn. Undo does not cover git's index, refs and stash, ignored files, nested repositories, empty folders, and anything outside the workspace."

/** Over the journal, in which every change by a tool is. */
export const UndoLive = Layer.effect(Undo, Effect.gen(function*() {
  const disk = yield* Disk
  const jail = yield* Jail
  const journal = yield* Journal
  const walk = makeWalk(disk, jail)
  const turns = Effect.mapBoth(journal.entries, { onSuccess: turnsOf, onFailure: faultOf("the journal", "read") })

  const takeBack = Effect.fnUntraced(function*(turn: TurnDeeds) {
    const judged = yield* Effect.forEach(turn.deeds, (deed) =>
      Effect.map(judge(disk, walk, deed), (outcome) => ({ path: deed.path, ...outcome })))
    const goals = judged.flatMap((each) => "goal" in each ? [each.goal] : [])
    if (goals.length > 0) {
      yield* journal.commit(goals, { turn: (yield* Call).turn, undoes: turn.id, emptied: turn.folders })
    }
    const { files, id, time } = turn
    const undone: Undone = {
      turn: { id, time, files },
      restored: goals.filter(({ expect, want }) => expect !== null || want.is !== "nothing").map(({ path }) => path).sort(),
      refused: judged.flatMap((each) => "why" in each ? [{ path: each.path, why: each.why }] : []),
      notes: [...turn.beyond, ...turn.commands ? [uncovered] : [], ...yield* journal.news]
    }
    return undone
  })
  /** What stood in the way of some may have been put back with the others: a file where a folder had been. */
  const inTwoGoes = Effect.fnUntraced(function*(turn: TurnDeeds) {
    const first = yield* takeBack(turn)
    if (first.restored.length === 0 || first.refused.length === 0) return first
    const rest = new Set(first.refused.map(({ path }) => path))
    const second = yield* takeBack({ ...turn, deeds: turn.deeds.filter(({ path }) => rest.has(path)) })
    const notes = [...new Set([...first.notes, ...second.notes])]
    return { ...second, notes, restored: [...first.restored, ...second.restored].sort() }
  })
  const undo = Effect.fn("Undo.undo")(function*(id: string | null) {
    const found = yield* turns
    const turn = id === null ? found[0] : found.find((each) => each.id === id)
    if (turn === undefined) return yield* new NothingToUndo({ turn: id })
    return yield* Effect.mapError(journal.locked(turn.files, inTwoGoes(turn)), faultOfCommit((path) => path))
  })

  return Undo.of({
    list: Effect.map(turns, (found) => found.map(({ files, id, time }) => ({ id, time, files }))),
    undo,
    undoLast: undo(null)
  })
}))
