import * as Effect from "effect/Effect"
import { Config } from "../services/Config.js"
import { Plugins } from "../services/Plugins.js"
import { Skills } from "../services/Skills.js"

/** What of the user's own files was left out, and why: sentences for whoever starts a run. */
export const troubles = Effect.gen(function*() {
  return [...(yield* Config).warnings, ...(yield* Plugins).problems, ...yield* (yield* Skills).problems]
})
