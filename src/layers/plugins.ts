import * as Effect from "effect/Effect"
import type { Plugin } from "../services/Plugins.js"
import { offer } from "../tools/pipeline.js"
import { currentTime } from "../tools/plugins/currentTime.js"

/** The plugin that is made of a tool, which services know nothing of. */
export const time: Plugin = {
  name: "time",
  description: "Gives the model current_time, the date and time.",
  tools: Effect.map(offer(currentTime), (tool) => [tool])
}
