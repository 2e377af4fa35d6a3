import * as Effect from "effect/Effect"
import { type Analysis, type Commands, hole, type Simple, type Written } from "../Commands.js"
import type * as Context from "effect/Context"
import { within } from "../command/builtins.js"
import type { Touches } from "../Permissions.js"
import { copiedSecret } from "./copies.js"
import { byDefault, byEntry, decide, isStricter, type Judged, short, strictestOf, unmatched } from "./decide.js"
import { mayFit } from "./holes.js"
import { decidePath, type Places } from "./paths.js"
import { fits, hasWildcard } from "./pattern.js"
import { risky } from "./risky/risky.js"
import { type Entry, type Rules, rulesFor, type Table, type ToolRules } from "./rules.js"

export interface Scene {
  readonly rules: Rules
  readonly places: Places
  readonly commands: Context.Tag.Service<Commands>
}

/** A command as rules see it. */
interface Facts {
  /** for the reader */
  readonly subject: string
  /** the words, spaces within them told apart from those between them: what an allow has to fit */
  readonly exact: string
  /** what a deny or an ask may fit: the words, the same by the program's base name, the text as written */
  readonly loose: ReadonlyArray<string>
  /** why no pattern can allow it, a clause after "since"; null when one can. Of a `form` of a program only wildcards cannot */
  readonly barred: { readonly why: string; readonly form: boolean } | null
  /** what "always" would grant */
  readonly grants: string | null
}

const wordBreak = "\u0001"
const factsOf = (simple: Simple): Facts => {
  const { sets, source, words } = simple
  const texts = words.map(({ text }) => text)
  const [first] = words
  const spoken = texts.join(" ")
  const base = texts[0]?.replace(/^[^]*\//, "") ?? ""
  const isPlain = first !== undefined && first.literal && /^[\w./+@:-]+$/.test(first.text)
  const form = risky(words)
  const barred = sets.length > 0
    ? { why: `it sets ${sets.join(", ")}, which can change what programs do`, form: false }
    : first === undefined || !first.literal
    ? { why: "its command word is not written down but expanded", form: false }
    : form === null ? null : { why: `this form of ${base} ${form}`, form: true }
  return {
    subject: words.length === 0 || spoken.includes(hole) || texts.some((text) => /[\s'"]/.test(text)) ? source : spoken,
    exact: texts.map((text) => text.replaceAll(" ", wordBreak)).join(" "),
    loose: [...new Set([spoken, [base, ...texts.slice(1)].join(" "), source])].filter((text) => text !== ""),
    barred,
    grants: barred === null && isPlain ? `${first.text} *` : null
  }
}

const by = (tool: string, facts: Facts, table: Table, entry: Entry): Judged =>
  ({ ...byEntry(tool, facts.subject, table, entry), grants: facts.grants })
const asking = (judged: Judged, reason: string): Judged => ({ ...judged, decision: "ask", by: "analysis", reason, grants: null })

/**
 * What one table says of a command: the last entry that speaks of it; null for none. An allow has to fit for sure, and
 * where no pattern can carry the command it asks (`strict`) or does not count. A deny or an ask that fits or not,
 * depending on what is not known, asks.
 */
const spoken = (tool: string, table: Table, facts: Facts, strict: boolean): Judged | null =>
  table.entries.reduce<Judged | null>((before, entry) => {
    if (entry.decision === "allow") {
      if (!fits(entry.pattern, facts.exact)) return before
      const { barred } = facts
      if (barred === null || (barred.form && !hasWildcard(entry.pattern))) return by(tool, facts, table, entry)
      return strict ? asking(by(tool, facts, table, entry), `${short(facts.subject)} asks whatever patterns allow, since ${barred.why}.`) : before
    }
    if (facts.loose.some((text) => fits(entry.pattern, text))) return by(tool, facts, table, entry)
    if (!facts.loose.some((text) => mayFit(entry.pattern, text))) return before
    if (before !== null && !isStricter("ask", before.decision)) return before
    const reason = `${short(facts.subject)} may fit the rule "${entry.pattern}" in ${table.source}, depending on what is not known before it runs.`
    return asking(by(tool, facts, table, entry), reason)
  }, null)

const narrowed = (tool: string, tables: ReadonlyArray<Table>, facts: Facts): ReadonlyArray<Judged> =>
  tables.flatMap((table) => spoken(tool, table, facts, false) ?? [])

const decideSimple = (rules: ToolRules, tool: string, touches: Touches, simple: Simple): Judged => {
  const facts = factsOf(simple)
  const { own } = rules
  const granted = (judged: Judged): Judged => ({ ...judged, grants: facts.grants })
  const base = own === null
    ? granted(byDefault(tool, touches, facts.subject))
    : own.bare
    ? granted(byEntry(tool, facts.subject, own, own.entries[0] ?? { pattern: "*", decision: "ask" }))
    : spoken(tool, own, facts, true) ?? granted(unmatched(tool, facts.subject, own))
  return strictestOf(base, ...narrowed(tool, rules.narrowing, facts))
}
/** Patterns that name something; a bare `*` is about the line's own commands. */
const naming = (table: Table): Table => ({ ...table, bare: false, entries: table.entries.filter(({ pattern }) => /[^*? ]/.test(pattern)) })
/** What need not be allowed but must not be refused: a guest of another program, the line as a text. */
const objections = (rules: ToolRules, tool: string, facts: Facts): ReadonlyArray<Judged> =>
  narrowed(tool, [...rules.own === null ? [] : [rules.own], ...rules.narrowing].map(naming), facts).filter(({ decision }) => decision !== "allow")

/** A denied file that a command would bring under a name that is not denied. */
const copied = (places: Places, simple: Simple): ReadonlyArray<Judged> => {
  const source = copiedSecret(simple, places.secrets.deniedName)
  if (source === null) return []
  const reason = `${source} is denied on read: it may hold secrets, and under another name it could be read. It was neither moved nor copied.`
  return [{ subject: source, decision: "deny", rule: null, source: "secrets", by: "secrets", reason, grants: null }]
}

/** Files that take whatever is written to them. */
const free = /^\/dev\/(?:null|stdout|stderr|stdin|tty|zero|full|fd\/\d+)$/
const decideWritten = Effect.fnUntraced(function*(scene: Scene, tool: string, bare: boolean, { folders, path, source }: Written) {
  if (free.test(path.text)) return []
  const subject = path.text.replaceAll(hole, "…")
  const unknown: Judged = {
    subject,
    decision: bare ? "allow" : "ask",
    rule: null,
    source: "analysis",
    by: "analysis",
    reason: `${tool} asks, since ${short(source)} writes a file whose name is not known before it runs.`,
    grants: null
  }
  const files = folders.map((folder) => path.many ? null : within(folder, path.text))
  return yield* Effect.forEach(files, (file) => file === null ? Effect.succeed(unknown) : judgedFile(scene, bare, file))
})
/** A file that a command writes, as `write_file` on it. The jail is not the shell's: outside of it nothing is allowed but asked. */
const judgedFile = Effect.fnUntraced(function*(scene: Scene, bare: boolean, file: string) {
  const rules = rulesFor(scene.rules, "write_file")
  const judged = yield* decidePath(scene.places, rules, "write_file", "writes", file)
  const byRules = judged.by === "jail" ? decide(rules, "write_file", "writes", file) : judged
  const outside = judged.by === "jail" && byRules.decision !== "deny"
    ? { ...byRules, decision: "ask", source: "jail", by: "jail", reason: `Writing ${file} asks, since it is outside of the workspace.` } as const
    : byRules
  const folds = bare && outside.decision === "ask" && outside.by !== "protected"
  return { ...outside, grants: null, ...folds ? { decision: "allow" as const, reason: `${file} is written by a command that is allowed.` } : {} }
})

/** A rule that is the whole line, character for character, decides it, unless a later one speaks of the line too. */
const wholeLine = (table: Table | null, line: string): Entry | null => {
  const last = table?.entries.findLast(({ pattern }) => fits(pattern, line))
  return last !== undefined && last.pattern === line && !hasWildcard(line) ? last : null
}

const analysisParts = (tool: string, { doubts, line, unread }: Analysis, bare: boolean): ReadonlyArray<Judged> => {
  const part = (reason: string): Judged => ({ subject: line, decision: "ask", rule: null, source: "analysis", by: "analysis", reason, grants: null })
  if (unread !== null) return [part(`${tool} asks, since this line cannot be taken apart: ${unread}.`)]
  return bare || doubts.length === 0 ? [] : [part(`${tool} asks, since not all of this line is known before it runs: ${doubts[0] ?? ""}.`)]
}

/** A shell line: every simple command in it on its own, and every file it writes; the strictest decides. */
export const decideLine = Effect.fnUntraced(function*(scene: Scene, tool: string, touches: Touches, line: string) {
  const rules = rulesFor(scene.rules, tool)
  const { narrowing, own } = rules
  const exact = wholeLine(own, line)
  const bare = own?.bare === true && own.entries[0]?.decision === "allow"
  const analysis = yield* scene.commands.analyse(line)
  const whole: Facts = { subject: line, exact: line, loose: [line], barred: null, grants: null }
  if (own !== null && exact !== null) {
    const parts = analysis.commands.flatMap((simple) => narrowed(tool, narrowing, factsOf(simple)))
    return [by(tool, whole, own, exact), ...narrowed(tool, narrowing, whole), ...parts]
  }
  const written = yield* Effect.forEach(analysis.writes, (each) => decideWritten(scene, tool, bare, each))
  return [
    ...analysis.commands.flatMap((simple) => copied(scene.places, simple)),
    ...analysis.commands.flatMap((simple) =>
      simple.reach === "rules" ? [decideSimple(rules, tool, touches, simple)] : objections(rules, tool, factsOf(simple))),
    ...written.flat(),
    ...analysisParts(tool, analysis, bare),
    ...objections(rules, tool, whole)
  ]
})
