/** UTF-16 units a result may have, the note excluded (tools.md, Output caps). */
export const resultCap = 30_000

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The largest cut position at or below `at` that splits no grapheme (hence no surrogate pair). */
export const graphemeFloor = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  if (at <= 0) return 0
  // A grapheme has no length limit; beyond this look-back a cut between code points has to do.
  const from = Math.max(0, at - 64)
  const start = from > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from - 1 : from
  const found = segmenter.segment(text.slice(start, at + 64)).containing(at - start)
  if (found === undefined) return at
  const floor = start + found.index
  if (floor > start || start === 0) return floor
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
}

/** The smallest cut position at or above `at` that splits no grapheme. */
export const graphemeCeiling = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  const floor = graphemeFloor(text, at)
  if (floor === at) return at
  const found = segmenter.segment(text.slice(floor, floor + 128)).containing(0)
  return found === undefined ? at : floor + found.segment.length
}

export const truncationNote = (chars: number) => `... [truncated ${chars.toLocaleString("en-US")} chars]`

/** The first `limit` units, with a note of how much was cut. */
export const cap = (text: string, limit = resultCap): string => {
  if (text.length <= limit) return text
  const end = graphemeFloor(text, limit)
  return `${text.slice(0, end)}\n${truncationNote(text.length - end)}`
}

/** Head and tail of a text that was too long, the note between; the tail is what a build's errors are in. `dropped` counts units already lost before. */
export const capMiddle = (head: string, tail: string, dropped: number, limit: number): string => {
  const text = head + tail
  if (dropped === 0 && text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const end = dropped === 0 ? graphemeFloor(text, half) : graphemeFloor(head, Math.min(half, head.length))
  const start = dropped === 0
    ? graphemeCeiling(text, text.length - (limit - half))
    : head.length + graphemeCeiling(tail, Math.max(0, tail.length - (limit - half)))
  return `${text.slice(0, end)}\n${truncationNote(dropped + start - end)}\n${text.slice(start)}`
}
