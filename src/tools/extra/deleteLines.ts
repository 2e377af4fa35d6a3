import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lineNumber } from "../core/fields.js"
import * as Lines from "../text/lineEdits.js"
import { counted, lineRange } from "../text/number.js"
import * as Tool from "../Tool.js"
import { editLines, previewLines } from "./lineEdit.js"

export const deleteLines = Tool.make({
  name: "delete_lines",
  set: "extra",
  description: "Delete lines startLine to endLine, both included. The whole file is refused.",
  input: Schema.Struct({ path: Schema.String, startLine: lineNumber(), endLine: lineNumber() }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: ({ endLine, path, startLine }) => previewLines(path, (place) => Lines.deleteLines(place, startLine, endLine)),
  body: Effect.fn("delete_lines")(function*({ endLine, path, startLine }) {
    const count = counted(endLine - startLine + 1, "line")
    return yield* editLines(path, (place) => Lines.deleteLines(place, startLine, endLine), (shown) =>
      `Deleted ${lineRange(startLine, endLine)} of ${shown} (${count})`)
  })
})
