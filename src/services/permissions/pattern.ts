/** A rule's pattern: `*` spans any characters (newlines and `/` too), `?` is exactly one, all else is literal. */

const hasPair = /[\ud800-\udfff]/
/** `?` takes a whole character, also one of two units. */
const characters = (text: string): ArrayLike<string> => hasPair.test(text) ? Array.from(text) : text

/** Goes back to the last `*` only, so that no pattern takes more than pattern length times text length steps. */
const whole = (pattern: ArrayLike<string>, text: ArrayLike<string>): boolean => {
  let p = 0
  let t = 0
  let star = -1
  let mark = 0
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++
      mark = t
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++mark
    } else {
      return false
    }
  }
  while (p < pattern.length && pattern[p] === "*") p++
  return p === pattern.length
}

/** Whether the whole text fits. A trailing ` *` also fits the bare command: `git *` covers `git`. */
export const fits = (pattern: string, text: string): boolean => {
  const units = characters(text)
  return whole(characters(pattern), units) || (pattern.endsWith(" *") && whole(characters(pattern.slice(0, -2)), units))
}

export const hasWildcard = (pattern: string): boolean => pattern.includes("*") || pattern.includes("?")
