import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { DiskFault, DiskPort, Folder } from "../Disk.js"
import type { Ground, Named } from "./ground.js"
import { copyInto, haveSameContent, isSame, renameIfFree, settle, split, stateAt, Stopped, unlessMissing } from "./ground.js"
import type { Intent, State, Step } from "./record.js"
import { planFile } from "./record.js"

/** Names of a step's temporary files, in the folder of its path. */
export interface Temporary {
  readonly temporary: string
  readonly back: string
}
export const temporaryNames = (transaction: string, index: number): Temporary => ({
  temporary: `.shiro-${transaction}-${index}.tmp`,
  back: `.shiro-${transaction}-${index}-back.tmp`
})

/** Makes one change visible. */
export const apply = Effect.fnUntraced(function*(ground: Ground, { path, before, after }: Step, { temporary }: Temporary) {
  const { disk } = ground
  const run = Effect.gen(function*() {
    const { folder, name } = yield* ground.spot(path)
    const { state } = yield* stateAt(ground, path)
    if (!isSame(before, state)) return yield* new Stopped({ path, why: before.is === "nothing" ? "taken" : "changed" })
    if (after.is === "nothing") return yield* before.is === "nothing" ? Effect.void : disk.unlink(folder, name)
    if (before.is !== "nothing") return yield* disk.rename(folder, temporary, folder, name)
    yield* after.is === "link" ? disk.symlink(after.text, folder, name) : settle(ground, { folder, name: temporary }, { folder, name })
  })
  yield* Effect.mapError(run, (why) =>
    why._tag === "Stopped" ? why : new Stopped({ path, why: why.code === "EEXIST" ? "taken" : why }))
})

/** Runs `instead` where a file cannot go to another file system. */
const whereApart = <A, E, R>(instead: Effect.Effect<A, E, R>) =>
  <B, R2>(effect: Effect.Effect<B, DiskFault, R2>): Effect.Effect<A | B, E | DiskFault, R | R2> =>
    Effect.catchIf(effect, (fault) => fault.code === "EXDEV", () => instead)

/**
 * Brings what was there to where nothing, or the transaction's own work, is now. The kept file itself goes back, which
 * needs no room on a full disk; a copy of it only where the journal is on another file system.
 */
const bringBack = Effect.fnUntraced(function*(ground: Ground, kept: Folder, step: Step, now: State, back: string) {
  const { disk } = ground
  const there = yield* ground.spot(step.path)
  const { folder, name } = there
  const { before } = step
  if (before.is === "nothing") return yield* disk.unlink(folder, name)
  const aside: Named = { folder, name: back }
  yield* unlessMissing(disk.unlink(folder, back))
  const toPlace = (from: Named) =>
    now.is === "nothing" ? settle(ground, from, there) : disk.rename(from.folder, from.name, folder, name)
  const image: Named = { folder: kept, name: before.image ?? "" }
  if (before.is === "file") {
    const byCopy = Effect.zipRight(copyInto(disk, image, aside, before), Effect.suspend(() => toPlace(aside)))
    return yield* toPlace(image).pipe(whereApart(byCopy))
  }
  if (now.is === "nothing") {
    // A new link never replaces anything; on a full disk the kept one has to go.
    return yield* disk.symlink(before.text, folder, name).pipe(
      Effect.catchIf((fault) => fault.code === "ENOSPC" || fault.code === "EDQUOT", () => renameIfFree(ground, image, there))
    )
  }
  const anew = Effect.zipRight(disk.symlink(before.text, folder, back), disk.rename(folder, back, folder, name))
  yield* disk.rename(image.folder, image.name, folder, name).pipe(whereApart(anew))
})

/** Whether an earlier try, which died, has put the kept file itself or a copy of it back already. */
const isBackAlready = Effect.fnUntraced(function*(ground: Ground, kept: Folder, { before, path }: Step, now: State | null) {
  if (before.is !== "file" || before.image === null || now?.is !== "file") return false
  const image: Named = { folder: kept, name: before.image }
  if ((yield* unlessMissing(ground.disk.stat(kept, before.image))) === null) return true
  return yield* haveSameContent(ground.disk, image, yield* ground.spot(path))
})

/** Takes one change back; `foreign` where somebody else has been there since, whose work is left alone. */
const restore = Effect.fnUntraced(function*(ground: Ground, kept: Folder, step: Step, back: string) {
  const { state } = yield* stateAt(ground, step.path)
  if (isSame(step.before, state)) return "restored"
  if (state === null || !isSame(step.after, state)) {
    return (yield* isBackAlready(ground, kept, step, state)) ? "restored" : "foreign"
  }
  yield* bringBack(ground, kept, step, state, back)
  return "restored"
})

/** Takes all changes back, the last first. Gives the paths where that was not to be, and where the system refused it. */
export const restoreAll = Effect.fnUntraced(function*(
  ground: Ground,
  kept: Folder,
  steps: ReadonlyArray<Step>,
  transaction: string
) {
  const foreign: Array<string> = []
  const stuck: Array<string> = []
  for (const [index, step] of [...steps.entries()].reverse()) {
    const outcome = yield* Effect.option(restore(ground, kept, step, temporaryNames(transaction, index).back))
    if (Option.isNone(outcome)) stuck.push(step.path)
    else if (outcome.value === "foreign") foreign.push(step.path)
  }
  yield* flushFolders(ground, steps.map(({ path }) => split(path).folder))
  return { foreign, stuck }
})

export const flushFolders = Effect.fnUntraced(function*(ground: Ground, paths: ReadonlyArray<string>) {
  for (const path of new Set(paths)) {
    const folder = yield* unlessMissing(ground.folder(path))
    if (folder !== null) yield* ground.disk.flush(folder)
  }
})

/** Removes what a transaction that did not come about has left in the workspace. */
export const sweep = Effect.fnUntraced(function*(ground: Ground, intent: Intent) {
  for (const { folder, name } of intent.temporary) {
    const opened = yield* unlessMissing(ground.folder(folder))
    if (opened !== null) yield* unlessMissing(ground.disk.unlink(opened, name))
  }
  yield* removeEmpty(ground, intent.folders)
})

/** Removes folders, outer ones given first, unless something is in them. */
export const removeEmpty = Effect.fnUntraced(function*(ground: Ground, folders: ReadonlyArray<string>) {
  for (const path of [...folders].reverse()) {
    const spot = yield* unlessMissing(ground.spot(path))
    if (spot === null) continue
    yield* Effect.catchIf(
      unlessMissing(ground.disk.removeFolder(spot.folder, spot.name)),
      (fault) => fault.code === "ENOTEMPTY" || fault.code === "EEXIST",
      () => Effect.void
    )
  }
})

/** Removes a transaction's own folder, its plan first: without one nothing is taken back any more. */
export const discard = Effect.fnUntraced(function*(disk: DiskPort, parent: Folder, name: string) {
  const folder = yield* unlessMissing(disk.folder(parent, name))
  if (folder === null) return
  yield* unlessMissing(disk.unlink(folder, planFile))
  for (const entry of yield* disk.list(folder)) yield* unlessMissing(disk.unlink(folder, entry.name))
  yield* unlessMissing(disk.removeFolder(parent, name))
}, Effect.scoped)
