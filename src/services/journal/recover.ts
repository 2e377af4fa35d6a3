import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { DiskPort, Folder } from "../Disk.js"
import { makeWalk } from "../disk/walk.js"
import { makeJail } from "../Jail.js"
import { discard, restoreAll, sweep } from "./apply.js"
import { openShelf, peekShelf, readRecord, shelfPath, workspaceKey } from "./archive.js"
import { makeGround, unlessMissing } from "./ground.js"
import { keyOf, makeLocks, unknownLife } from "./locks.js"
import type { OwnerOf } from "./owner.js"
import { intentFile, IntentText, planFile, PlanText } from "./record.js"

const named = (paths: ReadonlyArray<string>) =>
  paths.length > 10 ? `${paths.slice(0, 10).join(", ")} and ${paths.length - 10} more` : paths.join(", ")

interface Place {
  readonly disk: DiskPort
  readonly owner: Context.Tag.Service<OwnerOf>
  readonly home: string
}

const lives = Effect.fnUntraced(function*({ disk, owner }: Place, open: Folder, keptName: string, writer: string) {
  const known = yield* owner.lives(writer)
  if (known !== null) return known
  const { modified } = yield* disk.stat(open, keptName)
  return (yield* Clock.currentTimeMillis) - modified <= unknownLife
})

/** Takes one unfinished transaction back. Gives a sentence where there was something to take back. */
const takeBack = Effect.fnUntraced(function*(place: Place, workspace: string, open: Folder, keptName: string) {
  const { disk, home } = place
  const [name = "", writer = ""] = keptName.split(".")
  const kept = yield* unlessMissing(disk.folder(open, keptName))
  if (kept === null || (yield* lives(place, open, keptName, writer))) return null
  const intent = yield* readRecord(disk, kept, intentFile, IntentText)
  // Without a whole intent nothing outside of this folder was begun.
  if (intent === null || workspaceKey(intent.root) !== workspace) {
    yield* discard(disk, open, keptName)
    return null
  }
  const ground = yield* makeGround(disk, makeWalk(disk, makeJail(intent.root)), intent.root)
  const plan = yield* readRecord(disk, kept, planFile, PlanText)
  const { foreign, stuck } = plan === null ? { foreign: [], stuck: [] } : yield* restoreAll(ground, kept, plan.steps, name)
  yield* sweep(ground, intent)
  const paths = plan === null ? [] : plan.steps.map(({ path }) => path)
  if (stuck.length > 0) {
    return `A change of ${named(paths)} that had died half-way could not be taken back whole: ${named(stuck)} is as it was left. It is tried again at the next start.`
  }
  if (foreign.length > 0) {
    const left = yield* openShelf(disk, home, workspace, "left")
    yield* disk.rename(open, keptName, left, name)
    return `A change of ${named(paths)} that had died half-way was taken back, but ${named(foreign)} has been changed since and was left as it is; the earlier content is in ${shelfPath(home, workspace, "left")}/${name}.`
  }
  yield* discard(disk, open, keptName)
  return plan === null ? null : `A change of ${named(paths)} that had died half-way was taken back.`
}, Effect.scoped)

/** Puts a workspace in order: takes back what runs that are dead by now had begun there. Gives sentences about it. */
export const makeRecovery = (place: Place, newName: Effect.Effect<string>) => {
  const { disk, home, owner } = place

  const recoverAll = Effect.fnUntraced(function*(workspace: string) {
    const open = yield* peekShelf(disk, home, workspace, "open")
    if (open === null) return []
    const sentences: Array<string> = []
    for (const { name } of yield* disk.list(open)) {
      const sentence = yield* Effect.catchAll(takeBack(place, workspace, open, name), (fault) =>
        Effect.succeed(`A change that had died half-way could not be taken back (${fault.message}). It is tried again at the next start.`))
      if (sentence !== null) sentences.push(sentence)
    }
    return sentences
  }, Effect.scoped)

  const isEmpty = Effect.fnUntraced(function*(workspace: string) {
    const open = yield* peekShelf(disk, home, workspace, "open")
    return open === null || (yield* disk.list(open)).length === 0
  }, Effect.scoped)

  return Effect.fnUntraced(function*(workspace: string) {
    if (yield* isEmpty(workspace)) return []
    // Only one at a time: what a slower one still takes back could be a faster one's new work.
    const locks = makeLocks({ disk, owner, path: `${home}/locks`, workspace, mourn: () => Effect.void })
    const recovered = Effect.acquireUseRelease(
      Effect.flatMap(newName, (name) => locks.claim([keyOf(`recover ${workspace}`)], name)),
      (claims) => claims === null ? Effect.succeed([]) : recoverAll(workspace),
      (claims) => locks.release(claims ?? [])
    )
    return yield* recovered
  }, Effect.uninterruptible, Effect.catchAll((fault) =>
    Effect.succeed([`What an earlier run left half-done could not be looked at (${fault.message}).`])))
}
