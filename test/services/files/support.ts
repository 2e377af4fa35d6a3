import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { DiskPort, Folder } from "../../../src/services/Disk.js"
import { Disk } from "../../../src/services/Disk.js"
import { DiskLive } from "../../../src/services/disk/live.js"
import type { Planted } from "../../../src/services/disk/memory.js"
import { DiskMemory } from "../../../src/services/disk/memory.js"
import { Files } from "../../../src/services/Files.js"
import { FilesLive } from "../../../src/services/files/live.js"
import { FilesLayer } from "../../../src/services/files/make.js"
import { HomeMemory } from "../../../src/services/Home.js"
import { HostLive } from "../../../src/services/host/live.js"
import { IdsLive, IdsMemory } from "../../../src/services/Ids.js"
import { Jail, JailMemory } from "../../../src/services/Jail.js"
import { JailLive } from "../../../src/services/jail/live.js"
import { JournalLayer } from "../../../src/services/journal/make.js"
import { OwnerMemory } from "../../../src/services/journal/owner.js"

export type Tree = Readonly<Record<string, Planted>>

/** A temporary folder, removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "shiro-files-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

export const plantAt = (root: string, tree: Tree) => {
  fs.mkdirSync(root, { recursive: true })
  for (const [name, what] of Object.entries(tree)) {
    const at = path.join(root, name)
    const isFolder = typeof what === "object" && "folder" in what
    fs.mkdirSync(isFolder ? at : path.dirname(at), { recursive: true })
    if (typeof what === "string" || what instanceof Uint8Array) fs.writeFileSync(at, what)
    else if ("link" in what) fs.symlinkSync(what.link, at)
  }
}

/** The live service over `<parent>/ws`, with its home beside it. */
export const filesIn = (parent: string, disk: typeof DiskLive = DiskLive) =>
  FilesLive.pipe(
    Layer.provideMerge(Layer.mergeAll(disk, JailLive(`${parent}/ws`), HomeMemory(`${parent}/home`), IdsLive, HostLive)),
    Layer.orDie
  )
/** The same over a fresh temporary folder with `tree` in it. */
export const onDisk = (disk: typeof DiskLive) => (tree: Tree) =>
  Layer.unwrapScoped(Effect.map(temporaryFolder, (parent) => {
    plantAt(`${parent}/ws`, tree)
    return filesIn(parent, disk)
  }))

/** What lies below a folder: content as text, links as `-> text`, folders as `/`; with the mode of files. */
export const treeBelow = (disk: DiskPort, root: string): Effect.Effect<Record<string, string>> => {
  const tree: Record<string, string> = {}
  const visit = (folder: Folder, prefix: string): Effect.Effect<void, unknown> =>
    Effect.flatMap(disk.list(folder), (entries) =>
      Effect.forEach(entries, ({ kind, name }) => {
        const at = `${prefix}${name}`
        if (kind === "link") return Effect.map(disk.readLink(folder, name), (text) => void (tree[at] = `-> ${text}`))
        if (kind === "folder") {
          tree[at] = "/"
          return Effect.scoped(Effect.flatMap(disk.folder(folder, name), (inner) => visit(inner, `${at}/`)))
        }
        return Effect.scoped(Effect.gen(function*() {
          const file = yield* disk.open(folder, name)
          const { mode, size } = yield* disk.statOf(file)
          const bytes = new Uint8Array(size)
          if (size > 0) yield* disk.read(file, bytes, 0)
          tree[at] = `${mode.toString(8)} ${Buffer.from(bytes).toString("latin1")}`
        }))
      }, { discard: true }))
  return Effect.scoped(Effect.flatMap(disk.root(root), (folder) => visit(folder, ""))).pipe(Effect.orDie, Effect.as(tree))
}
export const tree = Effect.gen(function*() {
  return yield* treeBelow(yield* Disk, (yield* Jail).root)
})
/** Names and contents only. */
export const contents = Effect.map(tree, (all) =>
  Object.fromEntries(Object.entries(all).flatMap(([name, what]) => what === "/" ? [] : [[name, what.replace(/^\d+ /, "")]])))

/** Somebody else puts a file there, as another program would. */
export const elsewhere = (name: string, text: string) =>
  Effect.gen(function*() {
    const disk = yield* Disk
    const parts = name.split("/")
    const last = parts.pop() ?? ""
    let folder = yield* disk.root((yield* Jail).root)
    for (const part of parts) folder = yield* disk.folder(folder, part)
    yield* Effect.ignore(disk.unlink(folder, last))
    const file = yield* disk.create(folder, last, 0o644)
    yield* disk.write(file, Buffer.from(text), 0)
  }).pipe(Effect.scoped, Effect.orDie)

export const read = (name: string) => Effect.flatMap(Files, (files) => files.read(name))
export const textOf = (name: string) => Effect.map(read(name), (file) => file.text)
export const failure = <A, E extends { readonly message: string }, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(run), (error) => error.message)

/** A run of the service called `self` on a disk that is there already; runs among `dead` are no more. */
export const runOn = (disk: DiskPort, { dead = [], home = "/home/me/.shiro", root = "/ws", self }: {
  readonly self: string
  readonly dead?: ReadonlyArray<string>
  readonly root?: string
  readonly home?: string
}) =>
  FilesLayer.pipe(
    Layer.provideMerge(JournalLayer),
    Layer.provide(OwnerMemory(self, dead)),
    Layer.provideMerge(Layer.mergeAll(Layer.succeed(Disk, disk), JailMemory(root), HomeMemory(home), IdsMemory))
  )
/** A disk in memory, by itself. */
export const memoryDisk = (planted: Tree) => Effect.map(Layer.build(DiskMemory(planted)), (context) => Context.get(context, Disk))
