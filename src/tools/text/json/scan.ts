/** Where a text stops being JSON. `at` is an index. */
export class NoJson {
  constructor(readonly at: number, readonly expected: string) {}
}
/** A member of an object (`key`) or an item of an array (null), its value's place in the text. */
export interface Member {
  readonly key: string | null
  readonly start: number
  readonly end: number
}

const isSpace = (unit: number) => unit === 32 || unit === 10 || unit === 13 || unit === 9 || unit === 0xfeff
const endOr = (text: string, found: number, skip: number) => found === -1 ? text.length : found + skip

/** The next place that is neither white space nor comment. */
export const solid = (text: string, from: number): number => {
  let at = from
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (isSpace(unit)) at++
    else if (unit === 47 && text.charCodeAt(at + 1) === 47) at = endOr(text, text.indexOf("\n", at), 1)
    else if (unit === 47 && text.charCodeAt(at + 1) === 42) at = endOr(text, text.indexOf("*/", at + 2), 2)
    else break
  }
  return at
}

/** Behind the string that begins here; -1 if it does not end on its line. */
const stringEnd = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 34) return at + 1
    if (unit === 92) at++
    else if (unit === 10) return -1
  }
  return -1
}

const decoded = (literal: string): string => {
  if (!literal.includes("\\")) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal.slice(1, -1)
  }
}

/** Behind the value that begins here; what is in it is not judged, only strings, comments and brackets are told apart. */
export const valueEnd = (text: string, from: number): number | NoJson => {
  let depth = 0
  let at = from
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (unit === 34) {
      const end = stringEnd(text, at)
      if (end === -1) return new NoJson(at, "the end of this text")
      at = end
    } else if (unit === 123 || unit === 91) {
      depth++
      at++
      continue
    } else if (unit === 125 || unit === 93) {
      if (depth === 0) return new NoJson(at, "a value")
      depth--
      at++
    } else if (depth > 0) {
      const next = unit === 47 ? solid(text, at) : at
      at = next > at ? next : at + 1
      continue
    } else {
      const word = /[-+.\w]+/y
      word.lastIndex = at
      if (!word.test(text)) return new NoJson(at, "a value")
      at = word.lastIndex
    }
    if (depth === 0) return at
  }
  return new NoJson(text.length, depth > 0 ? `${depth} closing ${depth === 1 ? "bracket" : "brackets"}` : "a value")
}

/** The members of the object, or the items of the array, that begins here. A fault ends them. */
export function* membersOf(text: string, start: number): Generator<Member | NoJson, void> {
  const isObject = text.charCodeAt(start) === 123
  let at = solid(text, start + 1)
  while (text.charCodeAt(at) !== (isObject ? 125 : 93)) {
    let key: string | null = null
    if (isObject) {
      const end = text.charCodeAt(at) === 34 ? stringEnd(text, at) : -1
      if (end === -1) return yield new NoJson(at, "a key in double quotes")
      key = decoded(text.slice(at, end))
      at = solid(text, end)
      if (text.charCodeAt(at) !== 58) return yield new NoJson(at, "\":\"")
      at = solid(text, at + 1)
    }
    const end = valueEnd(text, at)
    if (typeof end !== "number") return yield end
    yield { key, start: at, end }
    at = solid(text, end)
    if (text.charCodeAt(at) === 44) at = solid(text, at + 1)
    else if (text.charCodeAt(at) !== (isObject ? 125 : 93)) return yield new NoJson(at, isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
  }
}
