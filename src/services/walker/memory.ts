import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DiskFault, DiskPort } from "../Disk.js"
import { Disk } from "../Disk.js"
import { Jail } from "../Jail.js"
import { Walker } from "../Walker.js"
import type { Listing } from "./listing.js"
import { make } from "./make.js"

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/"
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1)

/** A disk in memory answers at once, so that its effects can be run in place. */
export const listingOn = (disk: DiskPort): Listing => ({
  list: (folder) =>
    Effect.runSync(Effect.scoped(Effect.flatMap(disk.root(folder), disk.list)).pipe(
      Effect.map((names) => [...names]),
      Effect.catchAll((fault: DiskFault) => Effect.succeed(fault.code))
    )),
  text: (file) =>
    Effect.runSync(Effect.scoped(Effect.gen(function*() {
      const opened = yield* disk.open(yield* disk.root(folderOf(file)), nameOf(file))
      const { kind, size } = yield* disk.statOf(opened)
      if (kind !== "file") return null
      const bytes = new Uint8Array(size)
      yield* disk.read(opened, bytes, 0)
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    })).pipe(Effect.catchAll(() => Effect.succeed(null)))),
  stat: (path, follow) =>
    Effect.runSync(Effect.scoped(Effect.gen(function*() {
      const real = follow ? yield* disk.realPath(path) : path
      const folder = yield* disk.root(folderOf(real))
      return yield* nameOf(real) === "" ? disk.statOf(folder) : disk.stat(folder, nameOf(real))
    })).pipe(Effect.catchAll(() => Effect.succeed(null))))
})

/** The same walk on the disk in memory. */
export const WalkerMemory = Layer.effect(
  Walker,
  Effect.gen(function*() {
    const disk = yield* Disk
    return make(listingOn(disk), disk, yield* Jail)
  })
)
