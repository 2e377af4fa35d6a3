import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Notes } from "../Notes.js"
import { PromptParts } from "../PromptParts.js"

/** How many notes stand in the prompt; the rest is a `recall` away. */
const shown = 20

export const NotesInPrompt = Layer.effectDiscard(Effect.gen(function*() {
  const notes = yield* Notes
  yield* (yield* PromptParts).register(notes.top(shown).pipe(
    Effect.catchAll(() => Effect.succeed([])),
    Effect.map((top) => ({
      name: "notes",
      text: top.length === 0 ? "" : `# Remembered about this project (verify before you rely on it)\n${top.map(({ kind, text }) => `- ${kind}: ${text}`).join("\n")}`,
      stable: false,
      tool: "recall"
    }))
  ))
}))
