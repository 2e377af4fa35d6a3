import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ConfigValues } from "./config/schema.js"

/** Where a value came from, as shown to the user: `default`, a file's path, `environment`, `flag`. */
export type Source = string

/** One layer of permission rules, earlier layers first; what a later one says about a tool replaces what earlier ones say. */
export interface PermissionLayer {
  readonly source: Source
  /** A project's rules may only narrow. */
  readonly narrowsOnly: boolean
  /** tool name or wildcard -> decision, or pattern -> decision; unchecked words are dropped by the rule engine with a warning */
  readonly rules: Readonly<Record<string, unknown>>
}

/** The effective configuration: built-in, home, project (restricted), environment, flags. */
export class Config extends Context.Tag("shiro/Config")<Config, {
  readonly values: ConfigValues
  readonly sources: Readonly<Partial<Record<keyof ConfigValues, Source>>>
  readonly permissionLayers: ReadonlyArray<PermissionLayer>
  /** what was dropped or restricted, each a sentence that names file, place and remedy */
  readonly warnings: ReadonlyArray<string>
  /** fold `ask` into `allow` */
  readonly yolo: boolean
}>() {}

/** The given values as the whole configuration; no files and no environment are read. */
export const ConfigMemory = (values: Partial<ConfigValues> = {}, yolo = false) =>
  Layer.succeed(Config, Config.of({
    values,
    sources: {},
    permissionLayers: values.permission === undefined ? [] : [{ source: "test", narrowsOnly: false, rules: values.permission }],
    warnings: [],
    yolo
  }))
