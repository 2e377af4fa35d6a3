import type { Captured } from "../Processes.js"

/** Units kept of each end of a pipe's text: well above what is shown, so that masking sees what the cut will divide. */
const defaultKeep = 65_536
/** Pieces are kept as they came, since joining each would copy the text over and over; many small ones are joined. */
const mostPieces = 256

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The last `keep` units of a text that comes in pieces, give or take a piece. */
const trailing = (keep: number) => {
  let pieces: Array<string> = []
  let size = 0
  return {
    push: (text: string): void => {
      pieces.push(text)
      size += text.length
      let first = 0
      for (let length = pieces[first]?.length ?? 0; size - length >= keep && first < pieces.length - 1; length = pieces[first]?.length ?? 0) {
        size -= length
        first++
      }
      if (first > 0) pieces.splice(0, first)
      if (pieces.length > mostPieces) pieces = [pieces.join("")]
    },
    text: () => pieces.join("")
  }
}

/** The first and the last `keep` UTF-16 units of a text that comes in pieces; what lies between is counted. */
export const boundedText = (keep = defaultKeep) => {
  const tail = trailing(keep)
  let head = ""
  let total = 0
  let full = false
  return {
    push: (text: string): void => {
      total += text.length
      if (full) return tail.push(text)
      const end = keep - head.length
      full = text.length > end
      const whole = full && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
      head += text.slice(0, whole)
      if (full) tail.push(text.slice(whole))
    },
    captured: (): Captured => {
      const last = tail.text()
      if (last.length <= keep && head.length + last.length === total) return { head, tail: last, dropped: 0 }
      const start = Math.max(0, last.length - keep)
      const end = last.slice(isLow(last.charCodeAt(start)) ? start + 1 : start)
      return { head, tail: end, dropped: total - head.length - end.length }
    }
  }
}
