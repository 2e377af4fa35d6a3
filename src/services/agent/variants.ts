import type { agentNames } from "../config/schema.js"
import type { ThinkingLevel } from "../Model.js"
import { isReadOnly } from "../permissions/defaults.js"
import type { Offered } from "../Toolbox.js"

export type AgentName = (typeof agentNames)[number]

export interface Variant {
  readonly name: AgentName
  readonly thinking: ThinkingLevel
  readonly readOnly: boolean
  readonly steps: number
  /** what this variant is for, in the prompt */
  readonly task: string
}

export const variants: Readonly<Record<AgentName, Variant>> = {
  default: { name: "default", thinking: "medium", readOnly: false, steps: 50, task: "" },
  quick: { name: "quick", thinking: "off", readOnly: false, steps: 12, task: "Be quick: take the shortest way that is right, with few calls." },
  deep: { name: "deep", thinking: "max", readOnly: false, steps: 80, task: "Be thorough: consider alternatives, check edge cases, and verify what you did." },
  plan: {
    name: "plan",
    thinking: "high",
    readOnly: true,
    steps: 50,
    task: "You are planning: nothing may be changed. Study the code and end with a plan: the steps in order, the files each one touches, risks, and how to verify the result."
  },
  review: {
    name: "review",
    thinking: "high",
    readOnly: true,
    steps: 50,
    task: "You are reviewing: nothing may be changed. Report findings in order of severity, each with file and line, what goes wrong and in which case, and a remedy. Leave out what you could not confirm in the code."
  }
}

export const kinds = ["explore", "review", "worker"] as const
export type Kind = (typeof kinds)[number]

const isForeign = (name: string) => name.startsWith("mcp__")
/** What no sub-agent holds. */
const withheldFromHelpers: ReadonlySet<string> = new Set(["web_fetch", "ask", "task"])

/** Read-only by what each tool says it touches; servers' tools count as writing whatever they hint. */
const readsOnly = (tool: Offered) => isReadOnly(tool.touches) && !isForeign(tool.name) && tool.name !== "load_tools"

export const toolsFor = (live: ReadonlyArray<Offered>, holder: { readonly readOnly: boolean; readonly attended: boolean }) =>
  live.filter((tool) => (!holder.readOnly || readsOnly(tool)) && (holder.attended || tool.name !== "ask"))

export const helperTools = (live: ReadonlyArray<Offered>, kind: Kind) =>
  live.filter((tool) => !withheldFromHelpers.has(tool.name) && (kind === "worker" || readsOnly(tool)))

/** The `task` tool's kinds as they go on the wire: without `worker` where none may be sent. */
export const withoutWorker = (schema: Offered["inputSchema"]): Offered["inputSchema"] => {
  const strip = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strip)
    if (typeof node !== "object" || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, value]): readonly [string, unknown] =>
      key === "enum" && Array.isArray(value) ? [key, value.filter((each: unknown) => each !== "worker")] : [key, strip(value)]))
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strip(value)]))
}
