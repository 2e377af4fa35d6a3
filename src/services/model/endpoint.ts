import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Config } from "../Config.js"
import { Host } from "../Host.js"
import type { Choice, ModelFacts, ModelFault } from "../Model.js"
import { MissingBaseUrl, MissingKey, NoModel, UnknownProvider } from "./faults.js"
import type { Preset } from "./presets.js"
import { localServers, presetNamed, presets } from "./presets.js"
import type { KnownModel } from "./table.js"
import { lookUp, unknownModel } from "./table.js"

/** Where requests go. */
export interface Endpoint {
  readonly preset: Preset
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
  readonly known: KnownModel
  readonly facts: ModelFacts
}

/** Names of the models at an address, empty where nobody answers; a port so that tests need no well-known port. */
export class LocalServers extends Context.Reference<LocalServers>()("shiro/model/LocalServers", {
  defaultValue: () => ({
    models: (baseURL: string): Effect.Effect<ReadonlyArray<string>> =>
      Effect.tryPromise((signal) =>
        fetch(`${baseURL}/models`, { signal: AbortSignal.any([signal, AbortSignal.timeout(400)]) }).then((answer) => answer.json())
      ).pipe(Effect.map(modelNames), Effect.orElseSucceed(() => []))
  })
}) {}

/** The ids of a `GET /models` answer, whatever else it holds. */
export const modelNames = (answer: unknown): ReadonlyArray<string> => {
  if (typeof answer !== "object" || answer === null || !("data" in answer) || !Array.isArray(answer.data)) return []
  return answer.data.flatMap((each: unknown) =>
    typeof each === "object" && each !== null && "id" in each && typeof each.id === "string" ? [each.id] : [])
}

export const endpointOf = (
  preset: Preset,
  settings: { readonly baseURL: string; readonly apiKey: string; readonly model: string; readonly pricing: ModelFacts["price"] | undefined }
): Endpoint => {
  const known = lookUp(settings.model) ?? unknownModel
  return {
    preset,
    baseURL: settings.baseURL.replace(/\/+$/, ""),
    apiKey: settings.apiKey,
    model: settings.model,
    known,
    facts: {
      provider: preset.name,
      model: settings.model,
      wire: preset.wire,
      baseURL: settings.baseURL,
      contextWindow: known.contextWindow,
      thinks: known.thinks !== "no",
      price: settings.pricing ?? known.price
    }
  }
}

/** A preset whose key is in the environment, in the table's order. */
const byKey = (env: Context.Tag.Service<Host>["env"]) =>
  presets.find((preset) => preset.keyVariable !== null && (env[preset.keyVariable] ?? "") !== "")

/**
 * From the configuration, the environment and what was chosen meanwhile. Without a provider: the one whose key is
 * set, else a local Ollama or LM Studio.
 */
export const resolve = Effect.fn("Model.resolve")(function*(choice: Choice): Effect.fn.Return<Endpoint, ModelFault, Config | Host> {
  const { values } = yield* Config
  const { env } = yield* Host
  const named = choice.provider ?? values.provider
  const baseURL = choice.baseURL ?? (choice.provider === undefined ? values.baseURL : undefined)
  const model = choice.model ?? (choice.provider === undefined ? values.model : undefined)
  const pricing = model === undefined ? undefined : values.pricing?.[model]

  if (named === undefined && baseURL === undefined) {
    const keyed = byKey(env)
    if (keyed === undefined) return yield* resolveLocal(model)
  }
  const preset = named === undefined
    ? baseURL === undefined ? byKey(env) : presetNamed("custom")
    : presetNamed(named)
  if (preset === undefined) {
    return yield* new UnknownProvider({ name: named ?? "", available: presets.map((each) => each.name) })
  }
  if (preset.wire === "script") {
    return endpointOf(preset, { baseURL: "", apiKey: "", model: model ?? "script", pricing })
  }
  const address = baseURL ?? preset.baseURL
  if (address === null || address === "") return yield* new MissingBaseUrl({ provider: preset.name })
  const ownKey = choice.apiKey ?? (choice.provider === undefined ? values.apiKey : undefined)
  const apiKey = ownKey ?? env["SHIRO_API_KEY"] ?? (preset.keyVariable === null ? "" : env[preset.keyVariable] ?? "")
  // A base URL of one's own may need no key; the vendor's does.
  if (apiKey === "" && preset.keyVariable !== null && address === preset.baseURL) {
    return yield* new MissingKey({ provider: preset.label, variable: preset.keyVariable })
  }
  if (model === undefined || model === "") return yield* new NoModel({ missing: "model", provider: preset.label })
  return endpointOf(preset, { baseURL: address, apiKey, model, pricing })
})

const resolveLocal = Effect.fnUntraced(function*(model: string | undefined) {
  const local = yield* LocalServers
  for (const preset of localServers) {
    const models = yield* local.models(preset.baseURL ?? "")
    const first = model ?? models[0]
    if (models.length > 0 && first !== undefined) {
      return endpointOf(preset, { baseURL: preset.baseURL ?? "", apiKey: "", model: first, pricing: undefined })
    }
  }
  return yield* new NoModel({ missing: "provider", provider: "" })
})
