import { type Analysis, type Field, hole, type Simple } from "../../Commands.js"
import { namesOf } from "../../command/names.js"
import { parseOptions } from "../../command/options.js"
import { isInterpreter, programsOf, scriptOf } from "../../command/programs.js"
import { movedTo, plainPath, savedBy } from "../../command/saved.js"
import { isInput, isShell } from "../../command/shells.js"
import { ask, refuse, type Rule } from "./finding.js"

const runs = refuse("a download piped into a shell", "nobody has seen what it does")
const interprets = (what: string) => ask(`a download run by ${what}`, "nobody has seen what it does")
const isFetched = (field: Field) => field.fetched || field.contents?.fetched === true

/** What reads commands beside shells: a scheduler, a table of jobs, `parallel` without a command of its own. */
const readers: Readonly<Record<string, (texts: ReadonlyArray<string>) => boolean>> = {
  at: (texts) => !texts.some((text) => /^-(?:[lrdc]|f)/.test(text)),
  batch: () => true,
  crontab: (texts) => texts.every((text) => text === "-" || !text.startsWith("-")),
  parallel: (texts) => texts.every((text) => text.startsWith("-")),
  iex: () => true,
  "invoke-expression": () => true
}
const shell: Rule = ({ args, name, simple, texts }) => {
  const [word] = simple.words
  if (word?.fetched === true && word.text.includes(hole)) return runs
  if (Object.hasOwn(readers, name)) return simple.input.fetched && readers[name]?.(texts) === true ? runs : null
  if (name === "eval" || name === "source" || name === ".") return args.some(isFetched) || (simple.input.fetched && args.some(({ text }) => isInput(text))) ? runs : null
  if (!isShell(name)) return null
  const parsed = parseOptions(args, { short: "oO", long: ["--rcfile", "--init-file"], plus: true, posix: true })
  const coded = parsed.options.some((option) => option.name === "-c")
  const [first] = parsed.others
  // What follows a script's name are texts to it; what follows a `-c` may be run by it.
  if (coded ? args.some(isFetched) : first !== undefined && isFetched(first)) return runs
  if (!simple.input.fetched) return null
  const reads = coded ? first?.text.includes(hole) === true : first === undefined || isInput(first.text) || parsed.options.some((option) => option.name === "-s")
  return reads ? runs : null
}
const interpreter: Rule = ({ args, name, simple }) => {
  const script = scriptOf(name, args)
  return programsOf(name, args, simple.input).some(({ fetched }) => fetched) || (script !== null && isFetched(script)) ? interprets(name) : null
}

/** The files that a command saves downloads to. */
const saves = (simple: Simple): ReadonlyArray<string> => savedBy(namesOf(simple.words[0])[0] ?? "", simple.words.slice(1), simple.input.fetched)
const cache = new WeakMap<Analysis, ReadonlySet<string>>()
const savedIn = (analysis: Analysis): ReadonlySet<string> => {
  const known = cache.get(analysis)
  if (known !== undefined) return known
  const all = [...analysis.commands.flatMap(saves), ...analysis.writes.filter(({ fetched }) => fetched).map(({ path }) => path.text)]
  const saved = new Set(all.map(plainPath).filter((path) => path !== "" && path !== "-"))
  for (const { words } of analysis.commands) for (const to of movedTo(namesOf(words[0])[0] ?? "", words.slice(1), saved)) saved.add(plainPath(to))
  cache.set(analysis, saved)
  return saved
}
/** A file that the same line has downloaded, then run. */
const afterwards: Rule = ({ analysis, args, name, simple }) => {
  const saved = savedIn(analysis)
  if (saved.size === 0) return null
  const program = simple.words[0]?.text ?? ""
  if (program.includes("/") && saved.has(plainPath(program))) return interprets("its name")
  if (!isShell(name) && !isInterpreter(name) && name !== "source" && name !== ".") return null
  const script = args.find(({ text }) => !text.startsWith("-"))
  return script !== undefined && saved.has(plainPath(script.text)) ? interprets(name) : null
}

export const downloads: Rule = (suspect) => shell(suspect) ?? interpreter(suspect) ?? afterwards(suspect)
