import type { LanguageModelV3 } from "@ai-sdk/provider"
import * as Effect from "effect/Effect"
import type { WireName } from "../Model.js"
import type { Endpoint } from "./endpoint.js"
import { transport } from "./transport.js"

/** The SDK's name for the options of a wire. */
export const optionsKey = (wire: WireName): string =>
  wire === "anthropic" ? "anthropic" : wire === "openai-responses" ? "openai" : "openaiCompatible"

const url = (base: string) => new URL(base)
export const hostOf = (endpoint: Endpoint): string => URL.canParse(endpoint.baseURL) ? url(endpoint.baseURL).host : endpoint.baseURL

/** A model behind a wire, with only that wire's code loaded. */
export const open = (wire: Exclude<WireName, "script">, endpoint: Endpoint): Effect.Effect<LanguageModelV3> =>
  Effect.promise(async () => {
    const { apiKey, baseURL, model } = endpoint
    switch (wire) {
      case "openai": {
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
        return createOpenAICompatible({ name: "openaiCompatible", baseURL, includeUsage: true, fetch: transport, ...(apiKey === "" ? {} : { apiKey }) }).chatModel(model)
      }
      case "openai-responses": {
        const { createOpenAI } = await import("@ai-sdk/openai")
        return createOpenAI({ baseURL, fetch: transport, apiKey: apiKey === "" ? "none" : apiKey }).responses(model)
      }
      case "anthropic": {
        const { createAnthropic } = await import("@ai-sdk/anthropic")
        return createAnthropic({ baseURL, fetch: transport, apiKey: apiKey === "" ? "none" : apiKey }).messages(model)
      }
    }
  })
