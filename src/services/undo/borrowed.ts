import * as Effect from "effect/Effect"
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Store } from "./store.js"

const tryIt = (run: () => void) => {
  try {
    run()
  } catch {
    // Another file system, or not ours to link: whoever asked looks what is there afterwards.
  }
}
const indexesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".idx"))
  } catch {
    return []
  }
}
const packOf = (index: string) => `${index.slice(0, -".idx".length)}.pack`

/** Gives a store's packs a second name in another one, so that they outlive the first. */
const linkPacks = (from: string, to: string) => {
  const [theirs, ours] = [join(from, "pack"), join(to, "pack")]
  for (const index of indexesIn(theirs)) {
    if (existsSync(join(ours, index))) continue
    // The index last: git looks at packs by it.
    tryIt(() => {
      mkdirSync(ours, { recursive: true, mode: 0o700 })
      if (!existsSync(join(ours, packOf(index)))) linkSync(join(theirs, packOf(index)), join(ours, packOf(index)))
      linkSync(join(theirs, index), join(ours, index))
    })
  }
}
const linkLoose = (from: string, to: string, id: string) => {
  const [folder, name] = [id.slice(0, 2), id.slice(2)]
  const theirs = join(from, folder, name)
  if (existsSync(theirs)) {
    tryIt(() => {
      mkdirSync(join(to, folder), { recursive: true, mode: 0o700 })
      linkSync(theirs, join(to, folder, name))
    })
  }
}

/** Makes objects of one object folder the other's, too, at no cost in bytes. What cannot be linked is left. */
const linkObjects = Effect.fnUntraced(function*(from: string, to: string, ids: ReadonlyArray<string>) {
  linkPacks(from, to)
  for (const [at, id] of ids.entries()) {
    if (at % 500 === 499) yield* Effect.yieldNow()
    linkLoose(from, to, id)
  }
})

/** Removes packs that nobody else has had since `before` (ms since 1970): repacked or removed there. Gives how many. */
export const dropOrphans = (objects: string, before: number) =>
  Effect.sync(() => {
    const folder = join(objects, "pack")
    const orphans = indexesIn(folder).filter((index) => {
      const facts = lstatSync(join(folder, index), { throwIfNoEntry: false })
      // Losing the other name is the last change of a file that is only read.
      return facts !== undefined && facts.nlink === 1 && facts.ctimeMs < before
    })
    for (const index of orphans) for (const name of [index, packOf(index)]) tryIt(() => rmSync(join(folder, name), { force: true }))
    return orphans.length
  })

const missingOf = ({ ask }: Store, ids: ReadonlyArray<string>) =>
  Effect.map(ask(["cat-file", "--batch-check=%(objectname)"], { stdin: ids.map((id) => `${id}\n`).join("") }), ({ out }) =>
    new Set(out.split("\n").flatMap((line) => line.endsWith(" missing") ? [line.slice(0, -" missing".length)] : [])))

/** Makes the store hold by itself what its index has for these paths, null: for all. Gives those that git does not take. */
export const secure = Effect.fnUntraced(function*(store: Store, paths: ReadonlyArray<string> | null) {
  const wanted = paths === null ? null : new Set(paths)
  const ids = new Map<string, string>()
  for (const record of (yield* store.told(["ls-files", "-s", "-z"])).split("\0")) {
    const cut = record.indexOf("\t")
    const path = record.slice(cut + 1)
    if (cut > 0 && (wanted === null || wanted.has(path))) ids.set(path, record.split(" ")[1] ?? "")
  }
  const missing = yield* missingOf(store, [...new Set(ids.values())])
  if (missing.size === 0) return []
  if (store.lender !== null) yield* linkObjects(store.lender, store.objects, [...missing])
  const still = yield* missingOf(store, [...missing])
  // Without the index's word that they are up to date git stores them.
  const alone = [...ids].flatMap(([path, id]) => still.has(id) ? [path] : [])
  yield* store.remove(alone)
  return yield* store.add(alone)
})
