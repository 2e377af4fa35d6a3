import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { JsonSchema } from "./Toolbox.js"

/** The server answered that the call failed, in its own words. */
export class McpToolFailed extends Schema.TaggedError<McpToolFailed>()("McpToolFailed", {
  server: Schema.String,
  tool: Schema.String,
  said: Schema.String
}) {
  override get message() {
    return this.said === "" ? `${this.tool} of the MCP server ${this.server} failed and said nothing.` : this.said
  }
}
/** The server is gone, or what it sent is no answer. */
export class McpServerGone extends Schema.TaggedError<McpServerGone>()("McpServerGone", {
  server: Schema.String,
  tool: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `The MCP server ${this.server} did not answer ${this.tool}: ${this.why}. Whether the call took effect is unknown. Go on without it, or try once more.`
  }
}
export type McpFault = McpToolFailed | McpServerGone

export interface McpTool {
  readonly server: string
  /** as the server calls it */
  readonly tool: string
  /** `mcp__<server>__<tool>`, made safe for providers and unique */
  readonly name: string
  readonly description: string
  /** as the server gave it */
  readonly inputSchema: JsonSchema
  readonly call: (input: Readonly<Record<string, unknown>>) => Effect.Effect<string, McpFault>
}
export interface McpServer {
  readonly name: string
  readonly state: "starting" | "ready" | "failed"
  /** why it failed; null otherwise */
  readonly why: string | null
  readonly tools: number
}

/** Servers of other people's tools, as configured under `mcpServers`. One that fails is reported and never in the way. */
export class McpClient extends Context.Tag("shiro/McpClient")<McpClient, {
  /** What the servers offer now; waits for those that are still starting, within their time limit. */
  readonly tools: Effect.Effect<ReadonlyArray<McpTool>>
  readonly servers: Effect.Effect<ReadonlyArray<McpServer>>
}>() {}

/** The given tools, as if servers offered them. */
export const McpClientMemory = (tools: ReadonlyArray<McpTool> = []) =>
  Layer.succeed(McpClient, McpClient.of({
    tools: Effect.succeed(tools),
    servers: Effect.succeed([...new Set(tools.map(({ server }) => server))].map((name) =>
      ({ name, state: "ready" as const, why: null, tools: tools.filter(({ server }) => server === name).length })))
  }))
