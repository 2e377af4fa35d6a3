import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Change, Files } from "../../services/Files.js"
import { Jail } from "../../services/Jail.js"
import { renamed } from "../text/diff.js"
import * as Tool from "../Tool.js"

export const moveFile = Tool.make({
  name: "move_file",
  set: "edit-plus",
  description: "Rename or move one file; the target's folder is made. Never replaces a file.",
  input: Schema.Struct({ from: Schema.String, to: Schema.String }),
  touches: "writes",
  subjects: ({ from, to }) => [{ path: from }, { path: to }],
  preview: Effect.fn("move_file.preview")(function*({ from, to }) {
    const { path } = yield* (yield* Files).stat(from)
    return renamed(path, to)
  }),
  body: Effect.fn("move_file")(function*({ from, to }) {
    const target = yield* (yield* Jail).relative(to)
    const { notes, value } = yield* (yield* Files).transact([from, to], (held) =>
      Effect.map(held.stat(from), ({ path }) => ({ changes: [Change.Move({ from, to })], value: path })))
    return [`Moved ${value} to ${target}.`, ...notes].join("\n")
  })
})
