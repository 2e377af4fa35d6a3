import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { noteKinds, Notes } from "../../services/Notes.js"
import * as Tool from "../Tool.js"

export const remember = Tool.make({
  name: "remember",
  set: null,
  description: "Keep one self-contained line about this project for later sessions.",
  input: Schema.Struct({
    kind: Schema.Literal(...noteKinds),
    text: Schema.String.annotations({ description: "at most 400 characters" })
  }),
  touches: "ownState",
  subjects: () => ["*"],
  body: Effect.fn("remember")(function*({ kind, text }) {
    return (yield* (yield* Notes).remember(kind, text)) ? "Remembered." : "That is remembered already."
  })
})
