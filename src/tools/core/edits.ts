import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Change, Files } from "../../services/Files.js"
import { changes, unified } from "../text/diff.js"
import type { Edit, EditProblem } from "../text/edit.js"
import { applyEdit } from "../text/edit.js"
import { nearest } from "../text/nearest.js"
import { listed } from "../text/number.js"

/** An edit that does not apply. The file is as it was. */
export class EditRefused extends Data.TaggedError("EditRefused")<{
  readonly path: string
  /** number of the edit in its call, null where there is only one */
  readonly edit: number | null
  /** what is wrong, a sentence */
  readonly problem: string
  /** what helps, further lines; may be empty */
  readonly hint: string
}> {
  override get message() {
    const [label, state] = this.edit === null ? ["", "Nothing was changed."] : [`edit ${this.edit}: `, "No edits were applied."]
    return `${label}${this.problem} ${state}${this.hint === "" ? "" : `\n${this.hint}`}`
  }
}

const problemOf = (path: string, problem: EditProblem): string => {
  switch (problem.kind) {
    case "empty":
      return "oldString is empty. Give the exact text to replace; to create a file use write_file, to add lines insert_lines."
    case "same":
      return "oldString and newString are the same, so there is nothing to change."
    case "absent":
      return `oldString not found in ${path}.`
    case "several":
      return `oldString appears ${problem.count} times in ${path}. Add surrounding context or set replaceAll.`
  }
}

const hintOf = (original: string, text: string, edit: Edit, problem: EditProblem): string => {
  if (problem.kind === "several") {
    return problem.lines.length === 1 ? `All are in line ${problem.lines[0]}.` : `They begin at lines ${listed(problem.lines, 20)}.`
  }
  if (problem.kind !== "absent") return ""
  if (original !== text && Either.isRight(applyEdit(original, { ...edit, replaceAll: true }))) {
    return "It was there before the earlier edits of this call changed it: each edit sees the result of those before it."
  }
  return nearest(text, edit.oldString, "oldString", edit.newString)
}

/** The text after all edits, each seeing the result of the one before, and how many places they replaced. */
const apply = (path: string, original: string, edits: ReadonlyArray<Edit>, numbers: boolean) =>
  Either.gen(function*() {
    let text = original
    let count = 0
    for (const [index, edit] of edits.entries()) {
      const edited = yield* Either.mapLeft(applyEdit(text, edit), (problem) =>
        new EditRefused({
          path,
          edit: numbers ? index + 1 : null,
          problem: problemOf(path, problem),
          hint: hintOf(original, text, edit, problem)
        }))
      text = edited.text
      count += edited.count
    }
    return { text, count }
  })

export interface EditedFile {
  readonly path: string
  /** places replaced */
  readonly count: number
  /** `+3 -1 lines` and the changed places, numbered */
  readonly what: { readonly size: string; readonly snippet: string }
  readonly notes: ReadonlyArray<string>
}

/** Applies all edits to one file or none; `numbers` says which edit an error is about. */
export const editPath = Effect.fnUntraced(function*(path: string, edits: ReadonlyArray<Edit>, numbers: boolean) {
  const files = yield* Files
  const { notes, value } = yield* files.transact([path], (held) =>
    Effect.gen(function*() {
      const file = yield* held.read(path)
      const { count, text } = yield* apply(file.path, file.text, edits, numbers)
      const { added, removed, snippet } = changes(file.text, text)
      return {
        changes: text === file.text ? [] : [Change.Rewrite({ like: file, text })],
        value: { path: file.path, count, what: { size: `+${added} -${removed} lines`, snippet } }
      }
    }))
  const edited: EditedFile = { ...value, notes }
  return edited
})

export const previewEdits = Effect.fnUntraced(function*(path: string, edits: ReadonlyArray<Edit>, numbers: boolean) {
  const file = yield* (yield* Files).look(path)
  const { text } = yield* apply(file.path, file.text, edits, numbers)
  return unified(file, { path: file.path, text })
})
