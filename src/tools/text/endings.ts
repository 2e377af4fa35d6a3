import { diffArrays } from "diff/lib/diff/array.js"
import type { Ending, Line } from "./lines.js"
import { splitLines } from "./lines.js"

/** Beyond this many differing lines two blocks are paired line by line instead of compared. */
const mostDifferences = 400

type Step = { readonly kind: "same" | "gone" | "new"; readonly count: number }
/** How to come from `before` to `after`. */
const steps = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Step> => {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostDifferences })
  return parts === undefined
    ? [{ kind: "gone", count: before.length }, { kind: "new", count: after.length }]
    : parts.map((part) => ({ kind: part.added ? "new" : part.removed ? "gone" : "same", count: part.count }))
}

/**
 * The endings that the lines of `after` get when they take the place of `before` in a file of mixed endings: lines that
 * stay keep theirs, a changed line takes that of the line it replaces, further ones that of the line above.
 */
export const inheritedEndings = (
  before: ReadonlyArray<Line>,
  after: ReadonlyArray<string>,
  fallback: Ending
): Array<Ending> => {
  const endings: Array<Ending> = []
  let at = 0
  let last = before.find((line) => line.ending !== "")?.ending ?? fallback
  let gone: ReadonlyArray<Line> = []
  for (const { kind, count } of steps(before.map((line) => line.text), after)) {
    const taken = before.slice(at, at + count)
    if (kind !== "new") at += count
    if (kind === "gone") gone = taken
    const from = kind === "same" ? taken : kind === "new" ? gone : []
    if (kind === "gone") continue
    for (let index = 0; index < count; index++) {
      const ending = from[index]?.ending ?? last
      if (ending !== "") last = ending
      endings.push(last)
    }
    gone = []
  }
  return endings
}

/** Whether a text's line endings are all `\n`, all `\r\n`, both, or there are none. */
export type Endings = "\n" | "\r\n" | "mixed" | "none"
export const endingsOf = (text: string): Endings => {
  let crlf = 0
  let all = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all++
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf++
  }
  return all === 0 ? "none" : crlf === 0 ? "\n" : crlf === all ? "\r\n" : "mixed"
}

/** The ending of the line that holds `end`, else of the one above `start`, else `\n`. */
export const endingAround = (text: string, start: number, end: number): Ending => {
  const below = text.indexOf("\n", end)
  const near = below !== -1 ? below : start === 0 ? -1 : text.lastIndexOf("\n", start - 1)
  return near > 0 && text.charCodeAt(near - 1) === 13 ? "\r\n" : "\n"
}

/** `replacement` (endings `\n`) with the endings it should have in place of `text.slice(start, end)`. */
export const fitted = (replacement: string, text: string, start: number, end: number): string => {
  if (!replacement.includes("\n")) return replacement
  const region = text.slice(start, end)
  const endings = endingsOf(region)
  if (endings !== "mixed") {
    const ending = endings === "none" ? endingAround(text, start, end) : endings
    return ending === "\n" ? replacement : replacement.replaceAll("\n", ending)
  }
  const lines = replacement.split("\n")
  const given = inheritedEndings(splitLines(region), lines, "\n")
  return lines.map((line, index) => index === lines.length - 1 ? line : line + (given[index] ?? "\n")).join("")
}
