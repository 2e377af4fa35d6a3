import { countLines } from "./lines.js"

export interface Collapse {
  readonly before: number
  readonly after: number
}

const solid = (text: string) => text.replace(/\s+/gu, "").length

/**
 * Whether a rewrite squeezed the layout out of a file: at least 5 lines became at most a third, with about the same
 * characters (decisions.md, Texts).
 */
export const collapsed = (before: string, after: string): Collapse | null => {
  const lines = { before: countLines(before), after: countLines(after) }
  if (lines.before < 5 || lines.after * 3 > lines.before) return null
  const size = solid(before)
  return Math.abs(solid(after) - size) <= size * 0.2 ? lines : null
}
