import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { collapsed } from "../text/collapse.js"
import { unified } from "../text/diff.js"
import { endingsOf } from "../text/endings.js"
import { countLines } from "../text/lines.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

/** What the model should know of a file that it gave whole. */
const said = (path: string, old: string | null, content: string): string => {
  const collapse = old === null ? null : collapsed(old, content)
  if (collapse !== null) {
    return `Wrote ${content.length} chars to ${path}, but it collapsed ${counted(collapse.before, "line")} into ${collapse.after}. `
      + "If that was not intended, re-send the content with its original newlines and indentation."
  }
  const lines = counted(countLines(content), "line")
  return `Wrote ${content.length} chars to ${path} (${old === null ? `new file, ${lines}` : `${lines}, ${countLines(old)} before`}).`
}

const endingWords = { "\n": "LF", "\r\n": "CRLF", mixed: "mixed", none: "none" }
const endingNote = (old: string | null, content: string): ReadonlyArray<string> => {
  const [before, after] = [endingsOf(old ?? ""), endingsOf(content)]
  return before === "none" || after === "none" || before === after
    ? []
    : [`Its line endings were ${endingWords[before]} and are now ${endingWords[after]}.`]
}

export const writeFile = Tool.make({
  name: "write_file",
  set: "core",
  description: "Create a file or replace all of it; folders are made. For changes use edit_file.",
  input: Schema.Struct({ path: Schema.String, content: Schema.String }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: Effect.fn("write_file.preview")(function*({ content, path }) {
    const before = yield* (yield* Files).look(path).pipe(
      Effect.catchTag("NoSuchFile", () => Effect.succeed(null))
    )
    return unified(before, { path: before?.path ?? path, text: content })
  }),
  body: Effect.fn("write_file")(function*({ content, path }) {
    const { notes, value } = yield* (yield* Files).overwrite(path, content)
    return [said(value.path, value.old, content), ...endingNote(value.old, content), ...notes].join("\n")
  })
})
