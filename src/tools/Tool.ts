import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import type { Fault } from "../services/Fault.js"
import type { Permit, Subject, Touches } from "../services/Permissions.js"
import type { JsonSchema, ToolSet } from "../services/Toolbox.js"
import { isRecord } from "./records.js"

/** What is known of a tool without running it. */
export interface Facts<Name extends string, In, I> {
  readonly name: Name
  /** null: on the agent's own state, always offered */
  readonly set: ToolSet | null
  /** for the model; every byte goes out with every request */
  readonly description: string
  readonly input: Schema.Schema<In, I>
  /** the schema for the wire where it is not made from `input`: an MCP server's own */
  readonly wireSchema?: JsonSchema
  /** only offered inside a git repository; every tool of the set `git` is */
  readonly needsRepository?: boolean
  readonly touches: Touches
  /** what permission rules are matched against; `["*"]` where there is nothing to tell apart */
  readonly subjects: (input: In) => ReadonlyArray<Subject>
  /** time limit of the body; default 120 s; null for none */
  readonly limit?: (input: In) => Duration.DurationInput | null
}

/** A tool: its facts, and a body that runs only with a permit for it. Made by `Tools.make`. */
export interface Tool<Name extends string, In, I, E extends Fault, R> extends Facts<Name, In, I> {
  readonly run: (permit: Permit<Name, In>) => Effect.Effect<string, E, R>
  /** A unified diff of what the call would change, for the person who is asked. Changes nothing. */
  readonly preview: ((input: In) => Effect.Effect<string, E, R>) | null
}

/** The body stays in the closure: only `run`, with a permit, reaches it. */
export const make = <const Name extends string, In, I, E extends Fault, R>(
  spec: Facts<Name, In, I> & {
    readonly body: (input: In) => Effect.Effect<string, E, R>
    readonly preview?: (input: In) => Effect.Effect<string, E, R>
  }
): Tool<Name, In, I, E, R> => {
  const { body, preview, ...facts } = spec
  return { ...facts, preview: preview ?? null, run: (permit) => body(permit.input) }
}

/** Keys of JSON Schema that tell a model nothing it needs. */
const noise = new Set(["$schema", "title", "$id"])
const slim = (node: unknown, isProperties: boolean): unknown => {
  if (Array.isArray(node)) return node.map((item) => slim(item, false))
  if (!isRecord(node)) return node
  return Object.fromEntries(
    Object.entries(node).filter(([key]) => isProperties || !noise.has(key)).map(([key, value]) => [key, slim(value, key === "properties" && !isProperties)])
  )
}

/** The input's JSON Schema as it goes on the wire. */
export const inputSchema = <In, I>(input: Schema.Schema<In, I>): JsonSchema => {
  const slimmed = slim(JSONSchema.make(input), false)
  // Providers take nothing but an object with properties; a struct without fields comes out as anything.
  return isRecord(slimmed) && slimmed["type"] === "object" ? slimmed : { type: "object", properties: {} }
}

/** What a tool adds to a request, in bytes (quality.md, Budgets). */
export const wireBytes = (tool: { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }) =>
  new TextEncoder().encode(
    JSON.stringify({ name: tool.name, description: tool.description, inputSchema: tool.inputSchema })
  ).length
