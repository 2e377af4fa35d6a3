import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"

export const gitChangedInRef = Tool.make({
  name: "git_changed_in_ref",
  set: "extra",
  needsRepository: true,
  description: "Names of tracked files that differ between a ref and the working tree.",
  input: Schema.Struct({ ref: Schema.String }),
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("git_changed_in_ref")(function*({ ref }) {
    const names = yield* (yield* Git).changedSince(ref)
    return names.length === 0 ? `Nothing differs from ${ref}.` : names.join("\n")
  })
})
