import { formatPatch, structuredPatch } from "diff/lib/patch/create.js"
import type { StructuredPatch, StructuredPatchHunk } from "diff"
import { cap, clipped } from "./cap.js"
import { countLines, lineTexts } from "./lines.js"
import { lineRange, numbered } from "./number.js"

/** Differing lines beyond which two texts count as differing in one block. */
const mostDifferences = 1_000
/** Units of a line in a snippet. */
const widest = 500

/** One block from the first differing line to the last, for texts too different to compare. */
const oneBlock = (before: ReadonlyArray<string>, after: ReadonlyArray<string>, context: number): StructuredPatchHunk => {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const first = Math.max(0, head - context)
  const oldEnd = before.length - tail
  const newEnd = after.length - tail
  const rest = before.slice(oldEnd, oldEnd + context)
  return {
    oldStart: first + 1,
    oldLines: oldEnd - first + rest.length,
    newStart: first + 1,
    newLines: newEnd - first + rest.length,
    lines: [
      ...before.slice(first, head).map((line) => ` ${line}`),
      ...before.slice(head, oldEnd).map((line) => `-${line}`),
      ...after.slice(head, newEnd).map((line) => `+${line}`),
      ...rest.map((line) => ` ${line}`)
    ]
  }
}

const lf = (text: string) => text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text

/** Where the line begins that is `count` lines above the one that holds `at`. */
const lineStart = (text: string, at: number, count: number): number => {
  let start = at
  for (let line = 0; line <= count && start > 0; line++) start = text.lastIndexOf("\n", line === 0 ? start - 1 : start - 2) + 1
  return start
}
/** Where the line ends, newline included, that is `count` lines below the one that holds `at`. */
const lineEnd = (text: string, at: number, count: number): number => {
  let end = at
  for (let line = 0; line <= count && end < text.length; line++) {
    const next = text.indexOf("\n", end)
    end = next === -1 ? text.length : next + 1
  }
  return end
}

/** What differs of two long texts, with `context` lines around, and how many lines are above it. */
const differing = (before: string, after: string, context: number) => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++
  let tail = 0
  while (tail < shorter - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++
  const start = lineStart(before, head, context)
  return {
    before: before.slice(start, lineEnd(before, before.length - tail, context)),
    after: after.slice(start, lineEnd(after, after.length - tail, context)),
    above: countLines(before.slice(0, start))
  }
}

const patchOf = (oldName: string, newName: string, before: string, after: string, context: number): StructuredPatch => {
  const part = differing(lf(before), lf(after), context)
  const patch = structuredPatch(oldName, newName, part.before, part.after, undefined, undefined, { context, maxEditLength: mostDifferences })
  const hunks = patch?.hunks ?? [oneBlock(lineTexts(part.before), lineTexts(part.after), context)]
  return {
    oldFileName: oldName,
    newFileName: newName,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + part.above, newStart: hunk.newStart + part.above }))
  }
}

/** A unified diff for a person; line endings are not shown. `null` stands for a file that is not there. */
export const unified = (
  before: { readonly path: string; readonly text: string } | null,
  after: { readonly path: string; readonly text: string } | null
): string => {
  const name = (side: { readonly path: string } | null, letter: string) => side === null ? "/dev/null" : `${letter}/${side.path}`
  const patch = patchOf(name(before, "a"), name(after, "b"), before?.text ?? "", after?.text ?? "", 3)
  return cap(formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true }))
}

/** As `git diff` shows a rename without changes. */
export const renamed = (from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`

export interface Changes {
  readonly added: number
  readonly removed: number
  /** the changed places of the new text, numbered, with two lines around */
  readonly snippet: string
}

/** What became of a text: how many lines came and went, and how the places read now. */
export const changes = (before: string, after: string, mostLines = 40): Changes => {
  const { hunks } = patchOf("", "", before, after, 2)
  let added = 0
  let removed = 0
  let left = mostLines
  const shown: Array<string> = []
  const hidden: Array<string> = []
  for (const hunk of hunks) {
    const lines = hunk.lines.filter((line) => !line.startsWith("\\"))
    added += lines.filter((line) => line.startsWith("+")).length
    removed += lines.filter((line) => line.startsWith("-")).length
    const now = lines.filter((line) => !line.startsWith("-")).map((line) => clipped(line.slice(1), widest))
    const first = hunk.newStart
    const some = now.slice(0, left)
    left -= some.length
    if (some.length > 0) shown.push(numbered(some, first))
    if (some.length < now.length) hidden.push(lineRange(first + some.length, first + now.length - 1))
  }
  const rest = hidden.length === 0 ? [] : [`(not shown: ${hidden.slice(0, 10).join(", ")}${hidden.length > 10 ? ", …" : ""})`]
  return { added, removed, snippet: [shown.join("\n...\n"), ...rest].filter((part) => part !== "").join("\n") }
}
