import * as Schema from "effect/Schema"
import type { McpTool } from "../services/McpClient.js"
import * as Tool from "./Tool.js"

const anything = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** A server's tool as one of ours: whatever it says of itself, it may run something, so it asks and no read-only agent holds it. */
export const mcpTool = ({ call, description, inputSchema, name }: McpTool) =>
  Tool.make({
    name,
    set: null,
    description,
    input: anything,
    wireSchema: inputSchema,
    touches: "executes",
    subjects: () => ["*"],
    body: call
  })
