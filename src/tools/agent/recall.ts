import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Notes } from "../../services/Notes.js"
import * as Tool from "../Tool.js"

export const recall = Tool.make({
  name: "recall",
  set: null,
  description: "Find remembered notes about this project. Verify what they say before you rely on it.",
  input: Schema.Struct({ query: Schema.String.annotations({ description: "words that must all appear" }) }),
  touches: "ownState",
  subjects: () => ["*"],
  body: Effect.fn("recall")(function*({ query }) {
    const notes = yield* (yield* Notes).recall(query)
    return notes.length === 0
      ? `No note holds all of: ${query}`
      : notes.map(({ created, kind, text }) => `${new Date(created).toISOString().slice(0, 10)} ${kind}: ${text}`).join("\n")
  })
})
