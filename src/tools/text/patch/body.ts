import type { Hunk, HunkLine } from "./operation.js"

export const begins = (lines: ReadonlyArray<string>, index: number, prefix: string) => lines[index]?.startsWith(prefix) === true
/** The two lines before a file's hunks. */
export const isFileHeader = (lines: ReadonlyArray<string>, index: number) =>
  begins(lines, index, "--- ") && begins(lines, index + 1, "+++ ")

/** A hunk while its lines are read. */
export interface OpenHunk {
  readonly at: number
  readonly anchors: Array<string>
  readonly place: Hunk["place"]
  readonly lines: Array<HunkLine>
  loose: number
  atEnd: boolean
  readonly unterminated: { before: boolean; after: boolean }
}

export const openHunk = (at: number, anchors: ReadonlyArray<string> = [], place: Hunk["place"] = null): OpenHunk => ({
  at,
  anchors: [...anchors],
  place,
  lines: [],
  loose: 0,
  atEnd: false,
  unterminated: { before: false, after: false }
})

const header = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

export interface Header {
  readonly place: NonNullable<Hunk["place"]>
  /** lines of the new file */
  readonly after: number
}
export const readHeader = (line: string): Header | null => {
  const found = header.exec(line)
  if (found === null) return null
  const count = (text: string | undefined) => text === undefined ? 1 : Number(text)
  return { place: { line: Number(found[1]), count: count(found[2]) }, after: count(found[4]) }
}

/** The text of a `@@` line without numbers, empty if there is none. */
export const anchorOf = (line: string): string => {
  const text = line.slice(2).replace(/\s*@@\s*$/, "").replace(/\s+$/, "")
  return text.startsWith(" ") ? text.slice(1) : text
}

const withoutCr = (line: string) => line.endsWith("\r") ? line.slice(0, -1) : line

/** Takes a line of a hunk's body; false if it is none. */
export const takeLine = (hunk: OpenHunk, line: string): boolean => {
  if (line.startsWith("\\")) {
    const last = hunk.lines.pop()
    if (last === undefined) return true
    // Without a newline after it, a carriage return is part of the text.
    hunk.lines.push(last.crlf ? { ...last, text: `${last.text}\r`, crlf: false } : last)
    if (last.kind !== "+") hunk.unterminated.before = true
    if (last.kind !== "-") hunk.unterminated.after = true
    return true
  }
  const kind = line.charAt(0)
  if (kind === "" || line === "\r") {
    hunk.lines.push({ kind: " ", text: "", crlf: line === "\r" })
    hunk.loose++
    return true
  }
  if (kind !== " " && kind !== "-" && kind !== "+") return false
  hunk.lines.push({ kind, text: withoutCr(line.slice(1)), crlf: line.endsWith("\r") })
  hunk.loose = 0
  return true
}

/** The text of added lines alone, as a new file has it. */
export const addedText = (hunk: OpenHunk): string => {
  const last = hunk.lines.length - 1
  return hunk.lines.map((line, index) =>
    line.text + (index === last && hunk.unterminated.after ? "" : line.crlf ? "\r\n" : "\n")).join("")
}
