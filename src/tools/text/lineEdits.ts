import * as Either from "effect/Either"
import type { Line } from "./lines.js"
import { endingNear, joinLines, splitLines, withFinalNewline } from "./lines.js"
import { counted } from "./number.js"

/** Why a change by line numbers can't be made, a sentence. */
export type LineProblem = string

/** Content as whole lines: a newline at its end closes the last one. */
export const contentLines = (content: string): ReadonlyArray<string> => {
  const lines = content.replaceAll("\r\n", "\n").split("\n")
  if (lines[lines.length - 1] === "") lines.pop()
  return lines
}

/** `count` lines from `index` (0-based) replaced by whole lines of content; no line is glued, the final newline stays as it was. */
const spliced = (text: string, index: number, count: number, content: string): string => {
  const lines = splitLines(text)
  const ending = endingNear(lines, index)
  const added = contentLines(content).map((each): Line => ({ text: each, ending }))
  const isTerminated = lines[lines.length - 1]?.ending !== ""
  return joinLines(withFinalNewline([...lines.slice(0, index), ...added, ...lines.slice(index + count)], isTerminated))
}

const empty = "content is empty, so there is no line to add. For a blank line send \"\\n\"."
const nonEmpty = (content: string): Either.Either<null, LineProblem> => content === "" ? Either.left(empty) : Either.right(null)

const inside = (path: string, total: number, startLine: number, endLine: number): Either.Either<null, LineProblem> =>
  startLine > endLine
    ? Either.left(`startLine ${startLine} is after endLine ${endLine}.`)
    : endLine > total
    ? Either.left(`${startLine > total ? `startLine ${startLine}` : `endLine ${endLine}`} is past the end: ${path} has ${counted(total, "line")}.`)
    : Either.right(null)

export interface Place {
  readonly path: string
  readonly text: string
}
export type LineChange = Either.Either<string, LineProblem>

/** Before the 1-based `line`; one past the last appends. */
export const insertLines = ({ path, text }: Place, line: number, content: string): LineChange => {
  const total = splitLines(text).length
  return line > total + 1
    ? Either.left(`line ${line} is past the end: ${path} has ${counted(total, "line")}, so at most line ${total + 1} can be inserted before.`)
    : Either.map(nonEmpty(content), () => spliced(text, line - 1, 0, content))
}

export const replaceLines = ({ path, text }: Place, startLine: number, endLine: number, content: string): LineChange => {
  const total = splitLines(text).length
  return Either.flatMap(inside(path, total, startLine, endLine), () =>
    content === "" && startLine === 1 && endLine === total
      ? Either.left(`That would leave ${path} empty. Use delete_file to delete it, or write_file to empty it.`)
      : Either.right(spliced(text, startLine - 1, endLine - startLine + 1, content)))
}

export const deleteLines = ({ path, text }: Place, startLine: number, endLine: number): LineChange => {
  const total = splitLines(text).length
  return Either.flatMap(inside(path, total, startLine, endLine), () =>
    startLine === 1 && endLine === total
      ? Either.left(`${startLine}-${endLine} is the whole of ${path}. Use delete_file to delete the file.`)
      : Either.right(spliced(text, startLine - 1, endLine - startLine + 1, "")))
}

export const appendLines = ({ text }: Place, content: string): LineChange =>
  Either.map(nonEmpty(content), () => spliced(text, splitLines(text).length, 0, content))

export const prependLines = ({ text }: Place, content: string): LineChange =>
  Either.map(nonEmpty(content), () => spliced(text, 0, 0, content))
