import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import { diffRoom, diffText } from "../git/diffText.js"
import { optionalText, pathSubject } from "../git/input.js"
import * as Tool from "../Tool.js"

export const gitDiffCommits = Tool.make({
  name: "git_diff_commits",
  set: "extra",
  needsRepository: true,
  description: "Unified diff between two refs, of all files or one path.",
  input: Schema.Struct({ from: Schema.String, to: Schema.String, path: optionalText }),
  touches: "reads",
  subjects: pathSubject,
  body: Effect.fn("git_diff_commits")(function*({ from, path, to }) {
    const diff = yield* (yield* Git).diff({ of: "commits", from, to }, { room: diffRoom, ...path === undefined ? {} : { path } })
    const text = diffText(diff, diffRoom)
    if (diff.files.length > 0) return text
    return [`No difference between ${from} and ${to}${path === undefined ? "" : ` in ${path}`}.`, text.trim()].filter((part) => part !== "").join("\n")
  })
})
