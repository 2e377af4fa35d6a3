import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { counted } from "../text/number.js"
import { renderLines } from "../text/window.js"
import * as Tool from "../Tool.js"
import { optionalNumber, text } from "./fields.js"

/** The window begins after the file's last line. */
export class OffsetPastEnd extends Data.TaggedError("OffsetPastEnd")<{
  readonly path: string
  readonly offset: number
  readonly total: number
}> {
  override get message() {
    return `offset ${this.offset} is past the end: ${this.path} has ${counted(this.total, "line")}.`
  }
}

/** Which lines of which file. */
export const windowFields = {
  path: Schema.String,
  offset: optionalNumber(),
  limit: optionalNumber()
}

const defaultLines = 2_000
/** More lines than this never fit a result, as each takes its number, a colon, a space and a newline. */
const mostLines = 5_000

/** The lines that `read_file` shows; `read_many_files` takes the same way. */
export const readLines = Effect.fnUntraced(function*(
  { limit = defaultLines, offset = 1, path }: { readonly path: string; readonly offset?: number; readonly limit?: number }
) {
  const window = yield* (yield* Files).window(path, { offset, limit: Math.min(limit, mostLines) })
  if (window.lines.length > 0) return window
  const total = window.total ?? 0
  return offset === 1 ? window : yield* new OffsetPastEnd({ path: window.path, offset, total })
})

export const readFile = Tool.make({
  name: "read_file",
  set: "core",
  description: "Read a text file; each line is shown as `N: text`. offset is the first line (from 1), limit the most lines (default 2000).",
  input: Schema.Struct({ ...windowFields, path: text("relative to the workspace root") }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("read_file")(function*(input) {
    return renderLines(yield* readLines(input)).text
  })
})
