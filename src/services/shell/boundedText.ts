import type { Captured } from "../Processes.js"

/** Units kept of each end of a pipe's text: well above what is shown, so that masking sees what the cut will divide. */
const defaultKeep = 65_536

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The first and the last `keep` UTF-16 units of a text that comes in pieces; what lies between is counted. */
export const boundedText = (keep = defaultKeep) => {
  let head = ""
  let tail = ""
  let total = 0
  let full = false
  return {
    push: (text: string): void => {
      total += text.length
      let rest = text
      if (!full) {
        const end = keep - head.length
        full = text.length > end
        const whole = full && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
        head += text.slice(0, whole)
        rest = text.slice(whole)
      }
      tail += rest
      if (tail.length > keep * 2) tail = tail.slice(tail.length - keep)
    },
    captured: (): Captured => {
      if (tail.length <= keep && head.length + tail.length === total) return { head, tail, dropped: 0 }
      const start = tail.length - keep
      const end = tail.slice(isLow(tail.charCodeAt(start)) ? start + 1 : start)
      return { head, tail: end, dropped: total - head.length - end.length }
    }
  }
}
