import * as Effect from "effect/Effect"
import type { BigIntStats } from "node:fs"
import { accessSync, constants, lstatSync } from "node:fs"
import type { State } from "../journal/record.js"

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
  /** in the store's index, with another content now, or not in it yet */
  readonly dirty: ReadonlyArray<string>
  /** in the store's index, and no file or link any more */
  readonly gone: ReadonlyArray<string>
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

/** Reads `git ls-files -t -z` and looks at each of the files. `E` marks one that is taken up if it is not in yet. */
export const surveyOf = Effect.fnUntraced(function*(root: string, listing: string) {
  const look = makeLook(root)
  const there = new Map<string, Facts>()
  const tags = new Map<string, "same" | "dirty">()
  for (const record of listing.split("\0")) {
    const path = record.slice(2)
    if (path === "" || !isStorable(path)) continue
    if (record[0] === "C" || record[0] === "?" || (record[0] === "E" && !tags.has(path))) tags.set(path, "dirty")
    else if (!tags.has(path)) tags.set(path, "same")
  }
  let count = 0
  for (const path of tags.keys()) {
    const facts = look(path)
    if (facts !== null) there.set(path, facts)
    if (++count % 2_000 === 0) yield* Effect.yieldNow()
  }
  const all = [...tags]
  const survey: Survey = {
    there,
    dirty: all.flatMap(([path, tag]) => tag === "dirty" && there.has(path) ? [path] : []),
    gone: all.flatMap(([path]) => there.has(path) ? [] : [path])
  }
  return survey
})
