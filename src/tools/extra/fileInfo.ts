import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Kind } from "../../services/Files.js"
import { Files } from "../../services/Files.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

const kinds: Readonly<Record<Kind, string>> = {
  file: "file",
  folder: "folder",
  link: "link",
  pipe: "named pipe",
  socket: "socket",
  device: "device"
}

/** Text with its number of lines, or why there is none. */
const content = Effect.fnUntraced(function*(path: string) {
  const files = yield* Files
  return yield* Effect.gen(function*() {
    const { note } = yield* files.window(path, { offset: 1, limit: 1 })
    const lines = counted(yield* files.countLines(path), "line")
    return note === null ? `text, ${lines}` : `text, ${lines} (${note})`
  }).pipe(Effect.catchTags({
    BinaryFile: () => Effect.succeed("binary"),
    SecretFile: () => Effect.succeed("content denied on read")
  }))
})

export const fileInfo = Tool.make({
  name: "file_info",
  set: "extra",
  description: "Size, lines, time of change, text or binary, mode of one file.",
  input: Schema.Struct({ path: Schema.String }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("file_info")(function*({ path }) {
    const info = yield* (yield* Files).stat(path)
    const modified = `modified ${DateTime.formatIso(DateTime.unsafeMake(Math.floor(info.modified)))}`
    const mode = `mode ${info.mode.toString(8).padStart(3, "0")}`
    if (info.kind !== "file" && info.kind !== "link") return `${info.path}: ${kinds[info.kind]}, ${modified}, ${mode}`
    const what = yield* content(path)
    if (info.kind === "link") return `${info.path}: link, ${modified}; what it leads to: ${what}`
    return `${info.path}: ${what}, ${counted(info.size, "byte")}, ${modified}, ${mode}`
  })
})
