import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"
import { optionalCount } from "./input.js"

/** Lines from `startLine` on where no end is given. */
const window = 40

export const gitBlame = Tool.make({
  name: "git_blame",
  set: "git",
  description: "Who last changed each line, and in which commit. The whole file, or startLine to endLine; startLine alone: 40 lines.",
  input: Schema.Struct({ path: Schema.String, startLine: optionalCount, endLine: optionalCount }).pipe(
    Schema.filter(({ endLine, startLine }) =>
      startLine === undefined || endLine === undefined || startLine <= endLine || `endLine ${endLine} is before startLine ${startLine}`)
  ),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("git_blame")(function*({ endLine, path, startLine }) {
    const first = startLine ?? 1
    const last = endLine ?? (startLine === undefined ? null : startLine + window - 1)
    const lines = yield* (yield* Git).blame(path, { first, last })
    if (lines.length === 0) return "(empty file)"
    return lines.map(({ author, date, id, line, text }) => `${id} ${date} ${author}  ${line}: ${text}`).join("\n")
  })
})
