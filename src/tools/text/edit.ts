import * as Either from "effect/Either"
import { endingsOf, fitted } from "./endings.js"
import { lineNumbersAt } from "./lines.js"
import { occurrences, withoutOverlap } from "./occurrences.js"

export interface Edit {
  readonly oldString: string
  readonly newString: string
  readonly replaceAll?: boolean
}
export type EditProblem =
  | { readonly kind: "empty" }
  | { readonly kind: "same" }
  | { readonly kind: "absent" }
  /** more than one place; overlapping ones count */
  | { readonly kind: "several"; readonly count: number; readonly lines: ReadonlyArray<number> }
export interface Edited {
  readonly text: string
  /** how many places were replaced */
  readonly count: number
}

const lf = (text: string) => text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text

/** Gives raw positions for ascending positions in `lf(text)`; a newline stands for the whole of its ending. */
const rawPositions = (text: string) => {
  let raw = 0
  let plain = 0
  let next = text.indexOf("\r\n")
  return (position: number): number => {
    // Up to and including the line break at `next`, which is one unit in the plain text and two in the raw one.
    while (next !== -1 && plain + (next - raw) + 1 <= position) {
      plain += next - raw + 1
      raw = next + 2
      next = text.indexOf("\r\n", raw)
    }
    return raw + (position - plain)
  }
}

interface Found {
  /** ascending, overlapping ones too, in the text itself or with `\n` for every line ending */
  readonly starts: ReadonlyArray<number>
  readonly length: number
  readonly plain: boolean
}

/** Where `old` is: byte for byte if it names carriage returns itself, else with `\n` for either ending. */
const find = (text: string, old: string): Found => {
  const crlf = text.includes("\r\n")
  if (!crlf || old.includes("\r")) {
    const starts = occurrences(text, old)
    if (starts.length > 0 || (!crlf && !old.includes("\r\n"))) return { starts, length: old.length, plain: false }
  }
  const needle = lf(old)
  return { starts: occurrences(lf(text), needle), length: needle.length, plain: true }
}

const replaced = (text: string, { starts, length, plain }: Found, replacement: string): string => {
  const endings = endingsOf(text)
  const everywhere = endings === "\r\n" ? replacement.replaceAll("\n", "\r\n") : replacement
  const raw = plain ? rawPositions(text) : (position: number) => position
  const parts: Array<string> = []
  let done = 0
  for (const position of starts) {
    const start = raw(position)
    const end = raw(position + length)
    parts.push(text.slice(done, start), endings === "mixed" ? fitted(replacement, text, start, end) : everywhere)
    done = end
  }
  return parts.join("") + text.slice(done)
}

/**
 * Replaces the one place of `oldString`, or with `replaceAll` every place from left to right without overlap. `\n` in
 * `oldString` matches either line ending; `newString` lands as it is, its newlines as the endings around it.
 */
export const applyEdit = (text: string, edit: Edit): Either.Either<Edited, EditProblem> => {
  if (edit.oldString === "") return Either.left({ kind: "empty" })
  const replacement = lf(edit.newString)
  if (lf(edit.oldString) === replacement) return Either.left({ kind: "same" })
  const found = find(text, edit.oldString)
  const { length, plain, starts } = found
  if (starts.length === 0) return Either.left({ kind: "absent" })
  if (starts.length > 1 && edit.replaceAll !== true) {
    const lines = lineNumbersAt(plain ? lf(text) : text, starts.slice(0, 100))
    return Either.left({ kind: "several", count: starts.length, lines: [...new Set(lines)] })
  }
  const free = withoutOverlap(starts, length)
  return Either.right({ text: replaced(text, { ...found, starts: free }, replacement), count: free.length })
}
