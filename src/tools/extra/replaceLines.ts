import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lineNumber } from "../core/fields.js"
import * as Lines from "../text/lineEdits.js"
import { counted, lineRange } from "../text/number.js"
import * as Tool from "../Tool.js"
import { editLines, previewLines } from "./lineEdit.js"

export const replaceLines = Tool.make({
  name: "replace_lines",
  set: "extra",
  description: "Replace lines startLine to endLine, both included, with whole lines.",
  input: Schema.Struct({ path: Schema.String, startLine: lineNumber(), endLine: lineNumber(), content: Schema.String }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: ({ content, endLine, path, startLine }) =>
    previewLines(path, (place) => Lines.replaceLines(place, startLine, endLine, content)),
  body: Effect.fn("replace_lines")(function*({ content, endLine, path, startLine }) {
    const count = counted(Lines.contentLines(content).length, "line")
    return yield* editLines(path, (place) => Lines.replaceLines(place, startLine, endLine, content), (shown) =>
      `Replaced ${lineRange(startLine, endLine)} of ${shown} with ${content === "" ? "nothing" : count}`)
  })
})
