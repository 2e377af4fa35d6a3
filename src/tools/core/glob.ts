import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Search } from "../../services/Search.js"
import { lowered } from "../text/lowered.js"
import * as Tool from "../Tool.js"
import { optionalFlag, optionalNumber, text } from "./fields.js"

export const mostPaths = 200

export const glob = Tool.make({
  name: "glob",
  set: "core",
  description: "Files whose path from the root matches a glob.",
  input: Schema.Struct({
    pattern: text("e.g. src/**/*.ts"),
    limit: optionalNumber("default 200"),
    includeIgnored: optionalFlag
  }),
  touches: "reads",
  subjects: ({ pattern }) => [pattern],
  body: Effect.fn("glob")(function*({ includeIgnored = false, limit = mostPaths, pattern }) {
    const most = Math.min(limit, mostPaths)
    const { more, paths, unreadable } = yield* (yield* Search).files({ pattern, includeIgnored, limit: most })
    return [
      ...paths.length === 0 ? [`No files match ${pattern}.`] : paths,
      ...more ? [`... [more files; these are the first ${most}, use a narrower pattern]`] : [],
      ...lowered("limit", limit, mostPaths),
      ...unreadable
    ].join("\n")
  })
})
