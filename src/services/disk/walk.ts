import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { DiskPort, DiskStat, Folder, OpenFile } from "../Disk.js"
import { DiskFault } from "../Disk.js"
import type { Jail } from "../Jail.js"
import { PathEscapes } from "../Jail.js"

/** Where a path leads. The folder stays open with the scope. */
export interface Spot {
  /** Workspace-relative without any link in it, POSIX separators; `.` for the root. */
  readonly path: string
  readonly root: Folder
  /** The folders on the way that exist, the root not among them. */
  readonly folders: ReadonlyArray<Folder>
  /** The deepest of them, or the root. */
  readonly folder: Folder
  /** Folders below it that do not exist, on the way to `name`. */
  readonly missing: ReadonlyArray<string>
  /** The last part; empty for the root. */
  readonly name: string
  /** null where there is nothing */
  readonly stat: DiskStat | null
}
export interface Walk {
  /** Where `path` (as a model gave it) leads. `follow`: also through a link that is its last part. */
  readonly to: (path: string, follow: boolean) => Effect.Effect<Spot, PathEscapes | DiskFault, Scope.Scope>
  /** An open folder of the workspace. */
  readonly folder: (path: string) => Effect.Effect<Folder, PathEscapes | DiskFault, Scope.Scope>
  /** Opens the file at a spot for reading, and makes sure that it is a regular one in the workspace. */
  readonly open: (spot: Spot, path: string) => Effect.Effect<OpenFile, PathEscapes | DiskFault, Scope.Scope>
  /** Fails where an open file or folder is not in the workspace (any more). */
  readonly inside: (root: Folder, open: OpenFile | Folder, path: string) => Effect.Effect<void, PathEscapes | DiskFault>
}

type JailService = Context.Tag.Service<Jail>

/** As Linux has it. */
const maxLinks = 40
export const partsOf = (path: string): Array<string> => path.split("/").filter((part) => part !== "" && part !== ".")

const orMissing = <A, R>(effect: Effect.Effect<A, DiskFault, R>) =>
  Effect.catchIf(effect, (fault) => fault.code === "ENOENT", () => Effect.succeed(null))

/** How far a walk has come: the folders opened from the root on, their names, and what is still to go. */
interface Way {
  readonly root: Folder
  readonly folders: Array<Folder>
  readonly names: Array<string>
  readonly ahead: Array<string>
  /** levels above the root, where a link leads out of it and perhaps back */
  above: number
  links: number
}
const parentOn = (way: Way) => way.folders[way.folders.length - 1] ?? way.root

/** Goes on along the link `name` instead. */
const follow = Effect.fnUntraced(function*(disk: DiskPort, jail: JailService, way: Way, name: string, path: string) {
  way.links += 1
  if (way.links > maxLinks) return yield* new DiskFault({ code: "ELOOP", call: "readlink", name })
  const text = yield* disk.readLink(parentOn(way), name)
  if (!text.startsWith("/")) {
    way.ahead.unshift(...partsOf(text))
    return
  }
  const relative = yield* Effect.mapError(jail.relative(text), () => new PathEscapes({ path }))
  way.folders.length = 0
  way.names.length = 0
  way.ahead.unshift(...partsOf(relative))
})

/** Goes into the folder `name`, or along the link of that name; false where there is nothing. */
const enter = Effect.fnUntraced(function*(disk: DiskPort, jail: JailService, way: Way, name: string, path: string) {
  const parent = parentOn(way)
  const folder = yield* orMissing(disk.folder(parent, name)).pipe(
    Effect.catchIf((fault) => fault.code === "ENOTDIR" || fault.code === "ELOOP", (fault) =>
      Effect.flatMap(disk.stat(parent, name), ({ kind }) => kind === "link" ? Effect.succeed("link" as const) : fault))
  )
  if (folder === null) return false
  if (folder === "link") {
    yield* follow(disk, jail, way, name, path)
    return true
  }
  way.folders.push(folder)
  way.names.push(name)
  return true
})

/** `..`, and the way back from above the root; true where that was all that `part` means. */
const climb = (way: Way, part: string, rootParts: ReadonlyArray<string>): boolean | "escaped" => {
  if (part === "..") {
    if (way.names.pop() === undefined) way.above += 1
    else way.folders.pop()
    return true
  }
  if (way.above === 0) return false
  // Whoever climbed out comes back by the root's own names, or not at all.
  if (rootParts[rootParts.length - way.above] !== part) return "escaped"
  way.above -= 1
  return true
}

const spotOn = (way: Way, { folders, missing = [], names, stat }: {
  readonly names: ReadonlyArray<string>
  readonly folders: ReadonlyArray<Folder>
  readonly missing?: ReadonlyArray<string>
  readonly stat: DiskStat | null
}): Spot => ({
  path: names.join("/") || ".",
  root: way.root,
  folders,
  folder: folders[folders.length - 1] ?? way.root,
  missing,
  name: names[names.length - 1] ?? "",
  stat
})

/** The rest of a way on which `name` does not exist. */
const missingSpot = (way: Way, first: string): Spot | null => {
  const missing = [first, ...way.ahead]
  const name = missing.pop()
  if (name === undefined || name === ".." || missing.includes("..")) return null
  return spotOn(way, { names: [...way.names, ...missing, name], folders: way.folders, missing, stat: null })
}

const walkTo = Effect.fnUntraced(function*(disk: DiskPort, jail: JailService, path: string, followLast: boolean) {
  const rootParts = partsOf(jail.root)
  const ahead = partsOf(yield* jail.relative(path))
  const way: Way = { root: yield* disk.root(jail.root), folders: [], names: [], ahead, above: 0, links: 0 }
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    const climbed = climb(way, part, rootParts)
    if (climbed === "escaped") return yield* new PathEscapes({ path })
    if (climbed) continue
    if (ahead.length === 0) {
      const stat = yield* orMissing(disk.stat(parentOn(way), part))
      if (stat?.kind !== "link" || !followLast) {
        return spotOn(way, { names: [...way.names, part], folders: way.folders, stat })
      }
      yield* follow(disk, jail, way, part, path)
    } else if (!(yield* enter(disk, jail, way, part, path))) {
      return missingSpot(way, part) ?? (yield* new DiskFault({ code: "ENOENT", call: "open", name: part }))
    }
  }
  if (way.above > 0) return yield* new PathEscapes({ path })
  const stat = yield* disk.statOf(parentOn(way))
  return spotOn(way, { names: way.names, folders: way.folders.slice(0, -1), stat })
})

/**
 * Paths below the workspace's root, walked part by part from the root's descriptor without the system following any
 * link. Links are resolved here, so that each step of where they lead is seen; one that leaves the root is refused.
 */
export const makeWalk = (disk: DiskPort, jail: JailService): Walk => {
  const to = (path: string, followLast: boolean) => walkTo(disk, jail, path, followLast)

  const inside = Effect.fnUntraced(function*(root: Folder, open: OpenFile | Folder, path: string) {
    const here = yield* disk.where(open)
    const top = yield* disk.where(root)
    if (here === null || top === null || here === top) return
    if (!here.startsWith(top === "/" ? "/" : `${top}/`)) return yield* new PathEscapes({ path })
  })

  const folder = Effect.fnUntraced(function*(path: string) {
    const spot = yield* to(path, true)
    if (spot.name === "") return spot.root
    const opened = yield* disk.folder(spot.folder, spot.name)
    yield* inside(spot.root, opened, path)
    return opened
  })

  const open = Effect.fnUntraced(function*(spot: Spot, path: string) {
    const file = yield* disk.open(spot.folder, spot.name)
    const stat = yield* disk.statOf(file)
    if (stat.kind !== "file") return yield* new DiskFault({ code: "ESTALE", call: "open", name: spot.name })
    yield* inside(spot.root, file, path)
    return file
  })

  return { to, folder, open, inside }
}
