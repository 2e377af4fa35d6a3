import { hole } from "../Commands.js"

/**
 * Whether a pattern can fit a text whose holes may be anything. Both are read at once: a hole is to the text what `*` is
 * to the pattern.
 */
export const mayFit = (pattern: string, text: string): boolean => {
  if (!text.includes(hole)) return false
  const patterns = pattern.endsWith(" *") ? [pattern, pattern.slice(0, -2)] : [pattern]
  return patterns.some((each) => meet(each, text))
}
const meet = (pattern: string, text: string): boolean => {
  // row[t]: pattern up to p and text up to t can be the same.
  let row = Array.from({ length: text.length + 1 }, () => false)
  row[0] = true
  for (let t = 0; t < text.length && text[t] === hole; t++) row[t + 1] = true
  for (const unit of pattern) {
    const next = Array.from({ length: text.length + 1 }, () => false)
    next[0] = unit === "*" && row[0] === true
    for (let t = 0; t < text.length; t++) {
      const isHole = text[t] === hole
      const same = row[t] === true && (unit === "?" || unit === text[t])
      next[t + 1] = unit === "*"
        ? row[t + 1] === true || next[t] === true || (isHole && next[t] === true)
        : isHole ? next[t] === true || row[t + 1] === true : same
    }
    row = next
  }
  return row[text.length] === true
}
