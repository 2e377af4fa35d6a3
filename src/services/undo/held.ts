import { closeSync, constants, openSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Facts } from "./survey.js"
import { isUnchanged, sizeOf } from "./survey.js"

/** A few contents that are kept in memory for the time of a command, which is quicker than bringing the store up to date. */
export type Held = ReadonlyMap<string, { readonly facts: Facts; readonly bytes: Uint8Array }>

const mostFiles = 200
const mostBytes = 4_000_000

const contentOf = (place: string, facts: Facts): Uint8Array | null => {
  try {
    if (facts.is === "link") return readlinkSync(place, "buffer")
    const file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** Takes up these paths, too; null where that would be too much for memory. `missed`: paths that could not be read. */
export const hold = (root: string, before: Held, paths: ReadonlyArray<string>, there: ReadonlyMap<string, Facts>) => {
  const wanted = paths.flatMap((path) => {
    const facts = there.get(path)
    return facts === undefined ? [] : [{ facts, path }]
  })
  const kept = [...before].filter(([path]) => there.has(path) && !paths.includes(path))
  const bytes = kept.reduce((sum, [, { bytes }]) => sum + bytes.length, 0) + wanted.reduce((sum, { facts }) => sum + sizeOf(facts), 0)
  if (kept.length + wanted.length > mostFiles || bytes > mostBytes) return null
  const held = new Map(kept)
  const missed: Array<string> = []
  for (const { facts, path } of wanted) {
    const bytes = contentOf(join(root, path), facts)
    if (bytes === null) missed.push(path)
    else held.set(path, { facts, bytes })
  }
  return { held, missed }
}

/** Whether a path is what is held of it. */
export const isHeld = (held: Held, path: string, facts: Facts | undefined): boolean => {
  const own = held.get(path)
  return own !== undefined && facts !== undefined && isUnchanged(own.facts, facts)
}

/** Writes what is held of these paths into a folder; gives the names there. */
export const writeHeld = (held: Held, paths: ReadonlyArray<string>, folder: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const [at, path] of paths.entries()) {
    const own = held.get(path)
    if (own === undefined) continue
    writeFileSync(join(folder, `held-${at}`), own.bytes, { mode: 0o600, flag: "wx" })
    names.set(path, `held-${at}`)
  }
  return names
}
