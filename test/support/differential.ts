import type { Analysis, Field } from "../../src/services/Commands.js"
import { analyse } from "../../src/services/command/analyse.js"
import { globFits } from "../../src/services/command/globs.js"
import type { BashSandbox, Executed } from "./bashSandbox.js"

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
const pattern = (text: string) => new RegExp(`^${text.split("\0").map(escape).join("[^]*")}$`)

/** Whether words that were executed are words that the analysis names, holes standing for anything. */
const fits = (fields: ReadonlyArray<Field>, words: ReadonlyArray<string>): boolean => {
  const [field, ...others] = fields
  if (field === undefined) return words.length === 0
  const [word, ...rest] = words
  if (word !== undefined && (pattern(field.text).test(word) || (field.glob !== null && globFits(field.glob, word)) || field.text === word) && fits(others, rest)) return true
  if (!field.many) return false
  // An unquoted expansion is no word, or several, the first and last of which carry what is written beside it.
  return fits(others, words) || words.some((_, index) => fits(others, words.slice(index + 1)))
}
const base = (text: string) => text.replace(/^[^]*\//, "")
const named = (fields: ReadonlyArray<Field>): ReadonlyArray<Field> => fields.map((field, index) => index === 0 ? { ...field, text: base(field.text), glob: field.glob === null ? null : base(field.glob) } : field)

/** What was executed of a line that its analysis does not know of. */
export const unknownTo = (analysis: Analysis, executed: Executed): Executed => {
  const known = analysis.commands.map(({ words }) => named(words)).filter((words) => words.length > 0)
  return executed.filter((words) => !known.some((fields) => fits(fields, words)))
}

export interface Difference {
  readonly line: string
  readonly executed: Executed
}
export interface Compared {
  readonly differences: ReadonlyArray<Difference>
  /** programs that ran in all */
  readonly programs: number
  /** lines of which the analysis says that it does not know all that they run, so that they ask */
  readonly unread: number
}

/** Runs lines in a real bash and looks for programs that the analysis did not foresee. */
export const compare = (sandbox: BashSandbox, lines: ReadonlyArray<string>): Compared => {
  const usable = lines.filter((line) => !line.includes("\0"))
  const executed = sandbox.run(usable)
  let programs = 0
  let unread = 0
  const differences = usable.flatMap((line, index): ReadonlyArray<Difference> => {
    const ran = executed[index] ?? []
    programs += ran.length
    if (ran.length === 0) return []
    const analysis = analyse(line)
    if (analysis.unread !== null) {
      unread++
      return []
    }
    // What a shell reads from a file cannot be seen; such a line asks.
    if (analysis.doubts.some((why) => why.includes("commands that are not known"))) {
      unread++
      return []
    }
    const unknown = unknownTo(analysis, ran)
    return unknown.length === 0 ? [] : [{ line, executed: unknown }]
  })
  return { differences, programs, unread }
}
