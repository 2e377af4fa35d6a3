import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { PermissionLayer, Source } from "../Config.js"
import { ConfigFile, type ConfigValues } from "./schema.js"

/** A configuration file that cannot be used as it is. */
export class ConfigUnusable extends Data.TaggedError("ConfigUnusable")<{
  readonly file: string
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return `Configuration ${this.file} cannot be used: ${this.faults.join("; ")}. Mend it, or see shiro config schema.`
  }
}

/** One file's or the environment's or the flags' say. */
export interface Layer {
  readonly source: Source
  readonly values: ConfigValues
  readonly project: boolean
}

export const configKeys: ReadonlyArray<string> = Object.keys(ConfigFile.fields)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const json = (file: string, text: string): Either.Either<Record<string, unknown>, ConfigUnusable> =>
  Either.flatMap(
    Either.try({
      try: (): unknown => JSON.parse(text),
      catch: (cause) => new ConfigUnusable({ file, faults: [`it is not JSON (${cause instanceof SyntaxError ? place(cause.message, text) : "unreadable"})`] })
    }),
    (value) => isRecord(value) ? Either.right(value) : Either.left(new ConfigUnusable({ file, faults: ["expected an object, as { \"model\": \"…\" }"] }))
  )

/** V8 quotes the text in its message, which may be a secret; only the position is kept. */
const place = (message: string, text: string): string => {
  const at = /position (\d+)/.exec(message)?.[1]
  if (at === undefined) return "it ends too early"
  const before = text.slice(0, Number(at)).split("\n")
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
}

interface Problem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}
/** One sentence a place: what could stand there is told together. */
const shapes = (problems: ReadonlyArray<Problem>): ReadonlyArray<string> => {
  const byPlace = new Map<string, ReadonlyArray<string>>()
  for (const { message, path } of problems) {
    const at = path.map(String).join(".")
    byPlace.set(at, [...byPlace.get(at) ?? [], message.replace(/, actual .*$/, "").replace("ReadonlyArray<string>", "a list, as [\"a\"]")])
  }
  return [...byPlace].map(([at, [first = "", ...more]]) => `${at}: ${[first, ...more.map((message) => message.replace(/^Expected /, ""))].join(", ")}`)
}

/** Text of a configuration file to values and warnings; unknown keys are left out with a warning, wrong types are errors. */
export const readConfig = (file: string, text: string) =>
  Either.flatMap(json(file, text), (raw) => {
    const strange = Object.keys(raw).filter((key) => !configKeys.includes(key) && key !== "$schema")
    const known = Object.fromEntries(Object.entries(raw).filter(([key]) => configKeys.includes(key)))
    return Schema.decodeUnknownEither(ConfigFile)(known, { errors: "all" }).pipe(
      Either.mapLeft((error) => new ConfigUnusable({ file, faults: shapes(ParseResult.ArrayFormatter.formatErrorSync(error)) })),
      Either.map((values) => ({
        values,
        warnings: strange.map((key) => `${file}: unknown key "${key}" was ignored. Known keys: ${configKeys.join(", ")}`)
      }))
    )
  })

/** What a project may set only where the user trusts the folder (permissions.md, Rules). */
const needsTrust = ["provider", "baseURL", "apiKey", "plugins", "mcpServers", "pricing"] as const

/** A project's values with what it must not say taken out. */
export const restrict = (file: string, values: ConfigValues, trusted: boolean) => {
  const dropped = trusted ? [] : needsTrust.filter((key) => values[key] !== undefined)
  const { sandbox, sandboxNetwork, toolSets, ...rest } = values
  const kept: ConfigValues = {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !dropped.some((each) => each === key))),
    ...(sandbox === "workspace" ? { sandbox } : {}),
    ...(sandboxNetwork === false ? { sandboxNetwork } : {}),
    ...(toolSets === undefined ? {} : { toolSets: toolSets.filter((set) => set !== "net") })
  }
  const never = [
    ...(sandbox === "off" ? ["switch the sandbox off"] : []),
    ...(sandboxNetwork === true ? ["give the sandbox the network"] : []),
    ...(toolSets?.includes("net") === true ? ["switch the set net on"] : [])
  ]
  return {
    values: kept,
    warnings: [
      ...(dropped.length === 0 ? [] : [
        `${file}: ${dropped.join(", ")} ignored, since this folder is not trusted. Read the file, then run: shiro config trust`
      ]),
      ...never.map((what) => `${file}: a project may not ${what}; that was ignored. Set it in your own configuration.`)
    ]
  }
}

const mergedKeys = ["mcpServers", "pricing", "plugins"] as const

/** Later layers win key by key; named entries (servers, prices, plugins) are joined by name. */
export const merge = (layers: ReadonlyArray<Layer>) => {
  const values = layers.reduce<ConfigValues>((before, layer) => ({
    ...before,
    ...layer.values,
    ...Object.fromEntries(mergedKeys.flatMap((key) =>
      before[key] !== undefined && layer.values[key] !== undefined ? [[key, { ...before[key], ...layer.values[key] }]] : []))
  }), {})
  const sources: Record<string, Source> = {}
  for (const layer of layers) for (const key of Object.keys(layer.values)) sources[key] = layer.source
  const permissionLayers: ReadonlyArray<PermissionLayer> = layers.flatMap(({ project, source, values: { permission } }) =>
    permission === undefined ? [] : [{ source, narrowsOnly: project, rules: permission }])
  return { values, sources, permissionLayers }
}
