import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Change, Files } from "../../services/Files.js"
import { changes, unified } from "../text/diff.js"
import type { LineChange, Place } from "../text/lineEdits.js"
import { countLines } from "../text/lines.js"
import { counted } from "../text/number.js"

/** A change by line numbers that can't be made. The file is as it was. */
export class LinesRefused extends Data.TaggedError("LinesRefused")<{ readonly problem: string }> {
  override get message() {
    return `${this.problem} Nothing was changed.`
  }
}

const attempt = (change: LineChange) => Either.mapLeft(change, (problem) => new LinesRefused({ problem }))

/** Changes one file's lines; `said` gives what was done, without the final stop, from the file's lines before. */
export const editLines = Effect.fnUntraced(function*(
  path: string,
  change: (place: Place) => LineChange,
  said: (path: string, before: number) => string
) {
  const { notes, value } = yield* (yield* Files).transact([path], (held) =>
    Effect.gen(function*() {
      const file = yield* held.read(path)
      const text = yield* attempt(change(file))
      const { snippet } = changes(file.text, text)
      const done = `${said(file.path, countLines(file.text))}; it now has ${counted(countLines(text), "line")}.`
      return {
        changes: text === file.text ? [] : [Change.Rewrite({ like: file, text })],
        value: text === file.text ? [done, "The lines were the same before."] : [done, snippet]
      }
    }))
  return [...value, ...notes].filter((part) => part !== "").join("\n")
})

export const previewLines = Effect.fnUntraced(function*(path: string, change: (place: Place) => LineChange) {
  const file = yield* (yield* Files).look(path)
  return unified(file, { path: file.path, text: yield* attempt(change(file)) })
})
