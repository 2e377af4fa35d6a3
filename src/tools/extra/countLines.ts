import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { Search } from "../../services/Search.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

/** Files of a pattern that are counted in one call, as many as `glob` gives. */
const mostFiles = 200

const ofPath = Effect.fnUntraced(function*(path: string) {
  return `${path}: ${counted(yield* (yield* Files).countLines(path), "line")}`
})

/** A line for each file that is text, their sum, and what was left out. */
const ofPattern = Effect.fnUntraced(function*(pattern: string) {
  const files = yield* Files
  const { more, paths, unreadable } = yield* (yield* Search).files({ pattern, limit: mostFiles })
  if (paths.length === 0) return [`No files match ${pattern}.`, ...unreadable].join("\n")
  const counts = yield* Effect.forEach(
    paths,
    (path) => Effect.match(files.countLines(path), { onSuccess: (lines) => ({ path, lines }), onFailure: (error) => ({ path, error }) }),
    { concurrency: 8 }
  )
  const lines = counts.map((each) => "lines" in each ? `${each.path}: ${each.lines}` : `${each.path}: [unreadable: ${each.error.message}]`)
  const texts = counts.flatMap((each) => "lines" in each ? [each.lines] : [])
  const total = `total: ${counted(texts.reduce((sum, each) => sum + each, 0), "line")} in ${counted(texts.length, "file")}`
  const note = more ? [`Only the first ${mostFiles} files are counted. Use a narrower pattern.`] : []
  return [...lines, total, ...note, ...unreadable].join("\n")
})

export const countLines = Tool.make({
  name: "count_lines",
  set: "extra",
  description: "Count lines of one file (path), or of each file matching a glob (pattern).",
  input: Schema.Struct({
    path: Schema.optionalWith(Schema.String, { exact: true }),
    pattern: Schema.optionalWith(Schema.String, { exact: true })
  }).pipe(Schema.filter(({ path, pattern }) =>
    (path === undefined) !== (pattern === undefined) || "Expected exactly one of path and pattern")),
  touches: "reads",
  subjects: ({ path, pattern }) => path === undefined ? [pattern ?? "*"] : [{ path }],
  body: Effect.fn("count_lines")(function*({ path, pattern }) {
    return yield* path === undefined ? ofPattern(pattern ?? "**/*") : ofPath(path)
  })
})
