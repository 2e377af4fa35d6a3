import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { access, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { list, searchGlobs } from "./listing.js"

/** Larger files are no place for secrets that people type; what lies behind is not masked. */
const mostBytes = 1024 * 1024

const never = new Set([".git", "node_modules"])

/** File names below `root`, ignored ones too, by ripgrep; null where it could not be run. */
export const byRipgrep = (rg: string, root: string, globs: ReadonlyArray<string>) =>
  Effect.async<ReadonlyArray<string> | null>((resume) => {
    const { names, stop } = list(rg, root, globs)
    void names.then((found) => resume(Effect.succeed(found)))
    return Effect.sync(stop)
  })

/** The same without ripgrep: every folder is read, none is followed through a link. */
export const byReading = (root: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async (signal) => {
    const found: Array<string> = []
    const folders = [""]
    for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        if (never.has(entry.name)) continue
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory()) folders.push(path)
        else found.push(path)
      }
    }
    return found
  })

const ids = (content: Buffer) =>
  ["sha1", "sha256"].map((algorithm) => createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest("hex"))

/** A regular file's content and identity; null for anything else, or what cannot be read. */
export const look = (root: string, path: string) =>
  Effect.promise(async () => {
    const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
    if (handle === null) return null
    try {
      const facts = await handle.stat({ bigint: true })
      if (!facts.isFile()) return null
      const identity = `${facts.dev}:${facts.ino}`
      if (facts.size > mostBytes) return { path, identity, text: "", blobs: [] }
      const content = await handle.readFile()
      return { path, identity, text: content.toString("utf8"), blobs: ids(content) }
    } catch {
      return null
    } finally {
      await handle.close()
    }
  })

/** Of these values the ones that name something on this machine. */
export const existing = (root: string, values: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const paths = values.filter((value) => value.includes("/") && value.length < 1000 && !value.includes("\n") && !value.includes("\0"))
    const there = await Promise.all(paths.map((path) => access(path.startsWith("/") ? path : join(root, path)).then(() => true, () => false)))
    return new Set(paths.filter((_, index) => there[index]))
  })

export const globsFor = (onlyBuiltIn: boolean): ReadonlyArray<string> => onlyBuiltIn ? searchGlobs : []
