import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as Either from "effect/Either"
import { readFile } from "node:fs/promises"
import { Config } from "../../services/Config.js"
import { configKeys, readConfig } from "../../services/config/load.js"
import { ConfigFile } from "../../services/config/schema.js"
import { setTrust } from "../../services/config/trust.js"
import { presetNamed, presets } from "../../services/model/presets.js"
import { ruleWarnings } from "../../services/permissions/rules.js"
import { Home } from "../../services/Home.js"
import { Jail } from "../../services/Jail.js"
import { chosenSets, optionalSets } from "../../tools/registry.js"
import { UsageError } from "../argv.js"
import { base } from "../layers.js"
import { files, placed, readOwn, writeOwn } from "../ownConfig.js"
import { exitCode } from "../output/exitCode.js"
import { errLine, outJson, outLine } from "../output/text.js"
import type { Line } from "../argv.js"
import type { Main } from "../run.js"
import { configTroubles } from "../troubles.js"

const masked = (text: string) => text.length <= 8 ? "****" : `${text.slice(0, 3)}…${text.slice(-2)}`

/** Keys are never printed whole; neither are headers and environments of MCP servers. */
const shown = (key: string, value: unknown): unknown => {
  if (key === "apiKey" && typeof value === "string") return masked(value)
  if (key !== "mcpServers" || typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, server]: readonly [string, unknown]) => [
    name,
    typeof server === "object" && server !== null
      ? Object.fromEntries(Object.entries(server).map(([field, each]: readonly [string, unknown]) =>
        (field === "env" || field === "headers") && typeof each === "object" && each !== null
          ? [field, Object.fromEntries(Object.keys(each).map((one) => [one, "****"]))]
          : [field, each]))
      : server
  ]))
}

const show = Effect.fnUntraced(function*(line: Line) {
  const { permissionLayers, sources, values } = yield* Config
  const warnings = yield* configTroubles
  const rows = Object.entries(values).flatMap(([key, value]) =>
    key === "permission"
      // The rules of each file hold beside one another: those of a project narrow the user's.
      ? permissionLayers.map(({ rules, source }) => ({ key, value: rules, source }))
      : [{ key, value: shown(key, value), source: new Map(Object.entries(sources)).get(key) ?? "default" }])
  if (line.flags.has("json")) yield* outJson({ values: Object.fromEntries(rows.map(({ key, value }) => [key, value])), sources, warnings })
  else if (rows.length === 0) yield* outLine("Nothing is configured; everything is at its default. See shiro config schema for what can be set.")
  else for (const { key, source, value } of rows) yield* outLine(`${key} = ${JSON.stringify(value)}  (${source})`)
  for (const warning of warnings) yield* errLine(`warning: ${warning}`)
  return exitCode.done
})

/** `42`, `true`, `["net"]` are taken as JSON, anything else as text. */
const valueOf = (text: string): unknown => Either.getOrElse(Either.try((): unknown => JSON.parse(text)), () => text)

const set = Effect.fnUntraced(function*(key: string, text: string) {
  const [top = ""] = key.split(".")
  if (!configKeys.includes(top)) return yield* new UsageError({ message: `Unknown key "${top}". Available: ${configKeys.join(", ")}` })
  const { own, value: before } = yield* readOwn
  // A model's name may look like a number, so text keys keep the text.
  const attempts = [valueOf(text), text].map((value) => JSON.stringify(placed(before, key.split("."), value), null, 2))
  const fit = attempts.find((json) => Either.isRight(readConfig(own, json)))
  if (fit === undefined) {
    const faults = Either.match(readConfig(own, attempts[0] ?? "{}"), { onLeft: (unusable) => unusable.faults, onRight: () => [] })
    return yield* new UsageError({ message: `${faults.join("; ")}. Nothing was set. See shiro config schema.` })
  }
  const { values } = yield* readConfig(own, fit)
  // What would be left out with a warning on each run, or fail it, is not written in the first place.
  const wrong = top === "provider" && values.provider !== undefined && presetNamed(values.provider) === undefined
    ? `Unknown provider "${values.provider}". Available: ${presets.map(({ name }) => name).join(", ")}`
    : top === "toolSets"
    ? chosenSets(values.toolSets).unknown.map((set) => `Unknown set "${set}". Available: ${optionalSets.join(", ")}`)[0]
    : top === "permission"
    ? ruleWarnings([{ source: own, narrowsOnly: false, rules: values.permission ?? {} }])[0]?.replace("; the rule is ignored", "")
    : undefined
  if (wrong !== undefined) return yield* new UsageError({ message: `${wrong}${wrong.endsWith(".") ? "" : "."} Nothing was set.` })
  yield* writeOwn(own, fit)
  yield* outLine(`Set ${key} in ${own}.`)
})

const trust = Effect.fnUntraced(function*(line: Line) {
  const { project } = yield* files
  const { root } = yield* Jail
  const { folder } = yield* Home
  if (line.flags.has("revoke")) {
    yield* Effect.orDie(setTrust(folder, root, null))
    return yield* outLine(`${root} is not trusted any more.`)
  }
  const text = yield* Effect.promise(() => readFile(project, "utf8").catch(() => null))
  if (text === null) return yield* new UsageError({ message: `There is no ${project}, so there is nothing to trust.` })
  yield* readConfig(project, text)
  yield* Effect.orDie(setTrust(folder, root, text))
  yield* outLine(`${project} is trusted as it is now; the trust ends when it changes.`)
})

export const main: Main = (line) =>
  Effect.gen(function*() {
    const [key = "", value = ""] = line.positionals
    switch (line.command[1]) {
      case "schema":
        yield* outJson(JSONSchema.make(ConfigFile))
        return exitCode.done
      case "set":
        yield* set(key, value).pipe(Effect.provide(base(line)))
        return exitCode.done
      case "trust":
        yield* trust(line).pipe(Effect.provide(base(line)))
        return exitCode.done
      case "path": {
        const both = yield* files.pipe(Effect.provide(base(line)))
        yield* outLine(`${both.own}\n${both.project}`)
        return exitCode.done
      }
      default:
        return yield* show(line).pipe(Effect.provide(base(line)))
    }
  })
