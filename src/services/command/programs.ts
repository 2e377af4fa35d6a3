import { type Field, hole } from "../Commands.js"
import { code, field, type Inner, words } from "./inner.js"
import { has, type Options, parseOptions } from "./options.js"
import { isInput } from "./shells.js"

/** A program text that is handed to an interpreter on the line itself. */
export interface Program {
  readonly language: "python" | "perl" | "ruby" | "node" | "php" | "awk" | "sed" | "other"
  readonly text: string
  /** It came from a download. */
  readonly fetched: boolean
}

interface Interpreter {
  readonly language: Program["language"]
  /** options that the program text follows */
  readonly flags: ReadonlyArray<string>
  readonly spec: Options
  /** without a file it reads a program from its input */
  readonly reads: boolean
}

const table: ReadonlyArray<readonly [RegExp, Interpreter]> = [
  [/^(?:python|pypy)[\d.]*$|^ipython3?$/, { language: "python", flags: ["-c"], spec: { short: "cmWXQ" }, reads: true }],
  [/^perl[\d.]*$/, { language: "perl", flags: ["-e", "-E"], spec: { short: "eEI", attached: "0ldiDxMmFVC" }, reads: true }],
  [/^(?:ruby|jruby|truffleruby)[\d.]*$/, { language: "ruby", flags: ["-e"], spec: { short: "eIrCE", attached: "0iFTWKx" }, reads: true }],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, { language: "node", flags: ["-e", "-p", "--eval", "--print"], spec: { short: "eprC", long: ["--eval", "--print", "--require", "--import", "--loader", "--conditions", "--env-file"] }, reads: true }],
  [/^php[\d.]*$/, { language: "php", flags: ["-r", "-B", "-R", "-E"], spec: { short: "rBREdzFfc" }, reads: true }],
  [/^(?:lua|luajit)[\d.]*$|^(?:Rscript|julia|groovy|scala|elixir|osascript|ghc|tclsh|expect|raku|swipl)$/i, { language: "other", flags: ["-e", "-E", "-c", "-g"], spec: { short: "eEcg" }, reads: false }]
]

const interpreterOf = (name: string) => table.find(([pattern]) => pattern.test(name))?.[1] ?? null
export const isInterpreter = (name: string): boolean => interpreterOf(name) !== null

const awkNames = new Set(["awk", "gawk", "mawk", "nawk", "original-awk", "busybox-awk"])
const sedNames = new Set(["sed", "gsed"])

const scripted = (args: ReadonlyArray<Field>, language: "awk" | "sed"): ReadonlyArray<Program> => {
  const spec: Options = language === "awk"
    ? { short: "vFf", long: ["--assign", "--field-separator", "--file", "--source"] }
    : { short: "efl", attached: "iE", long: ["--expression", "--file", "--line-length"] }
  const parsed = parseOptions(args, language === "awk" ? { ...spec, posix: true } : spec)
  const named = parsed.options.flatMap(({ name, value }) => /^(?:-e|--expression|--source)$/.test(name) && value !== null ? [value] : [])
  const first = parsed.others[0]
  const texts = named.length > 0 ? named : has(parsed, "f", ["--file"]) || first === undefined ? [] : [first]
  return texts.map(({ fetched, text }) => ({ language, text, fetched }))
}

/** The program texts in an interpreter's arguments, or on its input where it has no file. */
export const programsOf = (name: string, args: ReadonlyArray<Field>, input: { readonly text: string | null; readonly fetched: boolean; readonly given: boolean }): ReadonlyArray<Program> => {
  if (awkNames.has(name)) return scripted(args, "awk")
  if (sedNames.has(name)) return scripted(args, "sed")
  const interpreter = interpreterOf(name)
  if (interpreter === null) return []
  const { flags, language, reads, spec } = interpreter
  const given = name === "deno" && args[0]?.text === "eval" ? [field("-e"), ...args.slice(1)] : args
  const parsed = parseOptions(given, { ...spec, posix: true })
  const texts = parsed.options.flatMap((option) => flags.includes(option.name) && option.value !== null ? [option.value] : [])
  const [file] = parsed.others
  const readsInput = reads && texts.length === 0 && input.given && (file === undefined || isInput(file.text))
  return [
    ...texts.map(({ fetched, text }) => ({ language, text, fetched })),
    ...readsInput && (input.text !== null || input.fetched) ? [{ language, text: input.text ?? hole, fetched: input.fetched }] : []
  ]
}

const literal = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`((?:[^`\\]|\\[^])*)`/y
const unescaped = (text: string) =>
  text.replace(/\\([ntr]|[^])/g, (_, letter: string) => letter === "n" ? "\n" : letter === "t" ? "\t" : letter === "r" ? "\r" : letter)
    .replace(/[$#]\{[^}]*\}/g, hole)

const mostAhead = 2_000
/** The string literals from a place up to the end of the call. */
const literalsFrom = (text: string, from: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + mostAhead); at++) {
    literal.lastIndex = at
    const match = literal.exec(text)
    if (match !== null) {
      found.push(unescaped(match[1] ?? match[2] ?? match[3] ?? ""))
      at += match[0].length - 1
    } else if ("([{".includes(text[at] ?? "")) depth++
    else if (")]}".includes(text[at] ?? "") && --depth < 0) break
    else if ((text[at] === ";" || text[at] === "\n") && depth <= 0) break
  }
  return found
}

const calls = /\b(?:system|popen[234]?|exec[lv]?p?e?|spawn[lv]?p?e?|execSync|execFile|execFileSync|spawnSync|call|check_call|check_output|run|getoutput|getstatusoutput|Popen|shell_exec|passthru|proc_open|pcntl_exec|execa|execaSync|capture2e?|capture3|create_subprocess_shell|create_subprocess_exec|posix_spawn|do shell script|os\.execute|\$)\s*[(\s"'`]/g
const backquoted = /`((?:[^`\\]|\\[^])*)`/g
const percent = /(?:%x|\bqx)\s*(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|\/([^/]*)\/|\|([^|]*)\||!([^!]*)!|'([^']*)')/g

const asInner = (literals: ReadonlyArray<string>): ReadonlyArray<Inner> => {
  const [first] = literals
  if (first === undefined) return []
  return [...code(field(first), "guard"), ...literals.length > 1 ? words(literals.map(field), "guard") : []]
}

const awkRuns = (text: string): ReadonlyArray<Inner> => [
  ...[...text.matchAll(/\bsystem\s*\(/g)].flatMap(({ 0: all, index }) => asInner(literalsFrom(text, index + all.length).slice(0, 1))),
  ...[...text.matchAll(/"((?:[^"\\]|\\[^])*)"\s*\|&?\s*getline/g)].flatMap(([, found]) => asInner([unescaped(found ?? "")])),
  ...[...text.matchAll(/\|&?\s*"((?:[^"\\]|\\[^])*)"/g)].flatMap(([, found]) => asInner([unescaped(found ?? "")]))
]
const sedRuns = (text: string): ReadonlyArray<Inner> =>
  [...text.matchAll(/(?:^|[;{}\n\d$/,!~])\s*e\s+([^\n]+)/g)].flatMap(([, found]) => asInner([found ?? ""]))

/** The commands that a program text runs by calls that are plain to see. */
export const runsIn = ({ language, text }: Program): ReadonlyArray<Inner> => {
  if (language === "awk") return awkRuns(text)
  if (language === "sed") return sedRuns(text)
  const called = [...text.matchAll(calls)].flatMap(({ 0: all, index }) => asInner(literalsFrom(text, index + all.length - 1).slice(0, 40)))
  const quoted = language === "node" || language === "python" ? [] : [...text.matchAll(backquoted)].flatMap(([, found]) => asInner([unescaped(found ?? "")]))
  const percented = language === "perl" || language === "ruby" ? [...text.matchAll(percent)].flatMap(([, ...found]) => asInner([found.find((each) => each !== undefined) ?? ""])) : []
  return [...called, ...quoted, ...percented]
}
