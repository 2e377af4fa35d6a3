import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Config } from "../Config.js"
import { Home } from "../Home.js"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import { ruleWarnings } from "../permissions/rules.js"
import * as Load from "./load.js"
import type { ConfigValues } from "./schema.js"
import { isTrusted } from "./trust.js"

/** The two files that are read, absolute. */
export const configFiles = (home: string, root: string) => ({
  own: join(home, "config.json"),
  project: join(root, ".shiro", "config.json")
})

const textOf = (file: string) =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) => cause
  }).pipe(
    Effect.catchAll((cause) =>
      cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")
        ? Effect.succeed(null)
        : new Load.ConfigUnusable({ file, faults: ["it cannot be read"] }))
  )

const ownLayer = Effect.fnUntraced(function*(file: string) {
  const text = yield* textOf(file)
  if (text === null) return { layers: [], warnings: [] }
  const { values, warnings } = yield* Load.readConfig(file, text)
  return { layers: [{ source: file, values, project: false }], warnings }
})

const projectLayer = Effect.fnUntraced(function*(file: string, home: string, root: string) {
  const text = yield* textOf(file)
  if (text === null) return { layers: [], warnings: [] }
  const { values, warnings } = yield* Load.readConfig(file, text)
  const restricted = Load.restrict(file, values, yield* isTrusted(home, root, text))
  return {
    layers: [{ source: file, values: restricted.values, project: true }],
    warnings: [...warnings, ...restricted.warnings]
  }
})

const fromEnvironment = (env: Readonly<Record<string, string | undefined>>): ConfigValues => {
  const named = { provider: "SHIRO_PROVIDER", model: "SHIRO_MODEL", baseURL: "SHIRO_BASE_URL", apiKey: "SHIRO_API_KEY" } as const
  return Object.fromEntries(Object.entries(named).flatMap(([key, name]) => env[name] ? [[key, env[name]]] : []))
}

/** Built-in, own file, project file, environment, then what the command line says. */
export const ConfigLive = (flags: ConfigValues = {}, yolo = false) =>
  Layer.effect(
    Config,
    Effect.gen(function*() {
      const { folder: home } = yield* Home
      const { env } = yield* Host
      const { root } = yield* Jail
      const files = configFiles(home, root)
      const own = yield* ownLayer(files.own)
      const project = yield* projectLayer(files.project, home, root)
      const merged = Load.merge([
        ...own.layers,
        ...project.layers,
        { source: "environment", values: fromEnvironment(env), project: false },
        { source: "flag", values: flags, project: false }
      ])
      return Config.of({ ...merged, warnings: [...own.warnings, ...project.warnings, ...ruleWarnings(merged.permissionLayers)], yolo })
    })
  )
