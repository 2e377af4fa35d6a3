import type { Analysis, Field, Simple } from "../../Commands.js"

/** What is grave about a command. */
export interface Finding {
  readonly say: "refuse" | "ask"
  /** what it is, as a noun: "a forced push" */
  readonly what: string
  /** what is lost, a clause: "it overwrites what others pushed" */
  readonly why: string
  /** It holds only if one of these words names something in the workspace that is no ref of the repository. */
  readonly ifPath?: ReadonlyArray<string>
}
export const refuse = (what: string, why: string): Finding => ({ say: "refuse", what, why })
export const ask = (what: string, why: string): Finding => ({ say: "ask", what, why })

export interface Suspect {
  /** the program's name without folder, in lower case */
  readonly name: string
  readonly args: ReadonlyArray<Field>
  /** texts of the arguments */
  readonly texts: ReadonlyArray<string>
  readonly simple: Simple
  readonly analysis: Analysis
}
export type Rule = (suspect: Suspect) => Finding | null

export const byName = (rules: Readonly<Record<string, Rule>>): Rule => (suspect) =>
  Object.hasOwn(rules, suspect.name) ? rules[suspect.name]?.(suspect) ?? null : null
export const firstOf = (...rules: ReadonlyArray<Rule>): Rule => (suspect) => {
  let asked: Finding | null = null
  for (const rule of rules) {
    const found = rule(suspect)
    if (found?.say === "refuse") return found
    asked ??= found
  }
  return asked
}
