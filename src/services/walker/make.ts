import * as Effect from "effect/Effect"
import type { DiskPort } from "../Disk.js"
import { DiskFault } from "../Disk.js"
import { makeWalk } from "../disk/walk.js"
import { FileTrouble, NoSuchFile, WrongKind } from "../Files.js"
import type { Jail } from "../Jail.js"
import type { Walked } from "../Walker.js"
import { Walker } from "../Walker.js"
import type { Listing } from "./listing.js"
import type { Walk } from "./walk.js"
import { makePlaces, walkFolder } from "./walk.js"

/** How long a walk may keep the thread before others get their turn, in milliseconds; the clock is read every few folders. */
const slice = 10
const foldersBetween = 16

const othersFirst = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** Runs to the end, in slices. */
const inSlices = (walk: Walk): Effect.Effect<Walked> =>
  Effect.suspend(() => {
    const end = performance.now() + slice
    do {
      for (let folder = 0; folder < foldersBetween; folder++) if (!walk.step()) return Effect.succeed(walk.walked)
    } while (performance.now() < end)
    return Effect.zipRight(othersFirst, inSlices(walk))
  })

const faultOf = (path: string, code: string) =>
  code === "ENOENT"
    ? new NoSuchFile({ path })
    : code === "ENOTDIR"
    ? new WrongKind({ path, is: "a file", hint: "Give a folder here; read_file shows a file." })
    : new FileTrouble({ path, doing: "list", code, state: "" })

export const make = (listing: Listing, disk: DiskPort, jail: typeof Jail.Service) => {
  const way = makeWalk(disk, jail)
  const start = Effect.fnUntraced(function*(path: string) {
    const shown = yield* jail.relative(path)
    if (shown === ".") return { shown, real: shown }
    const spot = yield* way.to(path, true)
    if (spot.stat === null) return yield* new NoSuchFile({ path: shown })
    if (spot.stat.kind !== "folder") return yield* faultOf(shown, "ENOTDIR")
    return { shown, real: spot.path }
  }, Effect.scoped)

  return Walker.of({
    walk: Effect.fn("Walker.walk")(function*(options = {}) {
      const asked = options.folder ?? "."
      const { real, shown } = yield* Effect.mapError(start(asked), (fault) =>
        fault instanceof DiskFault ? faultOf(asked, fault.code) : fault)
      const walk = walkFolder(listing, jail.root, real, shown, options)
      return walk.trouble === null ? yield* inSlices(walk) : yield* faultOf(shown, walk.trouble)
    }),
    hides: (includeIgnored = false) => Effect.sync(() => makePlaces(listing, jail.root, includeIgnored).hidesFile)
  })
}
