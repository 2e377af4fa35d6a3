import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Commands } from "../Commands.js"
import { hole } from "../Commands.js"
import type { Jail } from "../Jail.js"
import type { Subject } from "../Permissions.js"
import { fits } from "../permissions/pattern.js"
import type { Plugin, PluginCall, PluginWord } from "../Plugins.js"

const Text = Schema.String.pipe(Schema.minLength(1, { title: "a text" }))
/** A plugin that is data only: what it refuses, and why. */
const File = Schema.Struct({
  name: Schema.optionalWith(Text, { exact: true }),
  description: Schema.optionalWith(Schema.String, { exact: true }),
  refuse: Schema.Array(Schema.Struct({ tool: Text, pattern: Text, reason: Text })).annotations({ title: "a list of { tool, pattern, reason }" })
})
const decode = Schema.decodeUnknownEither(Schema.parseJson(File), { errors: "all", onExcessProperty: "error" })

export interface Reading {
  readonly commands: Context.Tag.Service<Commands>
  readonly jail: Context.Tag.Service<Jail>
}

/** Every spelling of a subject that a pattern may be meant for: a line as a whole and each command in it, a path as given and made plain. */
const spellings = ({ commands, jail }: Reading, subject: Subject): Effect.Effect<ReadonlyArray<string>> => {
  if (typeof subject === "string") return Effect.succeed([subject])
  if ("path" in subject) {
    return Effect.map(Effect.either(jail.relative(subject.path)), (plain) => [subject.path, ...Either.isRight(plain) ? [plain.right] : []])
  }
  return Effect.map(commands.analyse(subject.command), (analysis) => [
    subject.command,
    ...analysis.commands.flatMap(({ source, words }) => [source, words.map(({ text }) => text.replaceAll(hole, "*")).join(" ")])
  ])
}

const pluginOf = (reading: Reading, name: string, { description, refuse }: typeof File.Type): Plugin => ({
  name,
  description: description ?? `Refuses ${refuse.length === 1 ? "what one rule names" : `what ${refuse.length} rules name`}.`,
  beforeToolCall: Effect.fnUntraced(function*({ subjects, tool }: PluginCall): Effect.fn.Return<PluginWord> {
    const rules = refuse.filter((rule) => fits(rule.tool, tool))
    if (rules.length === 0) return null
    const texts = (yield* Effect.forEach(subjects, (subject) => spellings(reading, subject))).flat()
    const found = rules.find(({ pattern }) => texts.some((text) => fits(pattern, text)))
    return found === undefined ? null : { say: "refuse", reason: `The plugin ${name} refuses this call of ${tool}: ${found.reason}` }
  })
})

const reason = (error: unknown) => error instanceof Error ? error.message : String(error)

/** The user's plugin files, in the order of their names. A bad one is left out and named. */
export const readPluginFiles = (folder: string, reading: Reading) => {
  const plugins: Array<Plugin> = []
  const problems: Array<string> = []
  const names = (() => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith(".json")).sort()
    } catch {
      return []
    }
  })()
  for (const name of names) {
    const file = join(folder, name)
    try {
      const read = decode(readFileSync(file, "utf8"))
      if (Either.isRight(read)) plugins.push(pluginOf(reading, read.right.name ?? basename(name, ".json"), read.right))
      else {
        const faults = ParseResult.ArrayFormatter.formatErrorSync(read.left)
        problems.push(`${file} is no plugin and was left out: ${faults.map(({ message, path }) => path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`).join("; ")}`)
      }
    } catch (error) {
      problems.push(`${file} could not be read and was left out: ${reason(error)}`)
    }
  }
  return { plugins, problems }
}
