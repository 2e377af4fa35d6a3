import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { kinds } from "../../services/agent/variants.js"
import { Subagents } from "../../services/Subagents.js"
import * as Tool from "../Tool.js"

export const task = Tool.make({
  name: "task",
  set: null,
  description: "Hand work to a sub-agent with its own context; it gives back one report.",
  input: Schema.Struct({
    description: Schema.String.annotations({ description: "short label for the user" }),
    prompt: Schema.String.annotations({ description: "self-contained: it sees nothing else" }),
    kind: Schema.optionalWith(Schema.Literal(...kinds), { exact: true })
  }),
  touches: "ownState",
  subjects: ({ description }) => [description],
  limit: () => null,
  body: Effect.fn("task")(function*({ description, kind, prompt }) {
    return yield* (yield* Subagents).run({ description, prompt, kind: kind ?? "explore" })
  })
})
