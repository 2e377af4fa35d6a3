import * as Effect from "effect/Effect"
import type { BigIntStats } from "node:fs"
import { accessSync, constants, lstatSync } from "node:fs"
import type { State } from "../journal/record.js"
import type { Held } from "./held.js"

/** What is at a path, as far as a snapshot keeps it. */
export type Facts = (State & { readonly is: "file" } | { readonly is: "link" }) & {
  /** `device:inode` */
  readonly identity: string
  /** nanoseconds since 1970: when it came into being (where the system tells, else the same as `touched`), and its last change of any kind */
  readonly born: bigint
  readonly touched: bigint
}

/** One look at the workspace; paths are workspace-relative. */
export interface Survey {
  /** regular files and links that are there, in real folders */
  readonly there: ReadonlyMap<string, Facts>
  /** in the store's index and perhaps with another content now, or not in it yet */
  readonly dirty: ReadonlyArray<string>
  /** in the store's index, and no file or link any more */
  readonly gone: ReadonlyArray<string>
}

/** What is known of the workspace from the last look. */
export interface Known {
  readonly there: ReadonlyMap<string, Facts>
  /** of those, what the store does not hold (too large, unreadable) */
  readonly left: ReadonlySet<string>
  /** of those, what was changed while it was taken into the store, which may hold something later than `there` tells */
  readonly torn: ReadonlySet<string>
  /** of those, what is not in the store as it is now, but here */
  readonly held: Held
  /** nanoseconds since 1970 by the file system, from before the look */
  readonly began: bigint
}

/** Files over this many bytes are left out. */
export const mostBytes = 10_000_000

const statOf = (path: string): BigIntStats | null => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

const factsOf = (stat: BigIntStats | null): Facts | null => {
  if (stat === null) return null
  const times = { identity: `${stat.dev}:${stat.ino}`, touched: stat.ctimeNs, born: stat.birthtimeNs > 0n ? stat.birthtimeNs : stat.ctimeNs }
  if (stat.isSymbolicLink()) return { is: "link", ...times }
  if (!stat.isFile()) return null
  return {
    is: "file",
    ...times,
    // As the disk port makes it.
    stamp: `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}`,
    mode: Number(stat.mode & 0o7777n),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    modified: Number(stat.mtimeMs),
    image: null,
    hash: null
  }
}
export const sizeOf = (facts: Facts): number => facts.is === "link" ? 0 : Number(facts.stamp.split(":")[2])

export const mayRead = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Nothing at all has been done to a file or link between two looks. */
export const isUnchanged = (one: Facts | undefined, other: Facts | null) => one?.identity === other?.identity && one?.touched === other?.touched

/** Looks at paths without following links, also not in folders on the way. */
export const makeLook = (root: string) => {
  const folders = new Map<string, boolean>()
  const isFolder = (path: string): boolean => {
    if (path === "") return true
    const known = folders.get(path)
    if (known !== undefined) return known
    const cut = path.lastIndexOf("/")
    const found = isFolder(cut === -1 ? "" : path.slice(0, cut)) && statOf(`${root}/${path}`)?.isDirectory() === true
    folders.set(path, found)
    return found
  }
  return (path: string): Facts | null => {
    const cut = path.lastIndexOf("/")
    return isFolder(cut === -1 ? "" : path.slice(0, cut)) ? factsOf(statOf(`${root}/${path}`)) : null
  }
}

/** Names that git does not take, or that did not survive decoding. */
const isStorable = (path: string) =>
  !path.endsWith("/") && !path.includes("\ufffd") && path.split("/").every((part) => part.toLowerCase() !== ".git")

/** Seconds are all that git compares of a time, so what was touched about then is looked at again. */
const secondsOfDoubt = 3_000_000_000n

/** What git lists, NUL after each path, relative to the workspace. */
export interface Listing {
  /** `ls-files -t`: in the index, or new */
  readonly files: string
  /** those of the index that are no more what they were by size, times or inode */
  readonly touched: string
  /** to be taken up where they are not in yet */
  readonly more: string
}

/** Looks at the files that may have changed since the last look; of the others what is known still holds. */
export const surveyOf = Effect.fnUntraced(function*(root: string, { files, more, touched }: Listing, known: Known) {
  const look = makeLook(root)
  const changed = new Set(touched.split("\0"))
  const listed = [
    ...files.split("\0").map((record) => ({ path: record.slice(2), isNew: record[0] === "?" })),
    ...more.split("\0").map((path) => ({ path, isNew: true }))
  ]
  const there = new Map<string, Facts>()
  const gone: Array<string> = []
  const dirty: Array<string> = []
  let count = 0
  for (const { isNew, path } of listed) {
    if (path === "" || there.has(path) || !isStorable(path)) continue
    const before = known.there.get(path)
    const isDirty = isNew || changed.has(path)
    const isKnown = before !== undefined && !isDirty && before.touched + secondsOfDoubt < known.began
    if (!isKnown && ++count % 2_000 === 0) yield* Effect.yieldNow()
    const facts = isKnown ? before : look(path)
    if (facts === null) gone.push(path)
    else {
      there.set(path, facts)
      if (isDirty) dirty.push(path)
    }
  }
  const survey: Survey = { there, dirty, gone }
  return survey
})
