import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Notes } from "../../services/Notes.js"
import * as Tool from "../Tool.js"

export const forget = Tool.make({
  name: "forget",
  set: null,
  description: "Remove every remembered note that contains a text.",
  input: Schema.Struct({ text: Schema.String.pipe(Schema.minLength(1)).annotations({ description: "part of the note" }) }),
  touches: "ownState",
  subjects: () => ["*"],
  body: Effect.fn("forget")(function*({ text }) {
    const removed = yield* (yield* Notes).forget(text)
    return removed === 1 ? "Forgot 1 note." : `Forgot ${removed} notes.`
  })
})
