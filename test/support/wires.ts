import * as Layer from "effect/Layer"
import { ConfigMemory } from "../../src/services/Config.js"
import type { ConfigValues } from "../../src/services/config/schema.js"
import { HostMemory } from "../../src/services/Host.js"
import { modelLive } from "../../src/services/model/live.js"
import type { Serving } from "./modelServer.js"

export const wires = ["openai", "openai-responses", "anthropic"] as const
export type LiveWire = (typeof wires)[number]
/** A model of each wire that the table knows to think. */
export const thinkers = { openai: "gpt-5", "openai-responses": "gpt-5", anthropic: "claude-sonnet-4-5" } as const

export const configFor = (serving: Serving, wire: LiveWire, values: Partial<ConfigValues> = {}): Partial<ConfigValues> => ({
  provider: wire,
  baseURL: serving.url,
  apiKey: "key-of-the-test",
  model: thinkers[wire],
  ...values
})

/** The live model at the test's server. */
export const modelAt = (serving: Serving, wire: LiveWire, values: Partial<ConfigValues> = {}) =>
  modelLive((host) => host === new URL(serving.url).host).pipe(
    Layer.provide(Layer.mergeAll(ConfigMemory(configFor(serving, wire, values)), HostMemory()))
  )

