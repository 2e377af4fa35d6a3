import type { By, Decision, Part, Touches } from "../Permissions.js"
import { defaultDecision } from "./defaults.js"
import { fits } from "./pattern.js"
import type { Entry, Table, ToolRules } from "./rules.js"

/** A part with what the verdict needs if this part decides it. */
export interface Judged extends Part {
  readonly by: By
  /** a sentence */
  readonly reason: string
  /** the pattern that "always" would grant for it, null where it can't be granted */
  readonly grants: string | null
}

const severity = { allow: 0, ask: 1, deny: 2 } as const
export const isStricter = (one: Decision, other: Decision) => severity[one] > severity[other]
/** The first of the strictest ones; there must be at least one. */
export const strictestOf = (first: Judged, ...rest: ReadonlyArray<Judged>): Judged =>
  rest.reduce((before, each) => isStricter(each.decision, before.decision) ? each : before, first)

const done = { allow: "allowed", ask: "to be asked about", deny: "denied" } as const
const why: Readonly<Record<Touches, string>> = {
  reads: "it only reads",
  ownState: "it only touches shiro's own state",
  writes: "it changes files",
  executes: "it runs programs",
  network: "it leaves this machine"
}

export const byDefault = (tool: string, touches: Touches, subject: string): Judged => {
  const known = !tool.startsWith("mcp__")
  const decision = known ? defaultDecision(touches) : "ask"
  return {
    subject,
    decision,
    rule: null,
    source: "default",
    by: "default",
    reason: decision === "allow"
      ? `${tool} is allowed by default: ${why[touches]}.`
      : `${tool} asks by default: ${known ? why[touches] : "another program's tool"}.`,
    grants: "*"
  }
}

export const short = (subject: string) => {
  const line = subject.replace(/\s+/g, " ")
  return line.length > 120 ? `${line.slice(0, 117)}...` : line
}

export const byEntry = (tool: string, subject: string, table: Table, entry: Entry): Judged => ({
  subject,
  decision: entry.decision,
  rule: entry.pattern,
  source: table.source,
  by: "rules",
  reason: table.bare
    ? `${tool} is ${done[entry.decision]} by the rule for ${table.key} in ${table.source}.`
    : `${tool}${subject === "*" ? "" : ` (${short(subject)})`} is ${done[entry.decision]} by the rule "${entry.pattern}" in ${table.source}.`,
  grants: "*"
})

/** The table replaces the tool's default, and nothing in it fits. */
export const unmatched = (tool: string, subject: string, table: Table): Judged => ({
  subject,
  decision: "ask",
  rule: null,
  source: table.source,
  by: "rules",
  reason: `No rule for ${tool} in ${table.source} fits ${short(subject)}, so it asks.`,
  grants: "*"
})

/** The rules' word on one subject; the narrowing ones can only make it stricter. `isFor`: whether an entry speaks of it. */
export const decide = (
  rules: ToolRules,
  tool: string,
  touches: Touches,
  subject: string,
  isFor: (entry: Entry) => boolean = ({ pattern }) => fits(pattern, subject)
): Judged => {
  const own = rules.own?.entries.findLast(isFor)
  const base = rules.own === null
    ? byDefault(tool, touches, subject)
    : own === undefined ? unmatched(tool, subject, rules.own) : byEntry(tool, subject, rules.own, own)
  const narrower = rules.narrowing.flatMap((table) => {
    const entry = table.entries.findLast(isFor)
    return entry === undefined ? [] : [byEntry(tool, subject, table, entry)]
  })
  return strictestOf(base, ...narrower)
}
