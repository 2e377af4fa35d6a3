import { cut, moreLinesNote, resultCap, truncationNote } from "./cap.js"
import { numbered } from "./number.js"

/** Some lines of a file, as the workspace's files give them. */
export interface Lines {
  readonly lines: ReadonlyArray<string>
  /** number of the first of `lines` */
  readonly first: number
  readonly more: boolean
  /** units missing at the ends of huge lines */
  readonly left: number
  /** a sentence about how the file was read, else null */
  readonly note: string | null
}
export interface Rendered {
  readonly text: string
  /** whether lines of the window did not fit */
  readonly isCut: boolean
}

/** Lines with their numbers in `room` units, and a note of the offset to continue with where more follow. */
export const renderLines = ({ first, left, lines, more, note }: Lines, room = resultCap): Rendered => {
  const head = note === null ? "" : `[${note}]\n`
  if (lines.length === 0) return { text: `${head}(empty file)`, isCut: false }
  const whole = head + numbered(lines, first)
  const end = first + lines.length
  if (whole.length <= room && left === 0) return { text: more ? `${whole}\n${moreLinesNote(end)}` : whole, isCut: false }
  const kept = cut(whole, room)
  const shown = Math.max(0, kept.text.split("\n").length - (note === null ? 1 : 2))
  // The line that was cut is shown again from its start, unless it is longer than all there is room for.
  const next = first + Math.max(1, shown)
  const notes = [truncationNote(kept.removed + left), ...(more || next < end ? [moreLinesNote(next)] : [])]
  return { text: `${kept.text}${kept.text.endsWith("\n") ? "" : "\n"}${notes.join("\n")}`, isCut: true }
}
