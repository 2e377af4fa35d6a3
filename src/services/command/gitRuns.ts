import { type Field } from "../Commands.js"
import { code, field, type Inner, joined, words } from "./inner.js"
import { parseOptions, valueOf } from "./options.js"

export interface GitCall {
  /** `-c` and `--config-env` settings before the subcommand */
  readonly settings: ReadonlyArray<{ readonly key: string; readonly value: Field }>
  /** every option before the subcommand, by name */
  readonly before: ReadonlyArray<string>
  readonly subcommand: Field | null
  readonly args: ReadonlyArray<Field>
}

const takes = new Set(["-C", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"])

/** git's arguments taken apart at the subcommand. */
export const gitCall = (args: ReadonlyArray<Field>): GitCall => {
  const settings: Array<{ readonly key: string; readonly value: Field }> = []
  const before: Array<string> = []
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || !word.text.startsWith("-")) break
    if (word.text === "-c" || (word.text.startsWith("-c") && !word.text.startsWith("--"))) {
      const setting = word.text === "-c" ? args[++at] : { ...word, text: word.text.slice(2) }
      const [key = "", ...value] = setting?.text.split("=") ?? []
      before.push("-c")
      if (setting !== undefined) settings.push({ key: key.toLowerCase(), value: { ...setting, text: value.join("=") } })
    } else {
      before.push(word.text.replace(/=[^]*/, ""))
      if (takes.has(word.text)) at++
    }
  }
  return { settings, before, subcommand: args[at] ?? null, args: args.slice(at + 1) }
}

const shellKey = /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\..*|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|difftool\..*\.cmd|mergetool\..*\.cmd|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?program|credential\.(?:.*\.)?helper|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack)|interactive\.difffilter|sendemail\..*cmd|init\.templatedir|browser\..*\.cmd|man\..*\.cmd|trailer\..*\.(?:command|cmd))$/

/** The command that a setting makes git run; an alias runs git itself unless it begins with `!`. */
const fromSetting = (key: string, value: Field): ReadonlyArray<Inner> => {
  if (key.startsWith("alias.")) {
    return value.text.startsWith("!") ? code({ ...value, text: value.text.slice(1) }, "guard") : code({ ...value, text: `git ${value.text}` }, "guard")
  }
  return shellKey.test(key) ? code({ ...value, text: value.text.replace(/^!/, "") }, "guard") : []
}

/** What git is told to run by its arguments. */
export const gitRuns = (args: ReadonlyArray<Field>): ReadonlyArray<Inner> => {
  const call = gitCall(args)
  const found = call.settings.flatMap(({ key, value }) => fromSetting(key, value))
  const alias = call.settings.find(({ key }) => key === `alias.${call.subcommand?.text.toLowerCase() ?? ""}`)
  const aliased = alias === undefined ? [] : code(joined([alias.value.text.startsWith("!") ? { ...alias.value, text: alias.value.text.slice(1) } : { ...alias.value, text: `git ${alias.value.text}` }, ...call.args]), "guard")
  return [...found, ...aliased, ...ofSubcommand(call)]
}

const ofSubcommand = ({ args, subcommand }: GitCall): ReadonlyArray<Inner> => {
  const rest = (from: number) => words(args.slice(from), "guard")
  switch (subcommand?.text) {
    case "rebase":
      return parseOptions(args, { short: "xsXC", long: ["--exec", "--onto", "--strategy"] }).options.flatMap(({ name, value }) =>
        (name === "-x" || name === "--exec") && value !== null ? code(value, "guard") : [])
    case "bisect":
      return args[0]?.text === "run" ? rest(1) : []
    case "submodule": {
      const at = args.findIndex(({ text }) => text === "foreach")
      if (at < 0) return []
      const { rest: first } = parseOptions(args.slice(at + 1), { posix: true })
      const command = args.slice(at + 1 + first)
      return command.length === 1 ? code(joined(command), "guard") : words(command, "guard")
    }
    case "filter-branch":
      return args.flatMap(({ text }, at) => {
        const next = args[at + 1]
        return /^--[a-z-]+-filter$/.test(text) && next !== undefined ? code(next, "guard") : []
      })
    case "config": {
      const { others } = parseOptions(args, { short: "ft", long: ["--file", "--type", "--blob", "--default", "--comment", "--value"] })
      const [key, value] = others[0]?.text === "set" ? others.slice(1) : others
      return key === undefined || value === undefined ? [] : fromSetting(key.text.toLowerCase(), value)
    }
    case "difftool": {
      const command = valueOf(parseOptions(args, { short: "xt", long: ["--extcmd", "--tool"] }), "-x", "--extcmd")
      return command === null ? [] : code(command, "guard")
    }
    case undefined:
      return []
    default:
      return args.flatMap(({ text }, at) => {
        const attached = /^--(?:upload-pack|receive-pack|exec|open-files-in-pager)=([^]+)$/.exec(text)?.[1] ?? /^-O([^]+)$/.exec(subcommand?.text === "grep" ? text : "")?.[1]
        const next = args[at + 1]
        if (attached !== undefined) return code(field(attached), "guard")
        return /^--(?:upload-pack|receive-pack|exec)$/.test(text) && next !== undefined ? code(next, "guard") : []
      })
  }
}
