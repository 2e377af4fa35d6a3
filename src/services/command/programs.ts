import { type Field, hole } from "../Commands.js"
import { code, field, type Inner, unseen, words } from "./inner.js"
import { has, type Options, parseOptions } from "./options.js"
import { isInput } from "./shells.js"

/** A program text that is handed to an interpreter on the line itself. */
export interface Program {
  readonly language: "python" | "perl" | "ruby" | "node" | "php" | "awk" | "sed" | "tcl" | "other"
  readonly text: string
  /** Texts that it is given beside: values of variables, what it reads. */
  readonly given?: ReadonlyArray<string>
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
  [/^perl[\d.]*$/, { language: "perl", flags: ["-e", "-E"], spec: { short: "eEI", attached: "diDxMmFV", digits: "0lC" }, reads: true }],
  [/^(?:ruby|jruby|truffleruby)[\d.]*$/, { language: "ruby", flags: ["-e"], spec: { short: "eIrCE", attached: "iFKx", digits: "0TW" }, reads: true }],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, { language: "node", flags: ["-e", "-p", "--eval", "--print"], spec: { short: "eprC", long: ["--eval", "--print", "--require", "--import", "--loader", "--conditions", "--env-file"] }, reads: true }],
  [/^php[\d.]*$/, { language: "php", flags: ["-r", "-B", "-R", "-E"], spec: { short: "rBREdzFfc" }, reads: true }],
  [/^(?:tclsh|wish|expect)[\d.]*$/, { language: "tcl", flags: ["-c"], spec: { short: "cf" }, reads: true }],
  [/^(?:lua|luajit)[\d.]*$/, { language: "other", flags: ["-e"], spec: { short: "el" }, reads: true }],
  [/^emacs(?:client)?$/, { language: "other", flags: ["-e", "--eval", "-eval", "--execute", "-execute"], spec: { short: "lf", long: ["--eval", "--execute", "--load", "--funcall"] }, reads: false }],
  [/^(?:Rscript|julia|groovy|scala|elixir|osascript|ghc|raku|swipl|octave|guile|racket|crystal)$/i, { language: "other", flags: ["-e", "-E", "-c", "-g", "--eval"], spec: { short: "eEcg", long: ["--eval"] }, reads: true }]
]

const interpreterOf = (name: string) => table.find(([pattern]) => pattern.test(name))?.[1] ?? null
export const isInterpreter = (name: string): boolean => interpreterOf(name) !== null

const awkNames = new Set(["awk", "gawk", "mawk", "nawk", "original-awk", "busybox-awk"])
const sedNames = new Set(["sed", "gsed"])

const scripted = (args: ReadonlyArray<Field>, language: "awk" | "sed", input: Reads): ReadonlyArray<Program> => {
  const spec: Options = language === "awk"
    ? { short: "vFf", long: ["--assign", "--field-separator", "--file", "--source"] }
    : { short: "efl", attached: "iE", long: ["--expression", "--file", "--line-length"] }
  const parsed = parseOptions(args, language === "awk" ? { ...spec, posix: true } : spec)
  const named = parsed.options.flatMap(({ name, value }) => /^(?:-e|--expression|--source)$/.test(name) && value !== null ? [value] : [])
  const first = parsed.others[0]
  const texts = named.length > 0 ? named : has(parsed, "f", ["--file"]) || first === undefined ? [] : [first]
  const values = parsed.options.flatMap(({ name, value }) => /^(?:-v|--assign)$/.test(name) && value !== null ? [value.text.replace(/^[^=]*=/, "")] : [])
  const read = input.given && input.text !== null ? [input.text] : []
  return texts.map(({ text }) => ({ language, text, given: [...values, ...read], fetched: input.fetched && runsInput[language].test(text) }))
}
/** A program that runs what it reads. */
const substitution = /s([^\w\s\\])(?:\\[^]|(?!\1)[^\\\n])*\1((?:\\[^]|(?!\1)[^\\])*)\1[gpimIM\d]*e/g
const runsInput = {
  awk: /\bsystem\s*\(|\|\s*"[^"]*\b(?:ba|da|z|k)?sh\b|\|&?\s*getline/,
  sed: new RegExp(String.raw`(?:^|[;{}\n\d$/,!~])[ \t]*e[ \t]*(?:[;}\n]|$)|${substitution.source}`)
}

/** The text of a call's own words, as node has them: `-pe` is two options. */
const spelled = (name: string, args: ReadonlyArray<Field>): ReadonlyArray<Field> =>
  name === "deno" && args[0]?.text === "eval" ? [field("-e"), ...args.slice(1)]
    : (name === "deno" || name === "bun") && args[0]?.text === "run" ? args.slice(1)
    : /^(?:node|nodejs)$/.test(name) ? args.map((each) => each.text === "-pe" ? { ...each, text: "-e" } : each)
    : args

/** The file that an interpreter is to run, null where it runs none: a text, a module, its input. */
export const scriptOf = (name: string, args: ReadonlyArray<Field>): Field | null => {
  const interpreter = interpreterOf(name)
  if (interpreter === null) return null
  const parsed = parseOptions(spelled(name, args), { ...interpreter.spec, posix: true })
  const coded = parsed.options.some((option) => interpreter.flags.includes(option.name)) || (interpreter.language === "python" && has(parsed, "m"))
  return coded ? null : parsed.others[0] ?? null
}

interface Reads {
  readonly text: string | null
  readonly fetched: boolean
  readonly given: boolean
}
/** The program texts in an interpreter's arguments, or on its input where it has no file. */
export const programsOf = (name: string, args: ReadonlyArray<Field>, input: Reads): ReadonlyArray<Program> => {
  if (awkNames.has(name)) return scripted(args, "awk", input)
  if (sedNames.has(name)) return scripted(args, "sed", input)
  const interpreter = interpreterOf(name)
  if (interpreter === null) return []
  const { flags, language, reads, spec } = interpreter
  const parsed = parseOptions(spelled(name, args), { ...spec, posix: true })
  const texts = parsed.options.flatMap((option) => flags.includes(option.name) && option.value !== null ? [option.value] : [])
  const [file] = parsed.others
  const module = language === "python" && has(parsed, "m")
  const readsInput = reads && !module && texts.length === 0 && input.given && (file === undefined || isInput(file.text))
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

const calls = /\b(?:system|popen[234]?|exec[lv]?p?e?|spawn[lv]?p?e?|execSync|execFile|execFileSync|spawnSync|call|check_call|check_output|run|getoutput|getstatusoutput|Popen|shell_exec|passthru|proc_open|pcntl_exec|execa|execaSync|Command|shell-command(?:-to-string)?|async-shell-command|call-process|start-process|capture2e?|capture3|create_subprocess_shell|create_subprocess_exec|posix_spawn|do shell script|os\.execute|\$)\s*[(\s"'`]/g
const looksLikeCall = new RegExp(calls.source)
const backquoted = /`((?:[^`\\]|\\[^])*)`/g
const percent = /(?:%x|\bqx)\s*(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|\/([^/]*)\/|\|([^|]*)\||!([^!]*)!|'([^']*)')/g

const asInner = (literals: ReadonlyArray<string>): ReadonlyArray<Inner> => {
  const [first] = literals
  if (first === undefined) return []
  return [...code(field(first), "guard"), ...literals.length > 1 ? words(literals.map(field), "guard") : []]
}

const everyLiteral = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`((?:[^`\\]|\\[^])*)`/g
const literalsIn = (text: string): ReadonlyArray<string> => [...text.matchAll(everyLiteral)].map(([, one, two, three]) => unescaped(one ?? two ?? three ?? ""))

/** What awk runs may be put together: every text in it, or given to it, is then looked at as code. */
const awkVague = (text: string, given: ReadonlyArray<string>): ReadonlyArray<Inner> =>
  /\bsystem\s*\(\s*[^"\s]|\|&?\s*(?:getline|[A-Za-z_$])/.test(text) ? [...literalsIn(text), ...given].flatMap((each) => asInner([each])) : []
const awkRuns = (text: string, given: ReadonlyArray<string>): ReadonlyArray<Inner> => [
  ...awkVague(text, given),
  ...[...text.matchAll(/\bsystem\s*\(/g)].flatMap(({ 0: all, index }) => asInner(literalsFrom(text, index + all.length).slice(0, 1))),
  ...[...text.matchAll(/"((?:[^"\\]|\\[^])*)"\s*\|&?\s*getline/g)].flatMap(([, found]) => asInner([unescaped(found ?? "")])),
  ...[...text.matchAll(/\|&?\s*"((?:[^"\\]|\\[^])*)"/g)].flatMap(([, found]) => asInner([unescaped(found ?? "")]))
]
const sedRuns = (text: string, given: ReadonlyArray<string>): ReadonlyArray<Inner> => [
  ...[...text.matchAll(/(?:^|[;{}\n\d$/,!~])\s*e[ \t]+([^\n]+)/g)].flatMap(([, found]) => asInner([found ?? ""])),
  ...[...text.matchAll(substitution)].flatMap(([, , found]) => asInner([found ?? ""])),
  ...runsInput.sed.test(text) ? given.flatMap((each) => asInner([each])) : []
]
/** In Tcl a command's words follow it without quotes. */
const tclRuns = (text: string): ReadonlyArray<Inner> =>
  [...text.matchAll(/\b(?:exec|spawn|system)\s+([^\n;\]}]+)/g)].flatMap(([, found = ""]) => asInner([found.replace(/^(?:-\w+\s+)*/, "")]))
/** `open` with a pipe to or from a program. */
const opens = (text: string): ReadonlyArray<Inner> =>
  [...text.matchAll(/\bopen\b/g)].flatMap(({ 0: all, index }) => literalsFrom(text, index + all.length).flatMap((each) => /^\s*\||\|\s*$|\s/.test(each) ? asInner([each.replace(/^\s*\||\|\s*$/g, "")]) : []))
const evaluates = /\b(?:exec|eval|compile|Function|instance_eval|class_eval|vm\.runIn\w+)\s*[('"`{]/

/** The commands that a program text runs by calls that are plain to see. */
export const runsIn = (program: Program): ReadonlyArray<Inner> =>
  program.text.length <= longest ? runsInText(program) : [...unseen("a program is too long to be looked through"), ...runsInText({ ...program, text: program.text.slice(0, longest) })]
const longest = 20_000
const runsInText = ({ given = [], language, text }: Program): ReadonlyArray<Inner> => {
  if (language === "awk") return awkRuns(text, given)
  if (language === "sed") return sedRuns(text, given)
  if (language === "tcl") return tclRuns(text)
  const called = [...text.matchAll(calls)].flatMap(({ 0: all, index }) => asInner(literalsFrom(text, index + all.length - 1).slice(0, 40)))
  const quoted = language === "node" || language === "python" ? [] : [...text.matchAll(backquoted)].flatMap(([, found]) => asInner([unescaped(found ?? "")]))
  const percented = language === "perl" || language === "ruby" ? [...text.matchAll(percent)].flatMap(([, ...found]) => asInner([found.find((each) => each !== undefined) ?? ""])) : []
  const opened = language === "perl" || language === "ruby" ? opens(text) : []
  // A text that is evaluated is a program in its turn.
  const within = evaluates.test(text) ? literalsIn(text).flatMap((each) => each.length < text.length - 4 && looksLikeCall.test(each) ? runsIn({ language, text: each, fetched: false }) : []) : []
  return [...called, ...quoted, ...percented, ...opened, ...within]
}
