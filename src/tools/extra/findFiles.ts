import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Walker } from "../../services/Walker.js"
import { optionalNumber, text } from "../core/fields.js"
import { lowered } from "../text/lowered.js"
import * as Tool from "../Tool.js"

const mostFiles = 200

export const findFiles = Tool.make({
  name: "find_files",
  set: "extra",
  description: "Find files by a part of their name, in any case (no glob).",
  input: Schema.Struct({
    name: text("e.g. auth").pipe(Schema.filter((name) => name !== "" || "Expected a part of a name, actual an empty text")),
    limit: optionalNumber()
  }),
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("find_files")(function*({ limit = mostFiles, name }) {
    const walker = yield* Walker
    const { entries, unreadable } = yield* walker.walk()
    const wanted = name.toLowerCase()
    // A part with a slash can only be meant to be one of the path.
    const searched = (path: string) => (wanted.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1)).toLowerCase()
    const found = entries.flatMap(({ kind, path }) => kind === "file" && searched(path).includes(wanted) ? [path] : [])
      .sort((one, other) => one < other ? -1 : 1)
    const shown = found.slice(0, Math.min(limit, mostFiles))
    return [
      ...found.length === 0 ? [`No files match ${name}.`] : shown,
      ...found.length > shown.length ? [`... [${found.length - shown.length} more]`] : [],
      ...lowered("limit", limit, mostFiles),
      ...unreadable.map((folder) => `${folder}/ could not be listed.`)
    ].join("\n")
  })
})
