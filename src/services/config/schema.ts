import * as Schema from "effect/Schema"

/** The description is the key's, not its type's, whose it would be to name in errors. */
const optional = <A, I>(schema: Schema.Schema<A, I>, description?: string) =>
  Schema.optionalWith(schema, { exact: true }).annotations(description === undefined ? {} : { description })

export const agentNames = ["default", "quick", "deep", "plan", "review"] as const
export const thinkingLevels = ["off", "low", "medium", "high", "max"] as const
export const wireNames = ["openai", "openai-responses", "anthropic", "script"] as const

/** What is wrong with one of the two shapes says nothing to who meant the other. */
const serverShape = "expected { \"command\", \"args\": [], \"env\": {}, \"cwd\" } for a program, or { \"url\", \"type\": \"http\" or \"sse\", \"headers\": {} } for an address"
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
).annotations({ message: () => ({ message: serverShape, override: true }) })
/** US dollars per million tokens */
const Price = Schema.Struct({ input: Schema.Number, output: Schema.Number, cached: optional(Schema.Number) })

/** Everything that can stand in a configuration file. */
export const ConfigFile = Schema.Struct({
  provider: optional(Schema.String, "a wire (openai, openai-responses, anthropic, script) or a preset's name"),
  model: optional(Schema.String, "name of the model, as the provider lists it"),
  taskModel: optional(Schema.String, "model for sub-agents"),
  baseURL: optional(Schema.String, "address of an endpoint of your own, with its `/v1`"),
  apiKey: optional(Schema.String, "key; better in the environment"),
  agent: optional(Schema.Literal(...agentNames)),
  thinking: optional(Schema.Literal(...thinkingLevels)),
  toolSets: optional(Schema.Array(Schema.String), "list of sets: `edit-plus` `git` `nav` `extra` `net`"),
  permission: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }), "tool -> `allow` `ask` `deny`, or a table of patterns; see permissions"),
  plugins: optional(Schema.Record({ key: Schema.String, value: Schema.Boolean }), "plugin name -> on or off"),
  mcpServers: optional(Schema.Record({ key: Schema.String, value: McpServer }), "server name -> program or address; see MCP"),
  maxRetries: optional(Schema.Number.pipe(Schema.int(), Schema.nonNegative()), "how often a request that failed in passing is sent again"),
  maxSteps: optional(Schema.Number.pipe(Schema.int(), Schema.positive()), "a turn stops after so many model calls"),
  maxCostUsd: optional(Schema.Number.pipe(Schema.positive()), "a run stops when so many US dollars are spent"),
  pricing: optional(Schema.Record({ key: Schema.String, value: Price }), "model -> US dollars for a million tokens: `input` `output` `cached`"),
  theme: optional(Schema.Literal("auto", "dark", "light", "none")),
  sandbox: optional(Schema.Literal("off", "workspace")),
  sandboxNetwork: optional(Schema.Boolean, "true: commands in the sandbox reach the network")
})
export type ConfigValues = typeof ConfigFile.Type
