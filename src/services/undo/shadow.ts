import * as Effect from "effect/Effect"
import * as fs from "node:fs/promises"
import { join } from "node:path"
import type { UserConfig } from "../git/hardening.js"
import type { Program } from "../git/program.js"
import { dropOrphans, secure } from "./borrowed.js"
import type { Ground, Store } from "./store.js"
import { openStore } from "./store.js"

const chunkFiles = 1_000
const chunkBytes = 32_000_000
/** So many files, and bytes, are rather stored once more than looked for in the repository. */
const fewFiles = 200
const fewBytes = 4_000_000
/** After so many it is made sure that what was borrowed stays. */
const secureEvery = 10_000

/** Paths in portions that one run of git ends soon. */
const chunked = (paths: ReadonlyArray<string>, size: (path: string) => number): ReadonlyArray<ReadonlyArray<string>> => {
  const chunks: Array<Array<string>> = []
  let bytes = Infinity
  for (const path of paths) {
    const last = chunks.at(-1)
    if (last === undefined || last.length >= chunkFiles || bytes + size(path) > chunkBytes) {
      chunks.push([path])
      bytes = size(path)
    } else {
      last.push(path)
      bytes += size(path)
    }
  }
  return chunks
}

/** What git lists of the workspace. */
const listingOf = ({ ask, told }: Store, { gitDir, ownPlace, shared }: Ground) => {
  const excludes = [
    "--exclude-standard", "-x", "node_modules/",
    ...ownPlace === null ? [] : ["-x", `/${ownPlace.replace(/[\\*?[ ]/g, "\\$&")}/`]
  ]
  const withExcludes = Effect.suspend(() => {
    if (shared === null) return Effect.succeed(excludes)
    const file = join(shared, "info/exclude")
    return Effect.promise(() => fs.lstat(file).then((facts) => facts.isFile() ? [...excludes, `--exclude-from=${file}`] : excludes, () => excludes))
  })

  /** What is tracked by the user although it is ignored. */
  let lastIndex = ""
  const trackedButIgnored = Effect.gen(function*() {
    if (gitDir === null) return ""
    const facts = yield* Effect.promise(() => fs.lstat(join(gitDir, "index"), { bigint: true }).catch(() => null))
    const now = facts === null ? "" : `${facts.ino} ${facts.size} ${facts.ctimeNs}`
    // Anything but a file, a pipe above all, would keep git waiting.
    if (now === lastIndex || facts?.isFile() !== true) return ""
    lastIndex = now
    return yield* Effect.flatMap(withExcludes, (all) => ask(["ls-files", "-z", "-c", "-i", ...all], { indexFile: join(gitDir, "index") })).pipe(
      Effect.map(({ code, out }) => code === 0 ? out : "")
    )
  })
  return {
    files: Effect.flatMap(withExcludes, (all) => told(["ls-files", "-z", "-t", "-c", "-o", ...all])),
    touched: told(["diff-files", "-z", "--name-only", "--relative", "--no-ext-diff", "--ignore-submodules=all"]),
    trackedButIgnored,
    /** What was listed did not get into the store. */
    listAnew: Effect.sync(() => {
      lastIndex = ""
    })
  }
}

/** Brings the index up to date. Gives the paths that git did not take. */
const save = Effect.fnUntraced(function*(store: Store, gone: ReadonlyArray<string>, dirty: ReadonlyArray<string>, size: (path: string) => number) {
  const bytes = dirty.reduce((sum, path) => sum + size(path), 0)
  const borrows = store.lender !== null && (dirty.length > fewFiles || bytes > fewBytes)
  const missed: Array<string> = []
  for (const chunk of chunked(gone, () => 0)) yield* store.remove(chunk)
  let borrowed: Array<string> = []
  const chunks = chunked(dirty, size)
  for (const [at, chunk] of chunks.entries()) {
    missed.push(...yield* store.add(chunk, borrows))
    if (borrows) borrowed.push(...chunk)
    if (borrowed.length >= secureEvery || at === chunks.length - 1) {
      if (borrows) missed.push(...yield* secure(store, borrowed))
      borrowed = []
    }
    // What was done when the time is up need not be done again; what was only borrowed by then does.
    if (borrowed.length === 0) yield* store.publish
  }
  if (chunks.length === 0) yield* store.publish
  return missed
})

/**
 * What undo keeps of the workspace. Files that the user's repository holds already are not stored again: they get
 * further links to its files, which stay when a command removes them there.
 */
export const openShadow = Effect.fnUntraced(function*(
  git: Program,
  environment: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
  user: UserConfig,
  ground: Ground,
  own: string
) {
  const store = yield* openStore(git, environment, homeFolder, user, ground, own)
  const { prefix } = ground
  const listing = listingOf(store, ground)
  return {
    ...listing,
    save: Effect.fnUntraced(function*(gone: ReadonlyArray<string>, dirty: ReadonlyArray<string>, size: (path: string) => number) {
      if (gone.length + dirty.length === 0) return []
      yield* store.unlock
      return yield* Effect.onError(save(store, gone, dirty, size), () => Effect.zipRight(store.takeUp, listing.listAnew))
    }),
    /** Writes files' contents as the index has them into a folder; gives their names there. */
    write: Effect.fnUntraced(function*(paths: ReadonlyArray<string>, folder: string) {
      const names = new Map<string, string>()
      // Once more for what a run of git that was killed has left out.
      for (let missing = paths, times = 0; missing.length > 0 && times < 2; times++) {
        const stdin = missing.map((path) => `${prefix}${path}\0`).join("")
        const { out } = yield* store.ask(["checkout-index", "--temp", "-q", "-z", "--stdin"], { stdin, workTree: folder, cwd: folder })
        for (const record of out.split("\0")) {
          const cut = record.indexOf("\t")
          if (cut > 0 && record.slice(0, cut) !== ".") names.set(record.slice(cut + 1 + prefix.length), record.slice(0, cut))
        }
        missing = missing.filter((path) => !names.has(path))
      }
      return names
    }),
    /** Removes contents that are of no use any more. */
    prune: Effect.fnUntraced(function*(before: number) {
      yield* store.ask(["prune", `--expire=@${Math.floor(before / 1000)}`], { indexFile: store.common })
      const names = yield* Effect.promise(() => fs.readdir(store.folder).catch(() => []))
      // Another run's index may rely on them.
      if (names.some((name) => name.startsWith("index.") && !name.startsWith(`index.${own}`))) return
      if ((yield* dropOrphans(store.objects, before)) > 0) yield* Effect.zipRight(secure(store, null), store.publish)
    }),
    close: store.close
  }
})
export type Shadow = Effect.Effect.Success<ReturnType<typeof openShadow>>
