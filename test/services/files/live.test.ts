import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DiskByPath, DiskLive } from "../../../src/services/disk/live.js"
import type { Planted } from "../../../src/services/disk/memory.js"
import { FilesLive } from "../../../src/services/files/live.js"
import { HomeMemory } from "../../../src/services/Home.js"
import { HostLive } from "../../../src/services/host/live.js"
import { IdsLive } from "../../../src/services/Ids.js"
import { JailLive } from "../../../src/services/jail/live.js"
import { contract } from "./contract.js"

/** A temporary folder with `ws` and `home` in it, removed with the scope. */
const planted = (tree: Readonly<Record<string, Planted>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const parent = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "shiro-files-"))
      for (const [name, what] of Object.entries({ "": { folder: true as const }, ...tree })) {
        const at = path.join(parent, "ws", name)
        const isFolder = typeof what === "object" && "folder" in what
        fs.mkdirSync(isFolder ? at : path.dirname(at), { recursive: true })
        if (typeof what === "string" || what instanceof Uint8Array) fs.writeFileSync(at, what)
        else if ("link" in what) fs.symlinkSync(what.link, at)
      }
      return parent
    }),
    (parent) => Effect.sync(() => fs.rmSync(parent, { recursive: true, force: true }))
  )

const on = (disk: typeof DiskLive) => (tree: Readonly<Record<string, Planted>>) =>
  Layer.unwrapScoped(Effect.map(planted(tree), (parent) =>
    FilesLive.pipe(
      Layer.provide(Layer.mergeAll(disk, JailLive(`${parent}/ws`), HomeMemory(`${parent}/home`), IdsLive, HostLive)),
      Layer.orDie
    )))

contract("on disk, by descriptor", on(DiskLive))
contract("on disk, by path", on(DiskByPath))
