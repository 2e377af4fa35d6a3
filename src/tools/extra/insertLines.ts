import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lineNumber } from "../core/fields.js"
import * as Lines from "../text/lineEdits.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"
import { editLines, previewLines } from "./lineEdit.js"

export const insertLines = Tool.make({
  name: "insert_lines",
  set: "extra",
  description: "Insert whole lines before a line; one past the last appends.",
  input: Schema.Struct({ path: Schema.String, line: lineNumber("from 1"), content: Schema.String }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: ({ content, line, path }) => previewLines(path, (place) => Lines.insertLines(place, line, content)),
  body: Effect.fn("insert_lines")(function*({ content, line, path }) {
    const count = counted(Lines.contentLines(content).length, "line")
    return yield* editLines(path, (place) => Lines.insertLines(place, line, content), (shown, before) =>
      `Inserted ${count} into ${shown} ${line > before ? "at the end" : `before line ${line}`}`)
  })
})
