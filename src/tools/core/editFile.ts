import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"
import { editPath, previewEdits } from "./edits.js"
import { optionalFlag, text } from "./fields.js"

export const editFile = Tool.make({
  name: "edit_file",
  set: "core",
  description: "Replace text in a file. oldString must be there exactly once, unless replaceAll is set.",
  input: Schema.Struct({
    path: Schema.String,
    oldString: text("exact text, without the line numbers of read_file"),
    newString: Schema.String,
    replaceAll: optionalFlag
  }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: ({ path, ...edit }) => previewEdits(path, [edit], false),
  body: Effect.fn("edit_file")(function*({ path, ...edit }) {
    const edited = yield* editPath(path, [edit], false)
    const { size, snippet } = edited.what
    return [`Edited ${edited.path}: replaced ${counted(edited.count, "place")} (${size}).`, snippet, ...edited.notes]
      .filter((part) => part !== "").join("\n")
  })
})
