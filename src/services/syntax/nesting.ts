/** How many brackets are open at the deepest place, strings and comments counted like code: an upper bound that costs no parse. */
export const deepestNesting = (text: string): number => {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) {
      depth++
      if (depth > deepest) deepest = depth
    } else if ((unit === 0x29 || unit === 0x5d || unit === 0x7d) && depth > 0) depth--
  }
  return deepest
}
