// Patterns and what they are compared with are strings of bytes (`bytesOf`), as git compares bytes.

/** A bracket expression's members: one flag per byte. */
type Members = ReadonlyArray<boolean>
/**
 * `byte` and `char` are what `?` stands for. `*` stays in one folder. `folders` is a `**` with the slash after it: any number of folders, none too. `anything` is a
 * `**` that may stand for any text.
 */
export type Token = string | Members | "byte" | "char" | "star" | "folders" | "anything"

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/
}

/** Reads the bracket expression at `start`; null where git gives the whole pattern up. */
const bracket = (pattern: string, start: number): { readonly members: Members; readonly end: number } | null => {
  const members = Array.from({ length: 256 }, () => false)
  const add = (from: string, to: string) => members.fill(true, from.charCodeAt(0), to.charCodeAt(0) + 1)
  let at = start + 1
  const negated = pattern[at] === "!" || pattern[at] === "^"
  if (negated) at += 1
  let previous = ""
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    const char = pattern[at]
    if (char === undefined) return null
    const range = char === "-" && previous !== "" && pattern[at + 1] !== undefined && pattern[at + 1] !== "]"
    const name = char === "[" && pattern[at + 1] === ":" ? /^\[:([^\]]*)\]/.exec(pattern.slice(at)) : undefined
    if (name === null) return null
    if (char === "\\" || range) {
      at += 1
      if (range && pattern[at] === "\\") at += 1
      const literal = pattern[at]
      if (literal === undefined) return null
      add(range ? previous : literal, literal)
      previous = range ? "" : literal
    } else if (name?.[1]?.endsWith(":") === true) {
      const known = classes[name[1].slice(0, -1)]
      if (known === undefined) return null
      members.forEach((_, code) => known.test(String.fromCharCode(code)) && (members[code] = true))
      previous = ""
      at += name[0].length - 1
    } else {
      add(char, char)
      previous = char
    }
    at += 1
  }
  const found = negated ? members.map((member) => !member) : members
  found[47] = false // a slash is never in it
  return { members: found, end: at + 1 }
}

/** How a run of stars reads, given what stands around it. */
const stars = (pattern: string, start: number, end: number): { readonly token: Token; readonly end: number } => {
  const alone = end - start > 1 && (start === 0 || pattern[start - 1] === "/")
  if (alone && end === pattern.length) return { token: "anything", end }
  if (alone && pattern[end] === "/") return { token: "folders", end: end + 1 }
  if (alone && pattern.startsWith("\\/", end)) return { token: "anything", end }
  return { token: "star", end }
}

/**
 * What a pattern is made of; null where it fits nothing, such as with a bracket that is not closed. Git's `?` is one
 * byte, that of globs one character.
 */
export const tokens = (pattern: string, any: "byte" | "char"): ReadonlyArray<Token> | null => {
  const found: Array<Token> = []
  for (let at = 0; at < pattern.length;) {
    const char = pattern.charAt(at)
    if (char === "*") {
      let end = at
      while (pattern[end] === "*") end += 1
      const run = stars(pattern, at, end)
      found.push(run.token)
      at = run.end
    } else if (char === "[") {
      const read = bracket(pattern, at)
      if (read === null) return null
      found.push(read.members)
      at = read.end
    } else if (char === "\\") {
      if (at + 1 === pattern.length) return null
      found.push(pattern.charAt(at + 1))
      at += 2
    } else {
      found.push(char === "?" ? any : char)
      at += 1
    }
  }
  return found
}

/** How many bytes of `text` at `at` the token takes, 0 for a misfit. */
const taken = (token: Token, text: string, at: number): number => {
  if (typeof token !== "string") return token[text.charCodeAt(at)] === true ? 1 : 0
  if (token === "byte") return text[at] === "/" ? 0 : 1
  if (token !== "char") return text[at] === token ? 1 : 0
  if (text[at] === "/") return 0
  let end = at + 1
  while ((text.charCodeAt(end) & 0xc0) === 0x80) end += 1
  return end - at
}

/**
 * Whether all of `text`, from `from` on, fits. Only the last star and the last run of folders are ever tried again, as
 * leftmost places for what stands before them are as good as any: no pattern takes exponential time.
 */
export const fits = (pattern: ReadonlyArray<Token>, text: string, from: number): boolean => {
  let next = 0
  let at = from
  let star = -1
  let starAt = 0
  let wide = -1
  let wideAt = 0
  for (;;) {
    const token = pattern[next]
    const took = token === undefined || at >= text.length ? 0 : taken(token, text, at)
    if (token === undefined && at === text.length) return true
    if (token === "star") {
      star = next++
      starAt = at
    } else if (token === "folders" || token === "anything") {
      if (token === "anything" && next === pattern.length - 1) return true
      wide = next++
      wideAt = at
      star = -1
    } else if (took > 0) {
      next += 1
      at += took
    } else if (star >= 0 && starAt < text.length && text[starAt] !== "/") {
      at = ++starAt
      next = star + 1
    } else if (wide >= 0) {
      wideAt = pattern[wide] === "folders" ? text.indexOf("/", wideAt) + 1 : wideAt + 1
      if (wideAt === 0 || wideAt > text.length) return false
      at = wideAt
      next = wide + 1
      star = -1
    } else return false
  }
}

/** UTF-8 bytes, one a character. */
export const bytesOf = (text: string): string => /[^\x00-\x7f]/.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text
