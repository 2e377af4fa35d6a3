import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Analysis, Commands, hole, noCommand, type Simple } from "../Commands.js"
import { within } from "../command/builtins.js"
import { namesOf } from "../command/names.js"
import type { Plugin, PluginCall, PluginWord } from "../Plugins.js"
import { Surroundings } from "../Surroundings.js"
import { devices, onDevice } from "./guard/devices.js"
import { downloads } from "./guard/downloads.js"
import { files } from "./guard/files.js"
import { ask, type Finding, firstOf, refuse, type Suspect } from "./guard/finding.js"
import { git } from "./guard/git.js"
import { machine } from "./guard/machine.js"
import { programs } from "./guard/programs.js"
import { sql } from "./guard/sql.js"

const rule = firstOf(files, git, devices, machine, sql, downloads, programs)

interface Found extends Finding {
  readonly source: string
  readonly folders: ReadonlyArray<string | null>
}

/** A word that is not known at all has no name; what it comes from still counts. */
const named = (word: Simple["words"][number] | undefined) => {
  const names = namesOf(word)
  return names.length === 0 && word?.fetched === true ? [""] : names
}
const commandFindings = (analysis: Analysis): ReadonlyArray<Found> =>
  analysis.commands.flatMap((simple) =>
    named(simple.words[0]).flatMap((written): ReadonlyArray<Found> => {
      const args = simple.words.slice(1)
      const name = written.replace(/\.exe$/, "")
      const suspect: Suspect = { name, args, texts: args.map(({ text }) => text), simple, analysis }
      const found = rule(suspect)
      const { folders } = simple
      const source = simple.words.map(({ text }) => text.replaceAll(hole, "…")).join(" ")
      return found === null ? [] : [{ ...found, source, folders }]
    }))

const writeFindings = ({ writes }: Analysis): ReadonlyArray<Found> =>
  writes.flatMap(({ folders, path, source }): ReadonlyArray<Found> => {
    const found = onDevice(path, folders)
      ? refuse("writing onto a device", "it destroys everything that is stored there")
      : /^\/dev\/(?:tcp|udp)\//.test(path.text) ? ask("a connection that the shell itself opens", "nobody sees what goes over it") : null
    return found === null ? [] : [{ ...found, source, folders }]
  })

/** Words that a line which cannot be read might use to do harm. */
const grave = /\b(?:rm|mkfs\S*|dd|shred|truncate|shutdown|reboot|halt|poweroff|wipefs|rmtree|unlink)\b|\bgit\b[^]*\b(?:push|reset|clean|checkout|restore|stash|branch|switch)\b|\bdrop\b[^]*\b(?:table|database)\b|\/dev\/|\b(?:curl|wget|base64)\b[^]*\b(?:sh|bash|zsh|python\d?)\b/i

const wholeFindings = ({ bomb, line, unread }: Analysis): ReadonlyArray<Found> => [
  ...bomb === null ? [] : [{ ...refuse("a fork bomb", "it makes the machine stand still"), source: line, folders: [] }],
  ...unread === null || unread === noCommand || !grave.test(line) ? [] : [{ ...ask("a line that cannot be taken apart", `${unread}, so what it would run is not known`), source: line, folders: [] }]
]

const short = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > 100 ? `${line.slice(0, 97)}...` : line
}
const wordOf = ({ say, source, what, why }: Found): PluginWord =>
  say === "refuse"
    ? { say, reason: `The guard refuses ${what}: ${short(source)}. It is irreversible: ${why}. Nothing was run. If it has to be done, give the command to the user to run.` }
    : { say, reason: `The guard asks every time about ${what}: ${short(source)}. It is grave: ${why}.` }

/** Keys under which tools take a command, and arguments for it. */
const commandKeys = /^(?:command|cmd|commands|shell|shell_command|shellcommand|command_line|commandline|script|bash|exec|code|run)$/i
const argumentKeys = /^(?:args|argv|arguments|params)$/i
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value)
const texts = (value: unknown): ReadonlyArray<string> => Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

/** What a tool that is not ours may run: texts as shell lines, lists as programs with their arguments. */
const hidden = (input: unknown, depth = 0): ReadonlyArray<string | ReadonlyArray<string>> => {
  if (!isRecord(input) || depth > 4) return []
  const list = Object.entries(input).find(([key]) => argumentKeys.test(key))?.[1]
  return Object.entries(input).flatMap(([key, value]): ReadonlyArray<string | ReadonlyArray<string>> => {
    if (isRecord(value)) return hidden(value, depth + 1)
    if (!commandKeys.test(key)) return []
    if (typeof value === "string") return texts(list).length === 0 ? [value] : [value, [value, ...texts(list)]]
    const words = texts(value)
    return words.length === 0 ? [] : words.some((word) => word.includes(" ")) ? [words, ...words] : [words]
  })
}

const linesOf = ({ input, subjects, touches }: PluginCall): ReadonlyArray<string | ReadonlyArray<string>> => {
  const named = subjects.flatMap((subject) => typeof subject === "object" && "command" in subject ? [subject.command] : [])
  return named.length > 0 || touches === "reads" || touches === "writes" || touches === "ownState" ? named : hidden(input)
}

/**
 * Refuses what cannot be undone, before any approval and whatever `--yolo` says; asks every time about what is as grave
 * but has its uses. It looks at the commands that a line runs, not at its text.
 */
const make = (commands: Context.Tag.Service<Commands>, surroundings: Context.Tag.Service<Surroundings>): Plugin => {
  const holds = Effect.fnUntraced(function*({ folders, ifPath }: Found) {
    if (ifPath === undefined) return true
    for (const word of ifPath) {
      if (yield* surroundings.isRef(word)) continue
      for (const folder of folders) {
        const path = within(folder ?? ".", word)
        if (path === null || path.startsWith("/") || path.startsWith("..") || (yield* surroundings.exists(path))) return true
      }
    }
    return false
  })
  const judged = Effect.fnUntraced(function*(line: string | ReadonlyArray<string>) {
    const analysis = yield* typeof line === "string" ? commands.analyse(line) : commands.analyseWords(line)
    const found = yield* Effect.filter([...commandFindings(analysis), ...writeFindings(analysis), ...wholeFindings(analysis)], holds)
    return found.find(({ say }) => say === "refuse") ?? found[0] ?? null
  })
  return {
    name: "guard",
    description: "Refuses irreversible commands, and asks every time about grave ones.",
    beforeToolCall: Effect.fnUntraced(function*(call) {
      const found = (yield* Effect.forEach(linesOf(call), judged)).filter((each) => each !== null)
      const worst = found.find(({ say }) => say === "refuse") ?? found[0]
      return worst === undefined ? null : wordOf(worst)
    })
  }
}

export const guard = Effect.map(Effect.all([Commands, Surroundings]), ([commands, surroundings]) => make(commands, surroundings))
