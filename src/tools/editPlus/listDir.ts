import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Walker } from "../../services/Walker.js"
import { optionalFlag, optionalNumber, text } from "../core/fields.js"
import { entryLines, hiddenFolder } from "../text/entries.js"
import { lowered } from "../text/lowered.js"
import * as Tool from "../Tool.js"

const mostLevels = 6

export const listDir = Tool.make({
  name: "list_dir",
  set: "edit-plus",
  description: "Tree of a folder (default: root) with file sizes.",
  input: Schema.Struct({
    path: Schema.optionalWith(text("folder"), { exact: true }),
    depth: optionalNumber("levels, 1-6, default 2"),
    includeIgnored: optionalFlag
  }),
  touches: "reads",
  subjects: ({ path }) => path === undefined ? ["*"] : [{ path }],
  body: Effect.fn("list_dir")(function*({ depth = 2, includeIgnored = false, path = "." }) {
    const walker = yield* Walker
    const walked = yield* walker.walk({ folder: path, depth: Math.min(depth, mostLevels), includeIgnored, stat: true })
    return [
      ...walked.hidden ? [hiddenFolder(walked.folder, includeIgnored)] : entryLines(walked.folder, walked.entries, true),
      ...lowered("depth", depth, mostLevels),
      ...walked.unreadable.map((folder) => `${folder}/ could not be listed.`)
    ].join("\n")
  })
})
