import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"

export const gitShowFile = Tool.make({
  name: "git_show_file",
  set: "extra",
  needsRepository: true,
  description: "A file's content at a ref, e.g. HEAD~3.",
  input: Schema.Struct({ path: Schema.String, ref: Schema.String }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("git_show_file")(function*({ path, ref }) {
    const text = yield* (yield* Git).file(path, ref)
    return text === "" ? "(empty file)" : text
  })
})
