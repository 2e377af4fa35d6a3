import { type Analysis, type Field, hole, type Simple } from "../../Commands.js"
import { namesOf } from "../../command/names.js"
import { parseOptions } from "../../command/options.js"
import { downloaders } from "../../command/outputs.js"
import { isInterpreter, programsOf } from "../../command/programs.js"
import { isInput, isShell } from "../../command/shells.js"
import { ask, refuse, type Rule } from "./finding.js"

const runs = refuse("a download piped into a shell", "nobody has seen what it does")
const interprets = (what: string) => ask(`a download run by ${what}`, "nobody has seen what it does")
const isFetched = (field: Field) => field.fetched || field.contents?.fetched === true

const shell: Rule = ({ args, name, simple }) => {
  if (name === "eval" || name === "source" || name === ".") return args.some(isFetched) || (simple.input.fetched && args.some(({ text }) => isInput(text))) ? runs : null
  if (!isShell(name)) return null
  if (args.some(isFetched)) return runs
  if (!simple.input.fetched) return null
  const parsed = parseOptions(args, { short: "oO", long: ["--rcfile", "--init-file"], plus: true, posix: true })
  const coded = parsed.options.some((option) => option.name === "-c")
  const [first] = parsed.others
  const reads = coded ? first?.text.includes(hole) === true : first === undefined || isInput(first.text) || parsed.options.some((option) => option.name === "-s")
  return reads ? runs : null
}
const interpreter: Rule = ({ args, name, simple }) =>
  isInterpreter(name) && (programsOf(name, args, simple.input).some(({ fetched }) => fetched) || args.some(isFetched)) ? interprets(name) : null

const base = (path: string) => path.replace(/[?#][^]*$/, "").replace(/\/+$/, "").replace(/^[^]*\//, "")
const named = (path: string) => path.replace(/^(?:\.\/)+/, "")

/** The files that a command saves downloads to. */
const savedBy = (simple: Simple): ReadonlyArray<string> => {
  const [name = ""] = namesOf(simple.words[0])
  const args = simple.words.slice(1)
  if (name === "tee" && simple.input.fetched) return args.map(({ text }) => text)
  if (!downloaders.has(name)) return []
  const parsed = parseOptions(args, { short: name === "curl" ? "oAbBcCdDeEFhHKmnPQrtTuUwxXyYz" : "OoaePitQTUABDIlRX", long: ["--output", "--output-document", "--output-dir"] })
  const given = parsed.options.flatMap(({ name: option, value }) =>
    value !== null && (option === "-o" || option === "-O" || option === "--output" || option === "--output-document") ? [value.text] : [])
  const urls = parsed.others.map(({ text }) => base(text)).filter((text) => text !== "")
  const byName = name === "curl" ? parsed.options.some(({ name: option }) => option === "-O" || option.startsWith("--remote-name")) : given.length === 0
  return [...given, ...byName ? urls : []]
}
const cache = new WeakMap<Analysis, ReadonlySet<string>>()
const savedIn = (analysis: Analysis): ReadonlySet<string> => {
  const known = cache.get(analysis)
  if (known !== undefined) return known
  const all = [...analysis.commands.flatMap(savedBy), ...analysis.writes.filter(({ fetched }) => fetched).map(({ path }) => path.text)]
  const saved = new Set(all.map(named).filter((path) => path !== "" && path !== "-" && path.replaceAll(hole, "") !== ""))
  cache.set(analysis, saved)
  return saved
}
/** A file that the same line has downloaded, then run. */
const afterwards: Rule = ({ analysis, args, name, simple }) => {
  const saved = savedIn(analysis)
  if (saved.size === 0) return null
  const program = simple.words[0]?.text ?? ""
  if (program.includes("/") && saved.has(named(program))) return interprets("its name")
  if (!isShell(name) && !isInterpreter(name) && name !== "source" && name !== ".") return null
  const script = args.find(({ text }) => !text.startsWith("-"))
  return script !== undefined && saved.has(named(script.text)) ? interprets(name) : null
}

export const downloads: Rule = (suspect) => shell(suspect) ?? interpreter(suspect) ?? afterwards(suspect)
