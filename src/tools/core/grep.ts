import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Hit } from "../../services/Search.js"
import { Search } from "../../services/Search.js"
import { resultCap, truncationNote } from "../text/cap.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"
import { optionalFlag, text } from "./fields.js"

const mostHits = 200
/** Units kept free for the notes. */
const noteRoom = 1_000

const hitText = ({ cut, line, path, text: shown }: Hit) =>
  `${path}:${line}: ${shown}${cut === 0 ? "" : truncationNote(cut)}`

/** As many hits as fit into a result whole. */
const fitting = (hits: ReadonlyArray<Hit>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let room = resultCap - noteRoom
  for (const hit of hits) {
    const line = hitText(hit)
    room -= line.length + 1
    if (room < 0) break
    lines.push(line)
  }
  return lines
}

export const grep = Tool.make({
  name: "grep",
  set: "core",
  description: "Search file contents by regex; gives path:line: text.",
  input: Schema.Struct({
    pattern: Schema.String.pipe(Schema.filter((pattern) => pattern !== "" || "Expected a regex, actual an empty text")),
    include: Schema.optionalWith(text("glob, e.g. *.ts"), { exact: true }),
    ignoreCase: optionalFlag,
    includeIgnored: optionalFlag
  }),
  touches: "reads",
  subjects: ({ pattern }) => [pattern],
  body: Effect.fn("grep")(function*(input) {
    const { hits, leftOut, more, unreadable } = yield* (yield* Search).grep({ ...input, limit: mostHits })
    const lines = fitting(hits)
    const spansLines = /\n|(?:^|[^\\])(?:\\\\)*\\n/.test(input.pattern)
    return [
      ...hits.length === 0 ? ["No matches."] : lines,
      ...hits.length === 0 && spansLines ? ["Lines are matched one by one, so a newline in the pattern matches nothing."] : [],
      ...more || lines.length < hits.length
        ? [`... [more matches; these are the first ${lines.length} by path, use a narrower pattern or include]`]
        : [],
      ...leftOut === 0 ? [] : [`${counted(leftOut, "file")} left out: denied on read, as secrets may be in there.`],
      ...unreadable.slice(0, 5),
      ...unreadable.length > 5 ? [`${unreadable.length - 5} more could not be read.`] : []
    ].join("\n")
  })
})
