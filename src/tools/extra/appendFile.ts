import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Lines from "../text/lineEdits.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"
import { editLines, previewLines } from "./lineEdit.js"

export const appendFile = Tool.make({
  name: "append_file",
  set: "extra",
  description: "Add whole lines to the end of an existing file.",
  input: Schema.Struct({ path: Schema.String, content: Schema.String }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: ({ content, path }) => previewLines(path, (place) => Lines.appendLines(place, content)),
  body: Effect.fn("append_file")(function*({ content, path }) {
    const count = counted(Lines.contentLines(content).length, "line")
    return yield* editLines(path, (place) => Lines.appendLines(place, content), (shown) => `Added ${count} to the end of ${shown}`)
  })
})
