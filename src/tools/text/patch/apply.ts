import * as Either from "effect/Either"
import { inheritedEndings } from "../endings.js"
import type { Line } from "../lines.js"
import { endingNear, joinLines, splitLines, withFinalNewline } from "../lines.js"
import type { Endings, Hunk, HunkLine, Problem } from "./operation.js"
import type { Placed } from "./place.js"
import { placeHunks } from "./place.js"

export interface Applied {
  readonly text: string
  readonly notes: ReadonlyArray<string>
}

/** What the hunks do to the file's lines, in its own numbering. */
interface Splices {
  readonly removed: Set<number>
  readonly kept: Set<number>
  /** new lines before a line of the file */
  readonly added: Map<number, Array<Line>>
}

const addLines = (splices: Splices, at: number, gone: ReadonlyArray<Line>, lines: ReadonlyArray<HunkLine>, context: ReadonlyArray<Line>, given: boolean) => {
  if (lines.length === 0) return
  const endings = given
    ? lines.map((line) => line.crlf ? "\r\n" as const : "\n" as const)
    : inheritedEndings(gone, lines.map((line) => line.text), endingNear(context, at - gone.length))
  const made = lines.map((line, index): Line => ({ text: line.text, ending: endings[index] ?? "\n" }))
  splices.added.set(at, [...(splices.added.get(at) ?? []), ...made])
}

/** Walks a hunk: each run of removed and added lines is one replacement. */
const splice = (splices: Splices, placed: Placed, file: ReadonlyArray<Line>, given: boolean): boolean => {
  let at = placed.start
  let gone: Array<Line> = []
  let come: Array<HunkLine> = []
  const flush = () => {
    addLines(splices, at, gone, come, file, given)
    gone = []
    come = []
  }
  for (const line of placed.lines) {
    if (line.kind === "+") {
      come.push(line)
      continue
    }
    if (splices.removed.has(at) || (line.kind === "-" && splices.kept.has(at))) return false
    if (line.kind === "-") {
      splices.removed.add(at)
      const old = file[at]
      if (old !== undefined) gone.push(old)
      at++
      continue
    }
    flush()
    splices.kept.add(at)
    at++
  }
  flush()
  return true
}

/** Whether added lines get the endings that the patch shows: it shows those of the lines it finds in the file, and all of them right. */
const areGiven = (placed: ReadonlyArray<Placed>, file: ReadonlyArray<Line>, endings: Endings): boolean => {
  if (endings === "around") return false
  let seen = 0
  for (const { lines, start } of placed) {
    let at = start
    for (const line of lines) {
      if (line.kind === "+") continue
      const ending = file[at++]?.ending
      if (ending !== "" && (ending === "\r\n") !== line.crlf) return false
      seen++
    }
  }
  return seen > 0 || endings === "git"
}

/** Whether the last line ends in a newline afterwards: as the patch says, else as it was. */
const terminated = (hunks: ReadonlyArray<Hunk>, file: ReadonlyArray<Line>): boolean => {
  if (hunks.some(({ unterminated }) => unterminated.after)) return false
  if (hunks.some(({ unterminated }) => unterminated.before)) return true
  return file[file.length - 1]?.ending !== ""
}

/** The text after all hunks. Lines they do not touch stay byte for byte, added ones get the endings around them unless `endings` says that the patch has them. */
export const applyHunks = (text: string, hunks: ReadonlyArray<Hunk>, endings: Endings): Either.Either<Applied, Problem> =>
  Either.gen(function*() {
    const file = splitLines(text)
    const placed = yield* placeHunks(file.map((line) => line.text), hunks)
    const given = areGiven(placed, file, endings)
    const splices: Splices = { removed: new Set(), kept: new Set(), added: new Map() }
    for (const [index, each] of placed.entries()) {
      if (!splice(splices, each, file, given)) {
        return yield* Either.left(
          `hunk ${index + 1} (line ${each.hunk.at} of the patch): it overlaps a hunk above: a line is removed by one and used by the other. Join them`
        )
      }
    }
    const lines: Array<Line> = []
    for (let at = 0; at <= file.length; at++) {
      for (const line of splices.added.get(at) ?? []) lines.push(line)
      const line = file[at]
      if (line !== undefined && !splices.removed.has(at)) lines.push(line)
    }
    return {
      text: joinLines(withFinalNewline(lines, terminated(hunks, file))),
      notes: placed.flatMap(({ note, start }, index) => note === null ? [] : [`hunk ${index + 1} at line ${start + 1}: ${note}`])
    }
  })
