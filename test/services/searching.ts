import * as Layer from "effect/Layer"
import type { Planted } from "../../src/services/disk/memory.js"
import { DiskLive } from "../../src/services/disk/live.js"
import { WorkspaceMemory } from "../../src/services/files/memory.js"
import { HostMemory } from "../../src/services/Host.js"
import { Jail, makeJail } from "../../src/services/Jail.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import { SearchLive } from "../../src/services/search/live.js"
import { SearchMemory } from "../../src/services/search/memory.js"
import type { Secrets } from "../../src/services/Secrets.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"
import { WalkerLive } from "../../src/services/walker/live.js"
import { WalkerMemory } from "../../src/services/walker/memory.js"

/** Files by workspace-relative path. */
export type Tree = Readonly<Record<string, Planted>>

/** Walking and searching in memory; `denied` paths are secrets. */
export const searchingMemory = (tree: Tree = {}, denied: ReadonlyArray<string> = []) =>
  SearchMemory.pipe(
    Layer.provideMerge(WalkerMemory),
    Layer.provideMerge(WorkspaceMemory(tree)),
    Layer.provideMerge(SecretsMemory(denied)),
    Layer.provideMerge(PermissionsMemory())
  )

/** The same on a folder of this machine; `ripgrep` as in `SHIRO_RIPGREP`. */
export const searchingLive = (root: string, ripgrep = "", secrets: Layer.Layer<Secrets> = SecretsMemory()) =>
  SearchLive.pipe(
    Layer.provideMerge(WalkerLive),
    Layer.provide(Layer.mergeAll(
      DiskLive,
      Layer.succeed(Jail, makeJail(root)),
      HostMemory({ env: { PATH: "/usr/bin:/bin", SHIRO_RIPGREP: ripgrep } })
    )),
    Layer.provideMerge(secrets),
    Layer.provideMerge(PermissionsMemory())
  )
