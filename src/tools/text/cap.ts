import { graphemes } from "../../services/graphemes.js"

/** UTF-16 units a result may have, the notes of what was cut excluded (tools.md, Output caps). */
export const resultCap = 30_000

/** How far back a place is looked for from which segmenting is sure to be right. A grapheme has no length limit. */
const lookBack = 4096

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
/** Half of a flag ends at `end`. */
const regionalBefore = (text: string, end: number) => {
  const low = text.charCodeAt(end - 1)
  return text.charCodeAt(end - 2) === 0xd83c && low >= 0xdde6 && low <= 0xddff
}
/** Whether a grapheme certainly ends right before `at`: two ASCII characters meet there, or a line has ended. */
const surelyBorder = (text: string, at: number) => {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before === 10 || (before < 0x80 && after < 0x80 && !(before === 13 && after === 10))
}

/** A position at or below `at` to segment from, and whether it is surely a border. */
const segmentFrom = (text: string, at: number): readonly [position: number, sure: boolean] => {
  const lowest = Math.max(0, at - lookBack)
  for (let position = at; position > lowest; position--) if (surelyBorder(text, position)) return [position, true]
  if (lowest === 0) return [0, true]
  const start = isLow(text.charCodeAt(lowest)) && isHigh(text.charCodeAt(lowest - 1)) ? lowest - 1 : lowest
  // Flags are pairs of letters: only counted from the first of a run is it known which letter begins one.
  let letters = 0
  for (let end = start; regionalBefore(text, end); end -= 2) letters++
  return [letters % 2 === 0 ? start : start - 2, false]
}

/** The largest cut position at or below `at` that splits no grapheme (hence no surrogate pair). */
export const graphemeFloor = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  if (at <= 0) return 0
  const [from, sure] = segmentFrom(text, at)
  if (from === at) return at
  const found = graphemes(text.slice(from, at + 2)).containing(at - from)
  const floor = found === undefined ? from : from + found.index
  if (floor > from || sure) return floor
  return isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at
}

/** The smallest cut position at or above `at` that splits no grapheme. */
export const graphemeCeiling = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  const floor = graphemeFloor(text, at)
  if (floor >= at) return floor
  const found = graphemes(text.slice(floor, floor + lookBack)).containing(0)
  return found === undefined ? at : floor + found.segment.length
}

export const truncationNote = (chars: number) => `... [truncated ${chars.toLocaleString("en-US")} chars]`
export const moreLinesNote = (offset: number) => `... [more lines; continue with offset ${offset}]`

const notes = /^\.\.\. \[(?:truncated [\d,]+ chars|more lines; continue with offset \d+)\]$/gm
/** Room beyond the cap for notes: two for each of 20 files. */
const noteRoom = 4_000
const notesLength = (text: string): number => {
  let length = 0
  for (const [note] of text.matchAll(notes)) length += note.length + 1
  return length
}

export interface Cut {
  readonly text: string
  /** units taken off; 0 when all of it is there */
  readonly removed: number
}
/** The first `limit` units, never half a grapheme. */
export const cut = (text: string, limit: number): Cut => {
  const end = graphemeFloor(text, limit)
  return { text: text.slice(0, end), removed: text.length - end }
}

/** A line that is shown as an example, cut with `…`. */
export const clipped = (line: string, limit: number): string =>
  line.length <= limit ? line : `${line.slice(0, graphemeFloor(line, limit))}…`

/** The first `limit` units, with a note of how much was cut. A text that was cut before, and is over the limit only by its notes, stays. */
export const cap = (text: string, limit = resultCap): string => {
  if (text.length <= limit || (text.length <= limit + noteRoom && text.length - notesLength(text) <= limit)) return text
  const head = cut(text, limit)
  return `${head.text}\n${truncationNote(head.removed)}`
}

/** Without a half of a surrogate pair at the border to what was lost. */
const wholeEnd = (text: string) => isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length
const wholeStart = (text: string) => isLow(text.charCodeAt(0)) ? 1 : 0

/** Head and tail of a text that was too long, the note between; the tail is what a build's errors are in. `dropped` counts units already lost before. */
export const capMiddle = (head: string, tail: string, dropped: number, limit: number): string => {
  const half = Math.floor(limit / 2)
  if (dropped === 0) {
    const text = head + tail
    if (text.length <= limit) return text
    const end = graphemeFloor(text, half)
    const start = graphemeCeiling(text, text.length - (limit - half))
    return `${text.slice(0, end)}\n${truncationNote(start - end)}\n${text.slice(start)}`
  }
  const end = head.length <= half ? wholeEnd(head) : graphemeFloor(head, half)
  const start = tail.length <= limit - half ? wholeStart(tail) : graphemeCeiling(tail, tail.length - (limit - half))
  return `${head.slice(0, end)}\n${truncationNote(head.length - end + dropped + start)}\n${tail.slice(start)}`
}

/**
 * How many of `total` units each part may have: shares in the proportion of `weights` (even ones by default); what a part
 * does not need passes over to those that need more.
 */
export const shares = (sizes: ReadonlyArray<number>, total: number, weights: ReadonlyArray<number> = []): Array<number> => {
  const given = sizes.map(() => 0)
  const weight = (index: number) => weights[index] ?? 1
  let open = sizes.map((_, index) => index)
  let left = total
  while (open.length > 0) {
    const sum = open.reduce((all, index) => all + weight(index), 0)
    const fair = (index: number) => Math.floor((left * weight(index)) / sum)
    const content = open.filter((index) => (sizes[index] ?? 0) <= fair(index))
    if (content.length === 0) {
      const rest = left
      for (const index of open) given[index] = Math.floor((rest * weight(index)) / sum)
      return given
    }
    for (const index of content) given[index] = sizes[index] ?? 0
    left -= content.reduce((all, index) => all + (sizes[index] ?? 0), 0)
    open = open.filter((index) => !content.includes(index))
  }
  return given
}
