import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Fault } from "./Fault.js"
import type { Settled, Touches, Verdict } from "./Permissions.js"

/** The sets that `toolSets` in the configuration switches on; `core` is always on. */
export type ToolSet = "core" | "edit-plus" | "nav" | "extra" | "git" | "net"

export type JsonSchema = Readonly<Record<string, unknown>>

/** A tool as a caller sees it: the input type is gone, the pipeline is behind each of the effects. They read `Call`. */
export interface Offered {
  readonly name: string
  /** null for tools on the agent's own state, of plugins and of MCP servers */
  readonly set: ToolSet | null
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly touches: Touches
  /** not offered outside a git repository */
  readonly needsRepository: boolean
  /** What `--explain` shows: counts nothing, asks nobody. Bad input is `deny` by `input`. */
  readonly explain: (input: unknown) => Effect.Effect<Verdict>
  /** The verdict within the turn; bad input is `deny` by `input`, and `run` then says what was wrong. */
  readonly review: (input: unknown) => Effect.Effect<Verdict>
  /** Asks where the verdict is `ask`. */
  readonly settle: (input: unknown) => Effect.Effect<Settled>
  /** Decode, guard, rules, repeat guard, approval, timeout, body, masking, cap. */
  readonly run: (input: unknown) => Effect.Effect<string, Fault>
}

export interface Listed {
  readonly name: string
  readonly set: ToolSet | null
  readonly access: Touches
  /** UTF-8 bytes of `JSON.stringify({ name, description, inputSchema })` */
  readonly bytes: number
  readonly live: boolean
  /** why it is off; null when live */
  readonly why: string | null
}

/** The tools of this process. The agent, the MCP server and `shiro tool` know tools only through it. */
export class Toolbox extends Context.Tag("shiro/Toolbox")<Toolbox, {
  /** What is offered now: sets that are on, git only inside a repository. In registry order. */
  readonly live: Effect.Effect<ReadonlyArray<Offered>>
  /** Every registered tool, whatever sets are on. */
  readonly all: Effect.Effect<ReadonlyArray<Offered>>
  /** Names of MCP tools that are there but not sent until `load_tools` is called for them. */
  readonly deferred: Effect.Effect<ReadonlyArray<string>>
  readonly listing: Effect.Effect<ReadonlyArray<Listed>>
}>() {}
