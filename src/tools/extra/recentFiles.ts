import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Walker } from "../../services/Walker.js"
import { optionalNumber } from "../core/fields.js"
import { hiddenFolder } from "../text/entries.js"
import { lowered } from "../text/lowered.js"
import * as Tool from "../Tool.js"

const mostFiles = 200

export const recentFiles = Tool.make({
  name: "recent_files",
  set: "extra",
  description: "Files changed last, newest first, with the time. limit: default 20.",
  input: Schema.Struct({
    limit: optionalNumber(),
    path: Schema.optionalWith(Schema.String, { exact: true })
  }),
  touches: "reads",
  subjects: ({ path }) => path === undefined ? ["*"] : [{ path }],
  body: Effect.fn("recent_files")(function*({ limit = 20, path = "." }) {
    const walker = yield* Walker
    const { entries, folder, hidden, unreadable } = yield* walker.walk({ folder: path, stat: true })
    const files = entries.filter(({ kind }) => kind === "file")
      .sort((one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1))
      .slice(0, Math.min(limit, mostFiles))
    return [
      ...hidden ? [hiddenFolder(folder, false)] : files.length === 0 ? [`No files in ${folder}.`] : [],
      ...files.map(({ modified, path: file }) => `${DateTime.formatIso(DateTime.unsafeMake(Math.floor(modified)))}  ${file}`),
      ...lowered("limit", limit, mostFiles),
      ...unreadable.map((each) => `${each}/ could not be listed.`)
    ].join("\n")
  })
})
