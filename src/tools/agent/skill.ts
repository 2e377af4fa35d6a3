import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Skills } from "../../services/Skills.js"
import * as Tool from "../Tool.js"

export const skill = Tool.make({
  name: "skill",
  set: null,
  description: "Load a skill of the catalogue before you do that kind of work.",
  input: Schema.Struct({ name: Schema.String }),
  touches: "ownState",
  subjects: ({ name }) => [name],
  body: Effect.fn("skill")(function*({ name }) {
    return (yield* (yield* Skills).find(name)).body
  })
})
