import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createHash } from "node:crypto"
import type { DiskFault, Folder } from "../Disk.js"
import type { Goal, Want } from "../Journal.js"
import type { Ground } from "./ground.js"
import { copyInto, fileState, split, stateAt, Stopped, whereNoLink } from "./ground.js"
import type { State, Step } from "./record.js"

type FileState = State & { readonly is: "file" }
/** A goal with what is at its path. */
export interface Aim {
  readonly goal: Goal
  readonly before: State
  /** names that the file has, 0 where it is none */
  readonly hardLinks: number
  /** of the temporary file in the path's folder, and of one to put back what was there */
  readonly temporary: string
  readonly back: string
}
/** The folder of an earlier transaction, for what was kept there. */
export type Earlier = (transaction: string, path: string) => Effect.Effect<{ readonly folder: Folder; readonly state: State }, Stopped, Scope.Scope>

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const at = (path: string) =>
  <A, R>(effect: Effect.Effect<A, DiskFault | Stopped, R>): Effect.Effect<A, Stopped, R> =>
    Effect.mapError(effect, (why) => why._tag === "Stopped" ? why : new Stopped({ path, why }))

/** Looks at every path; stops where something is not as the goal expects it. */
export const takeAim = Effect.fnUntraced(function*(ground: Ground, goals: ReadonlyArray<Goal>, transaction: string) {
  return yield* Effect.forEach(goals, Effect.fnUntraced(function*(goal, index) {
    const { state: before, hardLinks } = yield* stateAt(ground, goal.path).pipe(at(goal.path))
    const isExpected = before !== null && (
      before.is === "file" ? goal.expect === before.stamp : before.is === "link" ? goal.expect !== null : goal.expect === null
    )
    if (!isExpected) return yield* new Stopped({ path: goal.path, why: goal.expect === null ? "taken" : "changed" })
    const temporary = `.shiro-${transaction}-${index}`
    const aim: Aim = { goal, before, hardLinks, temporary: `${temporary}.tmp`, back: `${temporary}-back.tmp` }
    return aim
  }))
})

/** The folders that the goals need and that are missing, outer ones first. */
export const missingFolders = Effect.fnUntraced(function*(ground: Ground, goals: ReadonlyArray<Goal>) {
  const missing = new Set<string>()
  const isThere = Effect.fnUntraced(function*(path: string) {
    return yield* ground.folder(path).pipe(
      Effect.as(true),
      Effect.catchIf((fault) => fault.code === "ENOENT", () => Effect.succeed(false)),
      at(path)
    )
  })
  const need = Effect.fnUntraced(function*(path: string): Effect.fn.Return<void, Stopped, Scope.Scope> {
    if (missing.has(path) || (yield* isThere(path))) return
    yield* need(split(path).folder)
    missing.add(path)
  })
  for (const { path, want } of goals) if (want.is !== "nothing") yield* need(split(path).folder)
  return [...missing]
})

/** Keeps what is there in the transaction's folder: a second name of it, or a copy where others could write to it; a link anew. */
const keep = Effect.fnUntraced(function*(ground: Ground, folder: Folder, aim: Aim, index: number) {
  const { before, goal } = aim
  if (before.is === "nothing") return before
  const image = `${index}`
  if (before.is === "link") {
    yield* ground.disk.symlink(before.text, folder, image)
    return { ...before, image } satisfies State
  }
  const spot = yield* ground.spot(goal.path)
  const copy = copyInto(ground.disk, spot, { folder, name: image }, before)
  yield* aim.hardLinks > 1 ? copy : ground.disk.link(spot.folder, spot.name, folder, image).pipe(whereNoLink(copy))
  return { ...before, image } satisfies State
})

const newFile = Effect.fnUntraced(function*(ground: Ground, folder: Folder, name: string, want: Want & { is: "content" }) {
  const { disk } = ground
  const file = yield* disk.create(folder, name, want.mode === null ? 0o666 : 0o600)
  yield* disk.write(file, want.bytes, 0)
  const now = yield* disk.statOf(file)
  const { owner } = want
  const isOwner = owner === null || (owner.uid === now.uid && owner.gid === now.gid)
    || (yield* Effect.isSuccess(disk.setAttributes(file, { owner })))
  // Somebody else's set-id bits are not for this user's file.
  if (want.mode !== null) yield* disk.setAttributes(file, { mode: isOwner ? want.mode : want.mode & 0o777 })
  yield* disk.flush(file)
  return { after: { ...fileState(yield* disk.statOf(file)), hash: hashOf(want.bytes) } satisfies State, isOwner }
}, Effect.scoped)

/** Makes the temporary file of a path. A link that comes to a free place needs none. */
const prepare = Effect.fnUntraced(function*(ground: Ground, aim: Aim, aims: ReadonlyArray<Aim>, earlier: Earlier) {
  const { goal: { path, want }, temporary } = aim
  const { disk } = ground
  const asLink = (folder: Folder, text: string) =>
    Effect.as(
      aim.before.is === "nothing" ? Effect.void : disk.symlink(text, folder, temporary),
      { after: { is: "link", text, image: null } satisfies State, isOwner: true }
    )
  const asCopy = (from: { readonly folder: Folder; readonly name: string }, folder: Folder, like: FileState) =>
    Effect.map(copyInto(disk, from, { folder, name: temporary }, like), ({ stat, isOwner }) =>
      ({ after: { ...fileState(stat), hash: like.hash } satisfies State, isOwner }))

  if (want.is === "nothing") return { after: { is: "nothing" } satisfies State, isOwner: true }
  const { folder } = yield* ground.spot(path).pipe(at(path))
  if (want.is === "content") return yield* newFile(ground, folder, temporary, want).pipe(at(path))
  if (want.is === "moved") {
    const source = aims.find((other) => other.goal.path === want.from)?.before
    const from = yield* ground.spot(want.from).pipe(at(path))
    if (source === undefined || source.is === "nothing") return yield* new Stopped({ path: want.from, why: "changed" })
    if (source.is === "link") return yield* asLink(folder, source.text).pipe(at(path))
    return yield* Effect.as(disk.link(from.folder, from.name, folder, temporary), { after: source, isOwner: true }).pipe(
      whereNoLink(asCopy(from, folder, source)),
      at(path)
    )
  }
  const kept = yield* earlier(want.transaction, path)
  if (kept.state.is === "nothing") return { after: kept.state, isOwner: true }
  if (kept.state.is === "link") return yield* asLink(folder, kept.state.text).pipe(at(path))
  return yield* asCopy({ folder: kept.folder, name: kept.state.image ?? "" }, folder, kept.state).pipe(at(path))
})

/** Keeps what is there and makes what is to come, all of it out of sight. */
export const stage = Effect.fnUntraced(function*(ground: Ground, folder: Folder, aims: ReadonlyArray<Aim>, earlier: Earlier) {
  return yield* Effect.forEach(aims, Effect.fnUntraced(function*(aim, index) {
    const before = yield* keep(ground, folder, aim, index).pipe(at(aim.goal.path))
    const { after, isOwner } = yield* prepare(ground, aim, aims, earlier)
    const step: Step = { path: aim.goal.path, before, after }
    return { step, isOwner }
  }), { concurrency: 4 })
})
