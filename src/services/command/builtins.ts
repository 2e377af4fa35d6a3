import { type Field, hole, type Input } from "../Commands.js"
import { attributes } from "./assigning.js"
import { code, field, joined, unseen } from "./inner.js"
import type { Inner } from "./inner.js"
import { declaredArray, oneOf, setNamed } from "./elements.js"
import { readWords } from "./fieldSplitting.js"
import { has, parseOptions, valueOf } from "./options.js"
import { outputOf } from "./outputs.js"
import { isDescriptor, isInput } from "./shells.js"
import { either, fewer, known, type Leave, listed, type State, unknown, type Value } from "./state.js"

/** What a builtin does to the shell it runs in; what it runs is given back. */
export interface Effects {
  readonly state: State
  readonly input: Input
  readonly doubt: (why: string) => void
  readonly giveUp: (why: string) => void
  readonly arithmetic: (texts: ReadonlyArray<string>) => void
  /** a variable got this value */
  readonly set: (name: string, value: Value) => void
}
type Builtin = (args: ReadonlyArray<Field>, on: Effects) => ReadonlyArray<Inner>

const vague = (args: ReadonlyArray<Field>) => args.some(({ many, text }) => many || text.startsWith(hole))

/** A folder seen from another; absolute ones stay so. */
export const within = (folder: string | null, path: string): string | null => {
  if (path.includes(hole)) return null
  if (path.startsWith("/")) return normal(path)
  return folder === null ? null : normal(`${folder}/${path}`)
}
const normal = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop()
    else if (part !== ".." || !path.startsWith("/")) parts.push(part)
  }
  return path.startsWith("/") ? `/${parts.join("/")}` : parts.join("/") || "."
}

const cd: Builtin = (args, { state }) => {
  const [target] = parseOptions(args).others
  const into = target === undefined || target.many || target.text === "-" ? [null] : state.folders.map((folder) => within(folder, target.text))
  state.folders = fewer([...state.folders, ...into])
  return []
}
const anywhere: Builtin = (_args, { state }) => {
  state.folders = [null]
  return []
}

/** Where a name is not known, what is set may be any variable. */
const unnamed = (names: ReadonlyArray<Field>, { doubt, state }: Effects) => {
  if (!names.some(({ many, text }) => many || /^[^=]*\0/.test(text))) return
  doubt("a variable is set whose name is not known")
  state.forget()
}

const unsetValue: Value = { texts: ["", hole], items: null, fetched: false }
/** `isLocal`: in a function the variables are its own. */
const declaring = (isLocal: boolean): Builtin => (args, on) => {
  const { arithmetic, doubt, set, state } = on
  const parsed = parseOptions(args, { plus: true })
  unnamed(args, on)
  if (has(parsed, "n")) {
    doubt("a variable stands for another one")
    state.forget()
  }
  for (const { fetched, text } of parsed.others) {
    const found = /^([A-Za-z_]\w*)(\+?)=([^]*)$/.exec(text)
    const name = found?.[1] ?? text.replace(/[^\w][^]*/, "")
    if (state.locals !== null && isLocal && !has(parsed, "g")) {
      if (!state.locals.has(name)) state.locals.set(name, state.variables.get(name))
      state.variables.set(name, unsetValue)
    }
    const letters = [...attributes].filter((letter) => has(parsed, letter)).join("")
    if (letters !== "") state.shape(name, letters)
    if (found !== null) set(name, found[2] === "+" ? unknown : declaredArray(found[3] ?? "") ?? known(found[3] ?? "", fetched))
    if (has(parsed, "n") && found?.[3] !== undefined && found[3] !== name) state.variables.set(name, { ...unknown, refersTo: found[3] })
    if (text.includes("[")) arithmetic([found?.[3] ?? text])
    if (has(parsed, "x")) state.exported.add(name)
    if (has(parsed, "r")) freeze([field(name)], state)
  }
  return []
}
const declare = declaring(true)
const shared = declaring(false)
/** Outside of a function bash refuses it. */
const local: Builtin = (args, on) => {
  const before = on.state.locals === null ? on.state.copy() : null
  const inner = declare(args, on)
  if (before !== null) on.state.join(before)
  return inner
}
const exporting: Builtin = (args, on) => {
  const inner = shared(args, on)
  for (const { text } of args) on.state.exported.add(text.replace(/=[^]*/, ""))
  return inner
}
const unset: Builtin = (args, on) => {
  const { arithmetic, state } = on
  const parsed = parseOptions(args)
  unnamed(parsed.others, on)
  for (const { text } of parsed.others) {
    const [, array] = /^([A-Za-z_]\w*)\[/.exec(text) ?? []
    if (has(parsed, "f")) state.routines.delete(text)
    else if (array !== undefined) state.variables.set(array, oneOf(state.get(array).items ?? state.get(array).texts, state.get(array).fetched))
    else state.variables.set(text, unsetValue)
    arithmetic([text])
  }
  return []
}
const setting: Builtin = (args, { giveUp, state }) => {
  const parsed = parseOptions(args, { short: "o", plus: true, posix: true })
  if (args.some(({ text }) => /^\+\w*B|^braceexpand$/.test(text))) giveUp("braces may stand for themselves")
  if (has(parsed, "k") || valueOf(parsed, "-o")?.text === "keyword") giveUp("words after a command may set variables")
  if (parsed.others.length < args.length && args.some(({ text }) => /^-\w*[eun]|^-\w*o$/.test(text) || text.includes(hole))) state.strict = true
  const dashes = args.some(({ text }) => text === "--")
  if (parsed.others.length > 0 || dashes) state.arguments = vague(parsed.others) ? null : parsed.others.map(({ text }) => text)
  return []
}
const shift: Builtin = ([count], { state }) => {
  const by = Number(count?.text ?? "1")
  state.arguments = state.arguments === null || !Number.isInteger(by) ? null : state.arguments.slice(by)
  return []
}

const mostLines = 12
const lines = ({ given, text }: Input): ReadonlyArray<string> | null => {
  if (!given || text === null) return null
  const all = text.replace(/\n$/, "").split("\n")
  return all.length > mostLines ? null : all
}
const read: Builtin = (args, on) => {
  const { arithmetic, input, set, state } = on
  const parsed = parseOptions(args, { short: "adinNptu" })
  const array = valueOf(parsed, "-a")
  unnamed([...parsed.others, ...array === null ? [] : [array]], on)
  const { separators } = state
  // Backslashes mean something to it without -r.
  const found = has(parsed, "dnN") || separators === null || (!has(parsed, "r") && input.text?.includes("\\") === true) ? null : lines(input)
  const { fetched } = input
  if (array !== null) {
    const [words = []] = found?.map((line) => readWords(line, separators ?? "", Infinity)) ?? []
    set(array.text, input.sure && found?.length === 1 ? { ...listed(words), fetched } : { ...unknown, fetched })
  }
  // A word that is not known may be an option, or nothing.
  const names = parsed.others.map(({ text }) => text).filter((text) => !text.includes(hole))
  const sure = input.sure && found?.length === 1 && names.length === parsed.others.length
  const taken = found?.map((line) => names.length === 0 ? [line] : readWords(line, separators ?? "", names.length))
  for (const [index, name] of (names.length === 0 ? ["REPLY"] : names).entries()) {
    const texts = taken?.map((words) => words[index] ?? "")
    const value = texts === undefined ? unknown : texts.map((text) => known(text)).reduce(either)
    setNamed(state, name, { ...either(value, sure ? value : unknown), fetched }, set)
    if (name.includes("[")) arithmetic([name])
  }
  return []
}
const mapfile: Builtin = (args, on) => {
  const { input, set } = on
  const parsed = parseOptions(args, { short: "dnOsuCc", posix: true })
  unnamed(parsed.others, on)
  const { others } = parsed
  // Without -t each keeps its newline; the other options choose among lines, or run code.
  const found = has(parsed, "dnOsuCc") ? null : lines(input)?.map((line) => has(parsed, "t") ? line : `${line}\n`) ?? null
  set(others.find(({ text }) => !text.includes(hole))?.text ?? "MAPFILE", { ...found === null || !input.sure ? unknown : listed(found), fetched: input.fetched })
  return []
}
const printf: Builtin = (args, on) => {
  const { arithmetic, input, set, state } = on
  if (args[0]?.text !== "-v" || args[1] === undefined) return []
  unnamed([args[1]], on)
  const { fetched, text } = outputOf("printf", [field("printf"), ...args.slice(2)], input)
  setNamed(state, args[1].text, text === null ? { ...unknown, fetched } : known(text, fetched), set)
  if (args[1].text.includes("[") || args[1].text.includes(hole)) arithmetic([args[1].text])
  return []
}
const evaluate: Builtin = (args) => {
  const rest = args[0]?.text === "--" ? args.slice(1) : args
  return rest.length === 0 ? [] : [{ is: "code", text: joined(rest), arguments: [], same: true, reach: "rules" }]
}
const notKnown = "it reads commands that are not known before it runs"
const source: Builtin = (args, { input, state }) => {
  const [file, ...rest] = args[0]?.text === "--" ? args.slice(1) : args
  const content = file?.contents ?? (file !== undefined && isInput(file.text) ? input : undefined)
  if (content === undefined) {
    state.forget()
    return file !== undefined && isDescriptor(file.text) ? unseen(notKnown) : []
  }
  if (content.text === null) {
    state.forget()
    return unseen(notKnown)
  }
  return [{ is: "code", text: { ...field(content.text), fetched: content.fetched, literal: content.sure }, arguments: rest, same: true, reach: "rules" }]
}
const trap: Builtin = (args) => {
  const { others } = parseOptions(args)
  const [text] = others
  return text === undefined || others.length < 2 || text.text === "-" || text.text === "" ? [] : code(text).map((each) => ({ ...each, later: true }))
}
const leaving = (kind: Leave): Builtin => (args, { state }) => {
  state.leave(kind)
  // So many of them, or who knows how many.
  if (kind === "loop" && args.some(({ text }) => text !== "1")) state.leave("line")
  return []
}
const readonly: Builtin = (args, on) => {
  const inner = shared(args, on)
  freeze(args, on.state)
  return inner
}
const freeze = (args: ReadonlyArray<Field>, state: State) => {
  state.frozen = new Set([...state.frozen, ...parseOptions(args).others.map(({ text }) => text.replace(/\W[^]*/, ""))])
}
/** Options by which a line is left at what they forbid, or a trap leaves out a command. */
const shopt: Builtin = (args, { state }) => {
  if (args.some(({ text }) => text.includes(hole) || text === "failglob" || text === "extdebug")) state.leave("line")
  return []
}
const alias: Builtin = (args, { state }) => {
  for (const { text } of args) {
    const found = /^([^=]+)=([^]*)$/.exec(text)
    if (found !== null) state.aliases.set(found[1] ?? "", [...state.aliases.get(found[1] ?? "") ?? [], found[2] ?? ""])
  }
  return []
}
/** What it puts into the history may be run from there. */
const history: Builtin = (args) => {
  const at = args.findIndex(({ text }) => /^-\w*s/.test(text))
  return at < 0 ? [] : code(joined(args.slice(at + 1)), "guard")
}
const fc: Builtin = (args) => args.some(({ text }) => /^-\w*l/.test(text)) ? [] : unseen("it runs commands of the history")
const hash: Builtin = (args, { doubt, state }) => {
  const parsed = parseOptions(args, { short: "p" })
  const program = valueOf(parsed, "-p")
  if (program === null) return []
  doubt("a name is made to stand for another program")
  for (const { text } of parsed.others) state.programs.set(text, program)
  return []
}
const enable: Builtin = (args, { doubt }) => {
  if (has(parseOptions(args, { short: "f" }), "f")) doubt("it loads code into the shell")
  return []
}
const test: Builtin = (args, { arithmetic }) => {
  for (const [index, { text }] of args.entries()) if (text === "-v" || text === "-R") arithmetic([args[index + 1]?.text ?? ""])
  return []
}
const compute: Builtin = (args, { arithmetic }) => {
  arithmetic(args.map(({ text }) => text))
  return []
}
const wait: Builtin = (args, on) => {
  const name = valueOf(parseOptions(args, { short: "p" }), "-p")
  unnamed(name === null ? [] : [name], on)
  if (name !== null) on.set(name.text, unsetValue)
  return []
}
const getopts: Builtin = (args, on) => {
  const { set } = on
  unnamed(args.slice(1, 2), on)
  if (args[1] !== undefined) set(args[1].text, unknown)
  return []
}

const table: Readonly<Record<string, Builtin>> = {
  cd, pushd: cd, popd: anywhere, declare, typeset: declare, local, readonly, export: exporting, unset, set: setting, shift, read, mapfile, readarray: mapfile, printf,
  return: leaving("return"), break: leaving("loop"), continue: leaving("loop"), shopt,
  eval: evaluate, source, ".": source, trap, alias, hash, history, fc, enable, test, "[": test, let: compute, getopts, wait,
  jobs: (args) => args[0]?.text === "-x" ? [{ is: "words", words: args.slice(1), sets: [], reach: "rules" }] : []
}
const special: ReadonlySet<string> = new Set([":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "source", "times", "trap", "unset"])
/** Whether what is set before a command may outlive it, as POSIX has it for special builtins, and some shells for functions. */
export const isLasting = (name: string, state: State): boolean => special.has(name) || state.routines.has(name)

/** Builtins that set variables, which no pattern in a rule allows. */
export const setsVariables: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export", "read", "mapfile", "readarray", "getopts", "let"])

export const builtinOf = (name: string): Builtin | null => Object.hasOwn(table, name) ? table[name] ?? null : null

/** Variables whose values programs run as commands. */
export const commandVariable = /^(?:PROMPT_COMMAND|(?:GIT_|MAN|SYSTEMD_|AWS_|GH_|BAT_|DELTA_)?PAGER|(?:GIT_|GIT_SEQUENCE_|SVN_|HG|FC)?EDITOR|FCEDIT|VISUAL|GIT_SSH_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|(?:GIT_|SSH_|SUDO_)ASKPASS|GIT_PROXY_COMMAND|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|BROWSER|RUSTC_WRAPPER|CC|CXX|LD|SHELL|MAKESHELL)$/
