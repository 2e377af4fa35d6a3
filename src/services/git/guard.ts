import * as Effect from "effect/Effect"
import { join } from "node:path"
import { absent } from "./names.js"
import { identityOf } from "./place.js"
import type { Repository } from "./repository.js"

/** Ids of the blob without content: a denied file may be empty, and so are many others. */
const emptyBlobs = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
])

/** A path from the top of the work tree as seen from the workspace; `../x` where it lies outside. */
export const toWorkspace = (prefix: string, path: string): string => {
  if (prefix === "") return path
  if (path === prefix) return "."
  if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length + 1)
  const here = prefix.split("/")
  const there = path.split("/")
  let common = 0
  while (common < here.length && common < there.length - 1 && here[common] === there[common]) common++
  return [...here.slice(common).map(() => ".."), ...there.slice(common)].join("/")
}
export const isInside = (prefix: string, path: string): boolean => prefix === "" || path.startsWith(`${prefix}/`)

/** A path as the model gave it, from the top of the work tree; "" is the top itself. */
export const toTop = Effect.fnUntraced(function*({ jail, prefix }: Repository, path: string) {
  const relative = yield* jail.relative(path)
  return [prefix, relative === "." ? "" : relative].filter((part) => part !== "").join("/")
})

/** Exactly this file or folder, whatever signs its name holds. */
export const only = (path: string): string => path === "" ? ":(top)" : `:(top,literal)${path}`
export const without = (path: string): string => `:(top,exclude,literal)${path}`

export interface Suspect {
  /** from the top of the work tree */
  readonly names: ReadonlyArray<string>
  readonly blobs: ReadonlyArray<string>
  /** the work tree's file of the first name is read */
  readonly onDisk: boolean
}

/** Whether content may not come out: by any of its names, by blob id, by the file's identity on disk (a hard link). */
export const isDenied = Effect.fnUntraced(function*(repository: Repository, { blobs, names, onDisk }: Suspect) {
  const { secrets } = repository
  if (names.some((name) => secrets.deniedName(toWorkspace(repository.prefix, name)))) return true
  const ids = blobs.filter((blob) => !absent(blob) && !emptyBlobs.has(blob))
  if (ids.length > 0) {
    const denied = yield* secrets.deniedBlobs
    if (ids.some((id) => denied.has(id))) return true
  }
  const [name] = names
  if (!onDisk || name === undefined) return false
  const identity = yield* identityOf(join(repository.top, name))
  return identity !== null && (yield* secrets.deniedIdentity(identity))
})
