import * as Either from "effect/Either"
import { begins, isFileHeader } from "./patch/body.js"
import { parseEnvelope } from "./patch/envelope.js"
import type { Patch, Problem } from "./patch/operation.js"
import { parseUnified } from "./patch/unified.js"

const envelopeStart = /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/
const unifiedStart = (lines: ReadonlyArray<string>, index: number) => begins(lines, index, "diff --git ") || isFileHeader(lines, index)

/** Reads a `*** Begin Patch` envelope or a unified diff, whichever begins first; in both, content lines have a prefix and so are never a marker. */
export const parsePatch = (text: string): Either.Either<Patch, Problem> => {
  const given = text.split("\n")
  if (given[given.length - 1] === "") given.pop()
  const start = given.findIndex((line, index) => envelopeStart.test(line) || unifiedStart(given, index))
  if (start === -1) {
    return Either.left("it has neither a `*** Begin Patch` envelope nor the `---` and `+++` lines of a unified diff")
  }
  // A patch whose own lines end in \r\n says nothing about the endings of the files.
  const isCrlf = given[start]?.endsWith("\r") === true
  const lines = isCrlf ? given.map((line) => line.endsWith("\r") ? line.slice(0, -1) : line) : given
  if (!envelopeStart.test(lines[start] ?? "")) return nonEmpty(parseUnified(lines, start))
  const inner = lines.findIndex((line, index) => index > start && line.trim() !== "")
  if (begins(lines, start, "*** Begin Patch") && inner !== -1 && unifiedStart(lines, inner)) {
    const end = lines.findIndex((line) => line.startsWith("*** End Patch"))
    return nonEmpty(parseUnified(end === -1 ? lines : lines.slice(0, end), inner))
  }
  return nonEmpty(parseEnvelope(lines, start))
}

const nonEmpty = (parsed: Either.Either<Patch, Problem>) =>
  Either.flatMap(parsed, (patch) => patch.length === 0 ? Either.left("it names no file") : Either.right(patch))

/** Every path that the patch names, targets of moves included, as written. */
export const patchPaths = (patch: Patch): ReadonlyArray<string> => [
  ...new Set(patch.flatMap((operation) =>
    operation.kind === "add" || operation.kind === "delete" || operation.to === null
      ? [operation.path]
      : [operation.path, operation.to]
  ))
]
