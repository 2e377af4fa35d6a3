import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { DiskPort, DiskStat, Folder } from "../Disk.js"
import { DiskFault } from "../Disk.js"
import type { Walk } from "../disk/walk.js"
import type { NotCommitted } from "../Journal.js"
import type { State } from "./record.js"

/** Where a transaction stopped. */
export class Stopped extends Data.TaggedError("Stopped")<{
  readonly path: string
  readonly why: NotCommitted["why"]
}> {}

export const split = (path: string): { readonly folder: string; readonly name: string } => {
  const cut = path.lastIndexOf("/")
  return cut === -1 ? { folder: ".", name: path } : { folder: path.slice(0, cut), name: path.slice(cut + 1) }
}

/** The workspace as a transaction works on it: folders opened once, without following any link. */
export interface Ground {
  readonly disk: DiskPort
  readonly folder: (path: string) => Effect.Effect<Folder, DiskFault, Scope.Scope>
  /** The folder a path lies in, and its name there. */
  readonly spot: (path: string) => Effect.Effect<{ readonly folder: Folder; readonly name: string }, DiskFault, Scope.Scope>
  /** Fails where one of these folders lies outside the workspace by now. */
  readonly stillInside: (paths: Iterable<string>) => Effect.Effect<void, Stopped, Scope.Scope>
}

export const makeGround = Effect.fnUntraced(function*(disk: DiskPort, walk: Walk, rootPath: string) {
  const root = yield* disk.root(rootPath)
  const known = new Map<string, Folder>([[".", root]])
  const folder: Ground["folder"] = Effect.fnUntraced(function*(path: string) {
    const found = known.get(path)
    if (found !== undefined) return found
    const at = split(path)
    const opened = yield* disk.folder(yield* folder(at.folder), at.name)
    known.set(path, opened)
    return opened
  })
  const ground: Ground = {
    disk,
    folder,
    spot: (path) => {
      const at = split(path)
      return Effect.map(folder(at.folder), (opened) => ({ folder: opened, name: at.name }))
    },
    stillInside: (paths) =>
      Effect.forEach(paths, (path) =>
        Effect.flatMap(folder(path), (opened) => walk.inside(root, opened, path)).pipe(
          Effect.mapError((why) => new Stopped({ path, why }))
        ), { discard: true })
  }
  return ground
})

const isMissing = (fault: DiskFault) => fault.code === "ENOENT" || fault.code === "ENOTDIR"
export const unlessMissing = <A, R>(effect: Effect.Effect<A, DiskFault, R>) =>
  Effect.catchIf(effect, isMissing, () => Effect.succeed(null))

export const fileState = (stat: DiskStat): State & { readonly is: "file" } => ({
  is: "file",
  stamp: stat.stamp,
  mode: stat.mode,
  uid: stat.uid,
  gid: stat.gid,
  modified: stat.modified,
  image: null,
  hash: null
})

/** What is at a path (null: what no transaction deals with), and how many names it has. */
export const stateAt = Effect.fnUntraced(function*(ground: Ground, path: string) {
  const spot = yield* unlessMissing(ground.spot(path))
  const stat = spot === null ? null : yield* unlessMissing(ground.disk.stat(spot.folder, spot.name))
  const found = (state: State | null) => ({ state, hardLinks: stat?.hardLinks ?? 0 })
  if (spot === null || stat === null) return found({ is: "nothing" })
  if (stat.kind === "file") return found(fileState(stat))
  if (stat.kind !== "link") return found(null)
  return found({ is: "link", text: yield* ground.disk.readLink(spot.folder, spot.name), image: null })
})

export const isSame = (expected: State, now: State | null): boolean =>
  now !== null && (
    (expected.is === "nothing" && now.is === "nothing")
    || (expected.is === "link" && now.is === "link" && expected.text === now.text)
    || (expected.is === "file" && now.is === "file" && expected.stamp === now.stamp)
  )

const noHardLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV", "EACCES", "ENOSPC", "EDQUOT"])
/** Runs `instead` where a hard link cannot be made. */
export const whereNoLink = <A, E, R>(instead: Effect.Effect<A, E, R>) =>
  <B, R2>(link: Effect.Effect<B, DiskFault, R2>): Effect.Effect<A | B, E | DiskFault, R | R2> =>
    Effect.catchIf(link, (fault) => noHardLinks.has(fault.code), () => instead)

export interface Named {
  readonly folder: Folder
  readonly name: string
}
/** Renames if the new name is free by a look; one taken right after it would be replaced. */
export const renameIfFree = ({ disk }: Ground, from: Named, to: Named) =>
  Effect.flatMap(unlessMissing(disk.stat(to.folder, to.name)), (stat) =>
    stat === null
      ? disk.rename(from.folder, from.name, to.folder, to.name)
      : new DiskFault({ code: "EEXIST", call: "rename", name: to.name }))

/**
 * Gives a file another name if that is free. A second name is made, then the first removed: unlike a rename this never
 * replaces. Where no hard link can be made a look must do.
 */
export const settle = Effect.fnUntraced(function*(ground: Ground, from: Named, to: Named) {
  const { disk } = ground
  const byRename = Effect.as(renameIfFree(ground, from, to), false)
  const isLinked = yield* Effect.as(disk.link(from.folder, from.name, to.folder, to.name), true).pipe(whereNoLink(byRename))
  if (isLinked) yield* disk.unlink(from.folder, from.name)
})

const blockBytes = 1_048_576

/** Whether two files hold the same bytes. */
export const haveSameContent = Effect.fnUntraced(function*(disk: DiskPort, one: Named, other: Named) {
  const [first, second] = [yield* disk.open(one.folder, one.name), yield* disk.open(other.folder, other.name)]
  const blocks = [new Uint8Array(blockBytes), new Uint8Array(blockBytes)] as const
  for (let position = 0;;) {
    const count = yield* disk.read(first, blocks[0], position)
    if (count !== (yield* disk.read(second, blocks[1], position))) return false
    if (count === 0) return true
    if (Buffer.compare(blocks[0].subarray(0, count), blocks[1].subarray(0, count)) !== 0) return false
    position += count
  }
}, Effect.scoped)

/** Copies content into a new file of that name, readable by this user only until its attributes are set. */
export const copyInto = Effect.fnUntraced(function*(
  disk: DiskPort,
  from: Named,
  to: Named,
  like: State & { readonly is: "file" }
) {
  const source = yield* disk.open(from.folder, from.name)
  const copy = yield* disk.create(to.folder, to.name, 0o600)
  const block = new Uint8Array(blockBytes)
  for (let position = 0;;) {
    const count = yield* disk.read(source, block, position)
    if (count === 0) break
    yield* disk.write(copy, block.subarray(0, count), position)
    position += count
  }
  const isOwner = yield* Effect.isSuccess(disk.setAttributes(copy, { owner: like }))
  yield* disk.setAttributes(copy, { mode: isOwner ? like.mode : like.mode & 0o777, modified: like.modified })
  yield* disk.flush(copy)
  return { stat: yield* disk.statOf(copy), isOwner }
}, Effect.scoped)
