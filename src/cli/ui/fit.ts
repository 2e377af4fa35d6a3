import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { withoutEscapes } from "../../tools/text/escapes.js"

/** A text as it can be laid out: nothing in it moves the cursor but its line ends. */
export const still = (text: string): string => withoutEscapes(text).replaceAll("\t", "    ").replace(/[\v\f\x85\u2028\u2029]/g, " ")

/** The beginning of a line that fits into so many columns, with `…` where something is left out. */
export const clip = (line: string, columns: number): string =>
  stringWidth(line) <= columns ? line : `${wrapAnsi(line, Math.max(1, columns - 1), { hard: true, trim: false, wordWrap: false }).split("\n")[0] ?? ""}…`

/** A text as lines of at most so many columns, broken between words where that is possible. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  wrapAnsi(text, Math.max(1, columns), { hard: true }).split("\n")

/** All the parts in as many lines as they need; one is broken only where it does not fit into a line by itself. */
export const flowing = (parts: ReadonlyArray<string>, columns: number, between: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of parts) {
    const longer = lines.length === 0 ? null : `${lines.at(-1) ?? ""}${between}${part}`
    if (longer !== null && stringWidth(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(...wrap(part, columns))
  }
  return lines
}

/** The parts that fit into one line, in their order; what is least important, the last of `weights`, goes first. */
export const fitting = (parts: ReadonlyArray<{ readonly text: string; readonly weight: number }>, columns: number, between: string): string => {
  let kept = parts.filter(({ text }) => text !== "")
  const line = () => kept.map(({ text }) => text).join(between)
  while (kept.length > 1 && stringWidth(line()) > columns) {
    const least = Math.min(...kept.map(({ weight }) => weight))
    const at = kept.findLastIndex(({ weight }) => weight === least)
    kept = kept.filter((_, index) => index !== at)
  }
  return clip(line(), columns)
}
