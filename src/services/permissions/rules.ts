import type { PermissionLayer } from "../Config.js"
import type { Decision } from "../Permissions.js"
import { fits } from "./pattern.js"

export interface Entry {
  readonly pattern: string
  readonly decision: Decision
}
/** What one layer says about one tool key. */
export interface Table {
  /** the tool name or wildcard it stands under */
  readonly key: string
  readonly source: string
  /** in the order written; the last that fits wins */
  readonly entries: ReadonlyArray<Entry>
  /** written as a mere decision, not as patterns */
  readonly bare: boolean
}
interface Layer {
  readonly narrowsOnly: boolean
  readonly tables: ReadonlyArray<Table>
}
export interface Rules {
  readonly layers: ReadonlyArray<Layer>
  /** a sentence for each rule that was dropped */
  readonly warnings: ReadonlyArray<string>
}

const isDecision = (value: unknown): value is Decision => value === "allow" || value === "ask" || value === "deny"
const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const shown = (value: unknown) => JSON.stringify(value) ?? String(value)

const tableOf = (source: string, key: string, rule: unknown, warn: (text: string) => void): Table | null => {
  if (isDecision(rule)) return { key, source, bare: true, entries: [{ pattern: "*", decision: rule }] }
  const place = `${source}: permission.${key}`
  if (!isTable(rule)) {
    warn(
      typeof rule === "string"
        ? `${place} is ${shown(rule)}, which is no decision; the rule is ignored. Write allow, ask or deny.`
        : `${place} is neither a decision nor a table of patterns; the rule is ignored. Write allow, ask or deny, or { "pattern": "allow" }.`
    )
    return null
  }
  const entries = Object.entries(rule).flatMap(([pattern, decision]): ReadonlyArray<Entry> => {
    if (isDecision(decision)) return [{ pattern, decision }]
    warn(`${place}[${shown(pattern)}] is ${shown(decision)}, which is no decision; the rule is ignored. Write allow, ask or deny.`)
    return []
  })
  return { key, source, bare: false, entries }
}

/** Reads the layers' rules, dropping what is no rule with a warning. */
export const compile = (layers: ReadonlyArray<PermissionLayer>): Rules => {
  const warnings: Array<string> = []
  return {
    layers: layers.map(({ source, narrowsOnly, rules }) => ({
      narrowsOnly,
      tables: Object.entries(rules).flatMap(([key, rule]) => tableOf(source, key, rule, (text) => warnings.push(text)) ?? [])
    })),
    warnings
  }
}

/** What is wrong with the rules of the configuration: for its warnings. */
export const ruleWarnings = (layers: ReadonlyArray<PermissionLayer>): ReadonlyArray<string> => compile(layers).warnings

/** The rules that hold for one tool. */
export interface ToolRules {
  /** replaces the tool's default whole; null: the default holds */
  readonly own: Table | null
  /** of layers that may only narrow: each can make a decision stricter, never weaker */
  readonly narrowing: ReadonlyArray<Table>
}
const lastFor = (tables: ReadonlyArray<Table>, tool: string) => tables.findLast(({ key }) => fits(key, tool))

export const rulesFor = ({ layers }: Rules, tool: string): ToolRules => ({
  own: lastFor(layers.flatMap((layer) => layer.narrowsOnly ? [] : layer.tables), tool) ?? null,
  narrowing: layers.flatMap((layer) => layer.narrowsOnly ? lastFor(layer.tables, tool) ?? [] : [])
})
