import { hole } from "../Commands.js"

const special = /[*?[\]\\]/g
/** The pattern that only fits this text. */
export const escapeGlob = (text: string) => text.replace(special, "\\$&")

/** A piece of a pattern: one character, a class of them, or anything (`*`, and what is not known). */
interface Sign {
  readonly text: string
  readonly is: "one" | "many"
  readonly plain: boolean
  readonly fits: (char: string) => boolean
}

/** `[…]`: a `]` at its start and within `[:alpha:]`, `[.x.]` and `[=x=]` does not end it; no slash is in it. */
const bracket = /^\[[!^]?\]?(?:\[:[a-z]*:\]|\[\.[^\]/]*\.\]|\[=[^\]/]*=\]|\\[^/]|[^\]/])*\]/
const named: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  ascii: /[\0-\x7f]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[\da-f]/i
}
const element = /\[:([a-z]*):\]|\[([.=])([^\]/]*)\2\]|\\([^])|([^])/gu

const members = (inside: string): (char: string) => boolean => {
  const tests: Array<(char: string) => boolean> = []
  let low: string | null = null
  let ranges = false
  for (const [, name, , symbol, escaped, plain] of inside.matchAll(element)) {
    if (name !== undefined) {
      const found = named[name]
      if (found !== undefined) tests.push((char) => found.test(char))
      low = null
      continue
    }
    const char = symbol ?? escaped ?? plain ?? ""
    if (plain === "-" && low !== null && !ranges) {
      ranges = true
      continue
    }
    // A longer symbol is a name of the locale's.
    if ([...char].length !== 1 || char === hole) tests.push(() => true)
    const from = low
    if (ranges && from !== null) tests.push((each) => each >= from && each <= char)
    else tests.push((each) => each === char)
    low = ranges ? null : char
    ranges = false
  }
  if (ranges) tests.push((each) => each === "-")
  return (char) => tests.some((test) => test(char))
}

const classOf = (text: string): Sign => {
  const isNot = text[1] === "!" || text[1] === "^"
  const isIn = members(text.slice(isNot ? 2 : 1, -1))
  return { text, is: "one", plain: false, fits: (char) => isIn(char) !== isNot }
}
const character = (text: string, char: string): Sign => ({ text, is: "one", plain: true, fits: (each) => each === char })

const signs = (pattern: string): ReadonlyArray<Sign> => {
  const found: Array<Sign> = []
  for (let at = 0; at < pattern.length;) {
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
    const next = pattern.codePointAt(at + 1)
    const inBrackets = char === "[" ? bracket.exec(pattern.slice(at))?.[0] : undefined
    const sign: Sign = inBrackets !== undefined
      ? classOf(inBrackets)
      : char === "\\" && next !== undefined
      ? character(`\\${String.fromCodePoint(next)}`, String.fromCodePoint(next))
      : char === "*" || char === hole
      ? { text: char, is: "many", plain: char === hole, fits: () => true }
      : char === "?"
      ? { text: char, is: "one", plain: false, fits: () => true }
      : character(char, char)
    found.push(sign)
    at += sign.text.length
  }
  return found
}

/** Whether a shell looks for files that fit it. */
export const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern) && signs(pattern).some(({ plain }) => !plain)

/**
 * What its matches have in common, with a hole for what they differ in. Where nothing fits, the word stays what it is: a
 * backslash out of a variable, which escapes in the pattern, is then still there.
 */
export const globText = (pattern: string, word: string): string => {
  const all = signs(pattern)
  const shared = (before: string) =>
    all.map(({ plain, text }) => !plain ? hole : text.length > 1 && text.startsWith("\\") ? before + text.slice(1) : text).join("")
  const common = shared("")
  return !word.includes("\\") || holesFit(common, word) ? common : shared(hole)
}

/** Whether it is that text, holes standing for anything: each part is looked for behind the one before, the last at the end. */
export const holesFit = (common: string, text: string): boolean => {
  const [first = "", ...others] = common.split(hole)
  const last = others.pop()
  if (last === undefined) return common === text
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at
}

/** How many steps it takes at most to find where a match ends. */
export const globCost = (pattern: string, text: string): number => (pattern.length + 1) * (text.length + 1)

/** A pattern, read once. */
export interface Glob {
  /** Where a match that begins at that place may end, in ascending order; `*` goes over slashes as well. */
  readonly ends: (text: ReadonlyArray<string>, from: number) => ReadonlyArray<number>
}

export const globOf = (pattern: string): Glob => {
  const all = signs(pattern)
  return {
    // All that is possible after each sign is known before the next is looked at, so nothing is tried twice.
    ends: (text, from) => {
      let places: ReadonlyArray<number> = [from]
      for (const { fits, is } of all) {
        const [first] = places
        if (first === undefined) return []
        if (is === "many") places = Array.from({ length: text.length - first + 1 }, (_, step) => first + step)
        else places = places.filter((place) => place < text.length && fits(text[place] ?? "")).map((place) => place + 1)
      }
      return places
    }
  }
}

export const globFits = (pattern: string, text: string): boolean => {
  const characters = [...text]
  return globOf(pattern).ends(characters, 0).at(-1) === characters.length
}
