import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Config } from "../Config.js"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import { McpClient } from "../McpClient.js"
import type { JsonSchema } from "../Toolbox.js"
import { connect } from "./connection.js"
import { uniqueNames } from "./names.js"

const schemaOf = (schema: object): JsonSchema => Object.fromEntries(Object.entries(schema))

/** Goes out with every request: a server cannot fill the context with it. */
const longestDescription = 2_000
const bounded = (description: string) =>
  description.length <= longestDescription ? description : `${description.slice(0, longestDescription)} [...]`

/** The configured servers, started at once beside everything else. */
export const McpClientLive = Layer.scoped(
  McpClient,
  Effect.gen(function*() {
    const { values } = yield* Config
    const { env } = yield* Host
    const { root } = yield* Jail
    const connections = yield* Effect.forEach(Object.entries(values.mcpServers ?? {}), ([name, config]) => connect(name, config, root, env))
    return McpClient.of({
      tools: Effect.gen(function*() {
        const offered = yield* Effect.forEach(connections, (connection) =>
          Effect.map(connection.state, ({ tools }) => tools.map((tool) => ({ connection, tool }))), { concurrency: "unbounded" })
        const all = offered.flat()
        const names = uniqueNames(all.map(({ connection, tool }) => ({ server: connection.name, tool: tool.name })))
        return all.map(({ connection, tool }, index) => ({
          server: connection.name,
          tool: tool.name,
          name: names[index] ?? tool.name,
          description: bounded(tool.description ?? tool.title ?? tool.name),
          inputSchema: schemaOf(tool.inputSchema),
          call: (input: Readonly<Record<string, unknown>>) => connection.call(tool.name, input)
        }))
      }),
      servers: Effect.forEach(connections, ({ name, now }) =>
        Effect.map(now, ({ phase, tools, why }) => ({ name, state: phase, why: phase === "failed" ? why : null, tools: tools.length })))
    })
  })
)
