import { InvalidRegex } from "../Search.js"
import { readPattern } from "./dialect.js"
import type { Emitted } from "./emit.js"
import { emit } from "./emit.js"
import type { Matcher } from "./worker.js"

export interface Compiled {
  readonly matcher: Matcher
  /** ripgrep reads it in another way, so that the built-in search has to run it */
  readonly onlyBuiltIn: boolean
}

const tryEmit = (pattern: string, ignoreCase: boolean): Emitted | null => {
  const node = readPattern(pattern, ignoreCase)
  try {
    return node === null ? null : emit(node)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

const reasonOf = (error: unknown, pattern: string): string => {
  const text = error instanceof Error ? error.message : String(error)
  const at = text.indexOf(`${pattern}/`)
  const end = at < 0 ? -1 : text.indexOf(": ", at + pattern.length)
  return end < 0 ? text : text.slice(end + 2)
}

/**
 * A pattern in ripgrep's syntax, else in JavaScript's (decisions.md): `interface {` is an error to ripgrep, and
 * everybody knows what is meant.
 */
export const compilePattern = (pattern: string, ignoreCase: boolean): Compiled | InvalidRegex => {
  const emitted = tryEmit(pattern, ignoreCase)
  if (emitted !== null) {
    const { aboutText, full, needle, plain } = emitted
    return { matcher: { full, plain, needle, byLine: false }, onlyBuiltIn: aboutText }
  }
  let reason = ""
  for (const unicode of ["u", ""]) {
    const flags = `s${unicode}${ignoreCase ? "i" : ""}`
    try {
      const parts = { source: new RegExp(pattern, flags).source, flags }
      return { matcher: { full: parts, plain: parts, needle: null, byLine: true }, onlyBuiltIn: false }
    } catch (error) {
      reason = reasonOf(error, pattern)
    }
  }
  return new InvalidRegex({ reason })
}
