import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Info } from "../../services/Files.js"
import { Change, Files } from "../../services/Files.js"
import { unified } from "../text/diff.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

const said = ({ kind, path, size }: Info) =>
  kind === "link" ? `Deleted the link ${path}; the file it led to is untouched.` : `Deleted ${path} (${counted(size, "byte")}).`

export const deleteFile = Tool.make({
  name: "delete_file",
  set: "edit-plus",
  description: "Delete one file. A folder is refused.",
  input: Schema.Struct({ path: Schema.String }),
  touches: "writes",
  subjects: ({ path }) => [{ path }],
  preview: Effect.fn("delete_file.preview")(function*({ path }) {
    const files = yield* Files
    const info = yield* files.stat(path)
    return info.kind === "link" ? `deleted link ${info.path}\n` : unified(yield* files.look(path), null)
  }),
  body: Effect.fn("delete_file")(function*({ path }) {
    const { notes, value } = yield* (yield* Files).transact([path], (held) =>
      Effect.map(held.stat(path), (info) => ({ changes: [Change.Remove({ path })], value: info })))
    return [said(value), ...notes].join("\n")
  })
})
