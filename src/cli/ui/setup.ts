import * as Effect from "effect/Effect"
import { Model } from "../../services/Model.js"
import { Secrets } from "../../services/Secrets.js"
import { presets } from "../../services/model/presets.js"
import { saveOwnConfig } from "../ownConfig.js"
import type { People } from "./people.js"

const one = (answer: ReadonlyArray<string> | null) => answer?.[0] ?? null

/**
 * Chooses a provider, its address and key and one of the models it lists, keeps them in the user's own configuration and
 * uses them from here on. Gives a sentence on how it ended.
 */
export const setUp = Effect.fn("setUp")(function*(people: People) {
  const model = yield* Model
  const secrets = yield* Secrets
  const offered = presets.filter(({ wire }) => wire !== "script")
  const label = one(yield* people.inquire({
    question: "Which provider shall answer?",
    options: offered.map(({ baseURL, keyVariable, label: name }) => ({ label: name, detail: keyVariable ?? baseURL ?? "any OpenAI-compatible endpoint" })),
    multiple: false
  }))
  const preset = offered.find((each) => each.label === label)
  if (preset === undefined) return "No provider was set up. Use /provider when you want to."
  const address = preset.baseURL ?? one(yield* people.inquire({ question: "Base URL of the endpoint, such as http://127.0.0.1:8000/v1", options: [], multiple: false }))
  if (address === null) return "No provider was set up. Use /provider when you want to."
  const needsKey = preset.keyVariable !== null || preset.baseURL === null
  const key = needsKey ? one(yield* people.inquire({ question: `API key${preset.baseURL === null ? " (esc if it needs none)" : ` of ${preset.label}`}`, options: [], multiple: false }, true)) : null
  if (key === null && preset.keyVariable !== null) return "No provider was set up. Use /provider when you want to."
  if (key !== null) yield* secrets.hide(key)
  const chosen = { provider: preset.name, baseURL: address, ...key === null ? {} : { apiKey: key } }
  yield* model.select({ ...chosen, model: "unknown" })
  const listed = yield* Effect.either(Effect.timeoutFail(model.list, { duration: "10 seconds", onTimeout: () => ({ message: "no answer within 10 s" }) }))
  const unlisted = listed._tag === "Left" ? yield* secrets.mask(listed.left.message.split("\n")[0] ?? "") : ""
  const names = listed._tag === "Right" ? listed.right : []
  const name = one(yield* people.inquire({
    question: names.length > 0
      ? `Which of its ${names.length} models?`
      : `${unlisted === "" ? "" : `The endpoint did not list its models (${unlisted}). `}Name of the model`,
    options: names.map((each) => ({ label: each })),
    multiple: false
  }))
  if (name === null) return "No model was chosen. Use /model when you want to."
  yield* model.select({ ...chosen, model: name })
  yield* saveOwnConfig({ provider: preset.name, model: name, ...preset.baseURL === null ? { baseURL: address } : {}, ...key === null ? {} : { apiKey: key } })
  return `${name} of ${preset.label} answers from now on.`
})
