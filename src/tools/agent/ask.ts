import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Asker } from "../../services/Asker.js"
import * as Tool from "../Tool.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const ask = Tool.make({
  name: "ask",
  set: null,
  description: "Ask the user one specific question, when you can't decide without them.",
  input: Schema.Struct({
    question: Schema.String,
    options: optional(
      Schema.Array(Schema.Struct({ label: Schema.String, detail: optional(Schema.String) })).annotations({ description: "recommendation first" })
    ),
    multiple: optional(Schema.Boolean)
  }),
  touches: "ownState",
  subjects: () => ["*"],
  limit: () => null,
  body: Effect.fn("ask")(function*({ multiple, options, question }) {
    const answer = yield* (yield* Asker).ask({ question, options: options ?? [], multiple: multiple ?? false })
    return answer === null ? "the user dismissed this; use your best judgement" : answer.join("\n")
  })
})
