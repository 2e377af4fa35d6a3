import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isAscii, isUtf8 } from "node:buffer"
import { createContext, Script } from "node:vm"
import type { DiskPort } from "../Disk.js"
import { Disk } from "../Disk.js"
import { makeWalk } from "../disk/walk.js"
import { Jail } from "../Jail.js"
import { Search, SearchTooLong } from "../Search.js"
import { Secrets } from "../Secrets.js"
import { Walker } from "../Walker.js"
import type { Done, RunJob } from "./engines.js"
import { make } from "./make.js"
import { makeByteSearch } from "./worker.js"

/** How long one file may take, in milliseconds. */
const patience = 1000

const bytesOn = (disk: DiskPort, jail: typeof Jail.Service) => {
  const way = makeWalk(disk, jail)
  return (path: string) =>
    Effect.scoped(Effect.gen(function*() {
      const spot = yield* way.to(path, false)
      if (spot.stat?.kind !== "file") return null
      const bytes = Buffer.alloc(spot.stat.size)
      yield* disk.read(yield* way.open(spot, path), bytes, 0)
      return bytes
    })).pipe(Effect.orElseSucceed(() => null))
}

/** Runs on this thread what may be stopped; node's `vm` can do that, even in the middle of an expression. */
const stoppable = <A>(run: () => A) => {
  const box: { result: A | null } = { result: null }
  const context = createContext({ run: () => (box.result = run()) })
  const script = new Script("void run()")
  return Effect.try({
    try: () => {
      script.runInContext(context, { timeout: patience })
      return box.result
    },
    catch: () => new SearchTooLong({ seconds: patience / 1000 })
  })
}

/** The same functions as the worker's. */
const runJobOn = (disk: DiskPort, jail: typeof Jail.Service): RunJob => {
  const bytesOf = bytesOn(disk, jail)
  return Effect.fnUntraced(function*({ limit, matcher, paths, perFile }) {
    const search = makeByteSearch({ isAscii, isUtf8 }, matcher, () => {})
    const files: Array<Done["files"][number]> = []
    let room = limit
    let bytes: Buffer | null = null
    const next = stoppable(() => bytes === null ? [] : search(bytes, 1, Math.min(room, perFile)).lines)
    for (const path of paths) {
      if (room <= 0) break
      bytes = yield* bytesOf(path)
      const lines = (yield* next) ?? []
      room -= lines.length
      if (lines.length > 0) files.push({ path, lines })
    }
    return { files, unreadable: [] }
  })
}

/** The built-in search on the disk in memory. */
export const SearchMemory = Layer.effect(
  Search,
  Effect.gen(function*() {
    const disk = yield* Disk
    const jail = yield* Jail
    const way = makeWalk(disk, jail)
    const look = (path: string) =>
      Effect.runSync(Effect.scoped(way.to(path, false)).pipe(
        Effect.map(({ path: real, stat }) => stat?.kind !== "file" || real !== path ? null : stat.hardLinks > 1 ? stat.identity : ""),
        Effect.orElseSucceed(() => null)
      ))
    return yield* make({ ripgrep: Effect.succeed(null), runJob: runJobOn(disk, jail), look }, {
      jail,
      walker: yield* Walker,
      secrets: yield* Secrets
    })
  })
)
