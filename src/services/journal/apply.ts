import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { DiskPort, Folder } from "../Disk.js"
import type { Ground } from "./ground.js"
import { copyInto, isSame, settle, split, stateAt, Stopped, unlessMissing, whereNoLink } from "./ground.js"
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
    yield* after.is === "link" ? disk.symlink(after.text, folder, name) : settle(ground, folder, temporary, name)
  })
  yield* Effect.mapError(run, (why) =>
    why._tag === "Stopped" ? why : new Stopped({ path, why: why.code === "EEXIST" ? "taken" : why }))
})

/** Brings what was there to where nothing, or the transaction's own work, is now. */
const bringBack = Effect.fnUntraced(function*(ground: Ground, kept: Folder, step: Step, now: State, back: string) {
  const { disk } = ground
  const { folder, name } = yield* ground.spot(step.path)
  const { before } = step
  if (before.is === "nothing") return yield* disk.unlink(folder, name)
  yield* unlessMissing(disk.unlink(folder, back))
  if (before.is === "file") {
    const image = before.image ?? ""
    yield* disk.link(kept, image, folder, back).pipe(
      whereNoLink(copyInto(disk, { folder: kept, name: image }, { folder, name: back }, before))
    )
    return yield* now.is === "nothing" ? settle(ground, folder, back, name) : disk.rename(folder, back, folder, name)
  }
  if (now.is === "nothing") return yield* disk.symlink(before.text, folder, name)
  yield* disk.symlink(before.text, folder, back)
  yield* disk.rename(folder, back, folder, name)
})

/** Takes one change back; `foreign` where somebody else has been there since, whose work is left alone. */
const restore = Effect.fnUntraced(function*(ground: Ground, kept: Folder, step: Step, back: string) {
  const { state } = yield* stateAt(ground, step.path)
  if (isSame(step.before, state)) return "restored"
  if (state === null || !isSame(step.after, state)) return "foreign"
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
