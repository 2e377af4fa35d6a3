import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { Planted } from "../../src/services/disk/memory.js"
import { Files } from "../../src/services/Files.js"
import { FilesMemory } from "../../src/services/files/memory.js"
import type { FoundFiles } from "../../src/services/Search.js"
import { Search } from "../../src/services/Search.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"
import { inputSchema, wireBytes } from "../../src/tools/Tool.js"

/** A workspace in memory; `denied` paths are secrets. */
export const workspace = (tree: Readonly<Record<string, Planted>> = {}, denied: ReadonlyArray<string> = []) =>
  FilesMemory(tree).pipe(Layer.provideMerge(SecretsMemory(denied)), Layer.merge(PermissionsMemory()))
export const given = (tree: Readonly<Record<string, Planted>> = {}, denied: ReadonlyArray<string> = []) =>
  Effect.provide(workspace(tree, denied))

/** A search that finds these files, whatever is asked. */
export const searchFinding = (found: Partial<FoundFiles>) =>
  Effect.provide(Layer.mock(Search, { files: () => Effect.succeed({ paths: [], more: false, unreadable: [], ...found }) }))

/** The bytes on the disk, as latin1 text, so that a BOM and broken UTF-8 are told apart. */
export const bytesAt = (path: string) =>
  Effect.flatMap(Files, (files) => files.bytes(path, 100_000_000)).pipe(Effect.map((bytes) => Buffer.from(bytes).toString("latin1")))
export const textAt = (path: string) => Effect.map(bytesAt(path), (bytes) => Buffer.from(bytes, "latin1").toString("utf8"))
export const isThere = (path: string) =>
  Effect.flatMap(Files, (files) => files.stat(path)).pipe(Effect.isSuccess)

/** What a tool adds to a request. */
export const bytesOf = <In, I>(tool: { readonly name: string; readonly description: string; readonly input: Schema.Schema<In, I> }) =>
  wireBytes({ name: tool.name, description: tool.description, inputSchema: inputSchema(tool.input) })
