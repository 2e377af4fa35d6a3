import * as Effect from "effect/Effect"
import type { Plugin } from "../Plugins.js"

/** On standard error, as standard output may be somebody's data. */
const ring = Effect.sync(() => {
  if (process.stderr.isTTY) process.stderr.write("\u0007")
})

export const bell: Plugin = {
  name: "bell",
  description: "Rings the terminal's bell when a turn ends or a question waits.",
  afterTurn: () => ring,
  beforeQuestion: ring
}
