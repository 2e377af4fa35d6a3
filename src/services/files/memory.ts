import * as Layer from "effect/Layer"
import type { Planted } from "../disk/memory.js"
import { DiskMemory } from "../disk/memory.js"
import { HomeMemory } from "../Home.js"
import { IdsMemory } from "../Ids.js"
import { JailMemory } from "../Jail.js"
import { JournalLayer } from "../journal/make.js"
import { OwnerMemory } from "../journal/owner.js"
import { FilesLayer } from "./make.js"

export const memoryRoot = "/ws"

/** What the layers below stand on: a disk with `tree` (by workspace-relative path), the jail around it, a home. */
export const WorkspaceMemory = (tree: Readonly<Record<string, Planted>> = {}) =>
  Layer.mergeAll(
    DiskMemory({
      [memoryRoot]: { folder: true },
      ...Object.fromEntries(Object.entries(tree).map(([path, planted]) => [`${memoryRoot}/${path}`, planted]))
    }),
    JailMemory(memoryRoot),
    HomeMemory(),
    IdsMemory
  )

/** The real service over files in memory; with the disk, the jail and the journal below it, for tests that look there. */
export const FilesMemory = (tree: Readonly<Record<string, Planted>> = {}) =>
  FilesLayer.pipe(
    Layer.provideMerge(JournalLayer),
    Layer.provide(OwnerMemory()),
    Layer.provideMerge(WorkspaceMemory(tree))
  )
