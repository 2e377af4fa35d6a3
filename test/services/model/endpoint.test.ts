import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConfigMemory } from "../../../src/services/Config.js"
import type { ConfigValues } from "../../../src/services/config/schema.js"
import { HostMemory } from "../../../src/services/Host.js"
import { Model } from "../../../src/services/Model.js"
import { LocalServers, resolve } from "../../../src/services/model/endpoint.js"
import { ModelLive } from "../../../src/services/model/live.js"
import { presets } from "../../../src/services/model/presets.js"
import { lookUp } from "../../../src/services/model/table.js"
import { modelServer } from "../../support/modelServer.js"
import { modelAt } from "../../support/wires.js"

const at = (values: ConfigValues, env: Readonly<Record<string, string>> = {}, local: Readonly<Record<string, ReadonlyArray<string>>> = {}) =>
  resolve({}).pipe(
    Effect.provideService(LocalServers, { models: (baseURL) => Effect.succeed(local[baseURL] ?? []) }),
    Effect.provide(Layer.merge(ConfigMemory(values), HostMemory({ env })))
  )

describe("where requests go", () => {
  it.effect.each(presets.filter(({ baseURL, wire }) => wire !== "script" && baseURL !== null))("for the preset $name", (preset) =>
    Effect.gen(function*() {
      const env = preset.keyVariable === null ? {} : { [preset.keyVariable]: "its-own-key" }
      const endpoint = yield* at({ provider: preset.name, model: "some-model" }, env)
      assert.deepStrictEqual([endpoint.baseURL, endpoint.facts.wire, endpoint.apiKey], [preset.baseURL, preset.wire, preset.keyVariable === null ? "" : "its-own-key"])
    }))

  it.effect("is what the configuration says before what the environment has", () =>
    Effect.gen(function*() {
      const endpoint = yield* at({ provider: "groq", model: "m", apiKey: "configured", baseURL: "http://proxy.example/v1/" }, { GROQ_API_KEY: "of the vendor" })
      assert.deepStrictEqual([endpoint.apiKey, endpoint.baseURL], ["configured", "http://proxy.example/v1"])
    }))

  it.effect("is the provider whose key is set where none is chosen", () =>
    Effect.gen(function*() {
      const endpoint = yield* at({ model: "claude-sonnet-4-5" }, { ANTHROPIC_API_KEY: "k" })
      assert.strictEqual(endpoint.facts.provider, "anthropic")
    }))

  it.effect("is a local server where nothing is configured, with its first model", () =>
    Effect.gen(function*() {
      const endpoint = yield* at({}, {}, { "http://127.0.0.1:1234/v1": ["local-a", "local-b"] })
      assert.deepStrictEqual([endpoint.facts.provider, endpoint.model], ["lmstudio", "local-a"])
    }))

  it.effect("is a custom address without a name for it", () =>
    Effect.gen(function*() {
      const endpoint = yield* at({ baseURL: "http://127.0.0.1:9/v1", model: "m" })
      assert.deepStrictEqual([endpoint.facts.provider, endpoint.facts.wire], ["custom", "openai"])
    }))

  it.effect.each([
    [{}, /^No model is set up, and no local Ollama or LM Studio answers\. Set the provider's key in the environment \(such as .*\) and run `shiro config set model <name>`; for an endpoint of your own set baseURL too\./],
    [{ provider: "openai" }, /^There is no API key for OpenAI\. Set OPENAI_API_KEY \(or SHIRO_API_KEY\)/],
    [{ provider: "ollama" }, /^No model is chosen for Ollama\. Set one with --model, SHIRO_MODEL/],
    [{ provider: "custom", model: "m" }, /^The provider custom needs a base URL\. Set it with --base-url/],
    [{ provider: "opnai" }, /^Unknown provider "opnai"\. Available: openai, openai-responses, anthropic, openrouter, groq,/]
  ] as const)("says what to set where that is missing: %j", ([values, expected]) =>
    Effect.gen(function*() {
      const fault = yield* Effect.flip(at(values))
      assert.match(fault.message, expected)
      assert.isTrue("configuration" in fault && fault.configuration)
    }))

  it("knows models by the longest beginning, whoever resells them", () => {
    assert.strictEqual(lookUp("gpt-5-mini-2025-08-07")?.price?.input, 0.25)
    assert.strictEqual(lookUp("anthropic/claude-sonnet-4.5")?.thinks, "budget")
    assert.strictEqual(lookUp("claude-something-new")?.thinks, "adaptive")
    assert.isNull(lookUp("a-model-of-my-own"))
  })

  it.effect("takes a price of the configuration before the table's", () =>
    Effect.gen(function*() {
      const endpoint = yield* at({ provider: "ollama", model: "gpt-5", pricing: { "gpt-5": { input: 7, output: 8 } } })
      assert.deepStrictEqual(endpoint.facts.price, { input: 7, output: 8 })
    }))
})

describe("the model service", () => {
  it.scopedLive("changes its model while it runs", () =>
    Effect.gen(function*() {
      const model = yield* Model
      yield* model.select({ model: "other" })
      assert.strictEqual((yield* model.current).model, "other")
      yield* model.select({ provider: "anthropic", apiKey: "k", model: "claude-haiku-4-5" })
      assert.deepStrictEqual([(yield* model.current).provider, (yield* model.current).baseURL], ["anthropic", "https://api.anthropic.com/v1"])
    }).pipe(Effect.provide(ModelLive.pipe(Layer.provide(Layer.merge(ConfigMemory({ provider: "ollama", model: "one" }), HostMemory()))))))

  it.scopedLive.each(["openai", "openai-responses", "anthropic"] as const)("answers one question and lists models over %s", (wire) =>
    Effect.gen(function*() {
      const serving = yield* modelServer([{ reasoning: "hm", text: "  bump the port\n" }], { models: ["a", "b"] })
      yield* Effect.gen(function*() {
        const model = yield* Model
        assert.strictEqual(yield* model.generate({ system: "Write a commit message.", prompt: "the diff" }), "bump the port")
        assert.deepStrictEqual(yield* model.list, ["a", "b"])
      }).pipe(Effect.provide(modelAt(serving, wire)))
      assert.deepStrictEqual(serving.faults(), [])
    }))
})
