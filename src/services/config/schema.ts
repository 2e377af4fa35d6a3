import * as Schema from "effect/Schema"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const agentNames = ["default", "quick", "deep", "plan", "review"] as const
export const thinkingLevels = ["off", "low", "medium", "high", "max"] as const
export const wireNames = ["openai", "openai-responses", "anthropic", "script"] as const

const McpServer = Schema.Union(
  Schema.Struct({
    command: Schema.String,
    args: optional(Schema.Array(Schema.String)),
    env: optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    cwd: optional(Schema.String)
  }),
  Schema.Struct({
    url: Schema.String,
    type: optional(Schema.Literal("http", "sse")),
    headers: optional(Schema.Record({ key: Schema.String, value: Schema.String }))
  })
)
/** US dollars per million tokens */
const Price = Schema.Struct({ input: Schema.Number, output: Schema.Number, cached: optional(Schema.Number) })

/** Everything that can stand in a configuration file. */
export const ConfigFile = Schema.Struct({
  provider: optional(Schema.String.annotations({ description: "a wire (openai, openai-responses, anthropic, script) or a preset's name" })),
  model: optional(Schema.String),
  taskModel: optional(Schema.String.annotations({ description: "model for sub-agents" })),
  baseURL: optional(Schema.String),
  apiKey: optional(Schema.String),
  agent: optional(Schema.Literal(...agentNames)),
  thinking: optional(Schema.Literal(...thinkingLevels)),
  toolSets: optional(Schema.Array(Schema.String)),
  permission: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  plugins: optional(Schema.Record({ key: Schema.String, value: Schema.Boolean }).annotations({ description: "plugin name -> on or off" })),
  mcpServers: optional(Schema.Record({ key: Schema.String, value: McpServer })),
  maxRetries: optional(Schema.Number.pipe(Schema.int(), Schema.nonNegative())),
  maxSteps: optional(Schema.Number.pipe(Schema.int(), Schema.positive())),
  maxCostUsd: optional(Schema.Number.pipe(Schema.positive())),
  pricing: optional(Schema.Record({ key: Schema.String, value: Price })),
  theme: optional(Schema.Literal("auto", "dark", "light", "none")),
  sandbox: optional(Schema.Literal("off", "workspace")),
  sandboxNetwork: optional(Schema.Boolean)
})
export type ConfigValues = typeof ConfigFile.Type
