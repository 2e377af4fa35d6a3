import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { editPath, previewEdits } from "../core/edits.js"
import { optionalFlag } from "../core/fields.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

const edits = Schema.Array(Schema.Struct({ oldString: Schema.String, newString: Schema.String, replaceAll: optionalFlag })).pipe(
  Schema.filter((each) => each.length > 0 || "Expected at least one edit")
)

export const multiEdit = Tool.make({
  name: "multi_edit",
  set: "edit-plus",
  description: "Several edits to one file, all or none. They follow edit_file's rules, in order, each on the result of the one before.",
  input: Schema.Struct({ path: Schema.String, edits }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: ({ edits, path }) => previewEdits(path, edits, true),
  body: Effect.fn("multi_edit")(function*({ edits, path }) {
    const edited = yield* editPath(path, edits, true)
    const { size, snippet } = edited.what
    const done = `Applied ${counted(edits.length, "edit")} to ${edited.path}: replaced ${counted(edited.count, "place")} (${size}).`
    const idle = snippet === "" && size === "+0 -0 lines" ? "Together they change nothing." : ""
    return [done, idle, snippet, ...edited.notes].filter((part) => part !== "").join("\n")
  })
})
