import { graphemes } from "../graphemes.js"

/** UTF-16 units of a line that are shown (tools.md, Output caps). */
export const lineCap = 300

/** A line's beginning, of which `units` is the whole length, cut to the cap on a grapheme's border. */
export const cutLine = (head: string, units: number): { readonly text: string; readonly cut: number } => {
  if (units <= lineCap && head.length <= lineCap) return { text: head, cut: 0 }
  const end = graphemes(head.slice(0, lineCap + 100)).containing(lineCap)?.index ?? head.length
  return { text: head.slice(0, end), cut: Math.max(0, units - end) }
}
