import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { Flag, Usage } from "./usage.js"
import { root } from "./usage.js"

export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

export interface Line {
  /** `[]` for the agent itself, `["config", "set"]`, … */
  readonly command: ReadonlyArray<string>
  readonly usage: Usage
  readonly positionals: ReadonlyArray<string>
  /** switches are `true`, repeated values keep the last one */
  readonly flags: ReadonlyMap<string, string | true>
}

const list = (words: ReadonlyArray<string>) => words.join(", ")
const article = (word: string) => `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`

const near = (word: string, names: ReadonlyArray<string>): string | undefined =>
  names.find((name) => name.startsWith(word) || word.startsWith(name) || [...name].sort().join("") === [...word].sort().join(""))

const unknown = (spelt: string, usage: Usage): UsageError => {
  const close = near(spelt.replace(/^-+/, "").replace(/=.*/, ""), usage.flags.map(({ name }) => name))
  return new UsageError({
    message: `Unknown flag ${spelt}. ${close === undefined ? "" : `Did you mean --${close}? `}Put the prompt after -- if it is one. See ${
      usage.name === "shiro" ? "shiro" : `shiro ${usage.name}`
    } --help.`
  })
}

/** What is wrong with a flag's value, as a sentence; null when it is fine. */
const faultOf = (flag: Flag, value: string): string | null => {
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    return `Unknown ${flag.name} "${value}". Available: ${list(flag.choices)}`
  }
  if (flag.value === "count" && !/^[1-9]\d*$/.test(value)) return `--${flag.name} takes a whole number above 0, not "${value}".`
  if (flag.value === "amount" && !/^\d*\.?\d+$/.test(value)) return `--${flag.name} takes an amount in US dollars, not "${value}".`
  return null
}

type Word = { readonly bare: string } | { readonly flag: Flag; readonly value: string | true }

/** Every flag that any command takes, so that a flag before the sub-command is read with its value. */
const everyFlag = (usage: Usage): ReadonlyArray<Flag> => [...usage.flags, ...(usage.sub ?? []).flatMap(everyFlag)]

/** Reads words into flags and bare words; what follows `--` is bare. */
const words = (argv: ReadonlyArray<string>): Either.Either<{ readonly read: ReadonlyArray<Word>; readonly rest: ReadonlyArray<string> }, UsageError> => {
  const known = everyFlag(root)
  const read: Array<Word> = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ""
    if (word === "--") return Either.right({ read, rest: argv.slice(at + 1) })
    if (!word.startsWith("-") || word === "-") {
      read.push({ bare: word })
      continue
    }
    const [spelt = "", ...given] = word.split("=")
    const flags = spelt.startsWith("--")
      ? known.filter(({ name }) => `--${name}` === spelt).slice(0, 1)
      : Array.from(spelt.slice(1)).flatMap((letter) => known.filter(({ short }) => short === letter).slice(0, 1))
    if (flags.length === 0 || (!spelt.startsWith("--") && flags.length !== spelt.length - 1)) return Either.left(unknown(word, root))
    for (const [index, flag] of flags.entries()) {
      if (flag.value === undefined) {
        if (given.length > 0) return Either.left(new UsageError({ message: `${spelt} takes no value.` }))
        read.push({ flag, value: true })
        continue
      }
      const value = given.length > 0 ? given.join("=") : argv[at + 1]
      if (index < flags.length - 1 || value === undefined || (given.length === 0 && value.startsWith("-") && value !== "-")) {
        return Either.left(new UsageError({ message: `${spelt} needs a value.${flag.choices === undefined ? "" : ` Available: ${list(flag.choices)}`}` }))
      }
      const fault = faultOf(flag, value)
      if (fault !== null) return Either.left(new UsageError({ message: fault }))
      read.push({ flag, value })
      if (given.length === 0) at++
    }
  }
  return Either.right({ read, rest: [] })
}

const excess = (usage: Usage, command: ReadonlyArray<string>, extra: string): UsageError =>
  new UsageError({
    message: command.length === 0
      ? `The prompt is one argument, and "${extra}" is a second one. Put the whole prompt in quotes: shiro "fix the failing test"`
      : `shiro ${command.join(" ")} takes ${usage.positionals.length === 0 ? "no argument" : list(usage.positionals.map(({ name }) => `<${name}>`))}, and "${extra}" is one too many.`
  })

/** Reads a command line strictly: nothing unknown passes, nothing is guessed, no prompt becomes a sub-command by accident. */
export const readLine = (argv: ReadonlyArray<string>): Either.Either<Line, UsageError> =>
  Either.flatMap(words(argv), ({ read, rest }): Either.Either<Line, UsageError> => {
    const flags = new Map(read.flatMap((word) => "flag" in word ? [[word.flag.name, word.value] as const] : []))
    const bare = read.flatMap((word) => "bare" in word ? [word.bare] : [])
    const command: Array<string> = []
    let usage = root
    if (!flags.has("print")) {
      for (let next = usage.sub?.find(({ name }) => name === bare[0]); next !== undefined; next = usage.sub?.find(({ name }) => name === bare[0])) {
        command.push(next.name)
        usage = next
        bare.shift()
      }
    }
    const first = bare[0]
    if (usage.sub !== undefined && command.length > 0 && first !== undefined) {
      return Either.left(new UsageError({ message: `Unknown ${command.join(" ")} command "${first}". Available: ${list(usage.sub.map(({ name }) => name))}` }))
    }
    for (const name of flags.keys()) {
      if (!usage.flags.some((flag) => flag.name === name)) {
        return Either.left(new UsageError({ message: `shiro ${command.join(" ")} has no flag --${name}. It takes: ${list(usage.flags.map((flag) => `--${flag.name}`)) || "none"}` }))
      }
    }
    const positionals = [...bare, ...rest]
    const extra = positionals[usage.positionals.length]
    if (extra !== undefined) return Either.left(excess(usage, command, extra))
    const missing = usage.positionals.slice(positionals.length).find(({ optional }) => !optional)
    if (missing !== undefined) {
      return Either.left(new UsageError({ message: `shiro ${command.join(" ")} needs ${article(missing.name)}. See shiro ${command.join(" ")} --help.` }))
    }
    return Either.right({ command, usage, positionals, flags })
  })
