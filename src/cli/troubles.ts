import * as Effect from "effect/Effect"
import { Config } from "../services/Config.js"
import { McpClient } from "../services/McpClient.js"
import { Plugins } from "../services/Plugins.js"
import { Skills } from "../services/Skills.js"
import { chosenSets, optionalSets } from "../tools/registry.js"

/** What of the configuration does not hold, and why: sentences. */
export const configTroubles = Effect.map(Config, ({ sources, values, warnings }) => [
  ...warnings,
  ...chosenSets(values.toolSets).unknown.map((set) =>
    `${sources.toolSets ?? "The configuration"}: toolSets names the set "${set}", which does not exist; it was ignored. Sets: ${optionalSets.join(", ")}`)
])

/** What of the user's own files was left out, and why: sentences for whoever starts a run. */
export const troubles = Effect.gen(function*() {
  return [...(yield* configTroubles), ...(yield* Plugins).problems, ...yield* (yield* Skills).problems]
})

/** Which MCP servers could not be started, and why; waits for those that are still starting. */
export const serverTroubles = Effect.gen(function*() {
  const { servers, tools } = yield* McpClient
  yield* tools
  return (yield* servers).flatMap(({ name, state, why }) =>
    state === "failed" ? [`The MCP server ${name} could not be used: ${why ?? "it ended"}. The run goes on without its tools. Mend or remove it under mcpServers.`] : [])
})
