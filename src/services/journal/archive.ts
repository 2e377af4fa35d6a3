import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import type { DiskPort, Folder } from "../Disk.js"
import { DiskFault } from "../Disk.js"
import { unlessMissing } from "./ground.js"

/** Names the part of the home that belongs to a workspace, by its real path. */
export const workspaceKey = (root: string) => createHash("sha256").update(root).digest("hex").slice(0, 16)

/** `open`: not finished; `done`: finished, kept for undo; `left`: could not be taken back whole, kept for the user. */
export type Shelf = "open" | "done" | "left"
export const shelfPath = (home: string, workspace: string, shelf: Shelf) => `${home}/journal/${workspace}/${shelf}`

/** A shelf, made where it is missing. */
export const openShelf = (disk: DiskPort, home: string, workspace: string, shelf: Shelf) => {
  const path = shelfPath(home, workspace, shelf)
  return disk.root(path).pipe(
    Effect.catchIf((fault) => fault.code === "ENOENT", () => Effect.zipRight(disk.makeRoot(path), disk.root(path)))
  )
}
export const peekShelf = (disk: DiskPort, home: string, workspace: string, shelf: Shelf) =>
  unlessMissing(disk.root(shelfPath(home, workspace, shelf)))

/** Sorts by time, and tells it. */
export const transactionName = (time: number, id: string) => `${Math.floor(time).toString().padStart(14, "0")}-${id}`
export const timeOf = (name: string) => Number(name.slice(0, 14))

export const writeText = Effect.fnUntraced(function*(disk: DiskPort, folder: Folder, name: string, text: string, flush: boolean) {
  const file = yield* disk.create(folder, name, 0o600)
  yield* disk.write(file, Buffer.from(text, "utf8"), 0)
  if (flush) yield* disk.flush(file)
}, Effect.scoped)

/** What a file of the journal says; null where it is missing or was never written whole. */
export const readRecord = Effect.fnUntraced(function*<A>(disk: DiskPort, folder: Folder, name: string, as: Schema.Schema<A, string>) {
  const file = yield* unlessMissing(disk.open(folder, name))
  if (file === null) return null
  const { size } = yield* disk.statOf(file)
  const bytes = Buffer.alloc(size)
  for (let position = 0; position < size;) {
    const count = yield* disk.read(file, bytes.subarray(position), position)
    if (count === 0) return yield* new DiskFault({ code: "EIO", call: "read", name })
    position += count
  }
  return yield* Schema.decode(as)(bytes.toString("utf8")).pipe(Effect.catchAll(() => Effect.succeed(null)))
}, Effect.scoped)
