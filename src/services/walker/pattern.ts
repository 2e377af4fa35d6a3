import { fits, tokens } from "./wildcards.js"

/** One rule of an ignore file. Patterns and paths are strings of bytes. */
export interface Pattern {
  readonly negated: boolean
  readonly foldersOnly: boolean
  /** compared with the last part of a path alone */
  readonly byName: boolean
  /** the text before the first wildcard */
  readonly prefix: string
  /** `name`: the prefix is all of it; `ending`: a star and `ending`; else `fits` */
  readonly kind: "name" | "ending" | "pattern"
  readonly ending: string
  /** whether it fits a path relative to the ignore file's folder, or a name where it is `byName` */
  readonly fits: (text: string) => boolean
}

/** Git drops unescaped spaces at the end of a line. */
const trimmed = (line: string): string => {
  let end = line.length
  while (line[end - 1] === " ") end -= 1
  const slashes = /\\*$/.exec(line.slice(0, end))?.[0].length ?? 0
  return slashes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end)
}

/** Reads one line of an ignore file, as a string of bytes; null where it is no rule or fits nothing. */
export const parsePattern = (line: string): Pattern | null => {
  if (line.startsWith("#")) return null
  const text = trimmed(line)
  const negated = text.startsWith("!")
  const rest = negated ? text.slice(1) : text
  const foldersOnly = rest.endsWith("/")
  const body = foldersOnly ? rest.slice(0, -1) : rest
  if (body === "") return null
  const byName = !body.includes("/")
  const anchored = body.startsWith("/") ? body.slice(1) : body
  const wild = anchored.search(/[*?[\\]/)
  const prefix = wild < 0 ? anchored : anchored.slice(0, wild)
  const facts = { negated, foldersOnly, byName, prefix, ending: "" }
  if (wild < 0) return { ...facts, kind: "name", fits: (path) => path === prefix }
  const ending = anchored.slice(1)
  if (byName && wild === 0 && anchored.startsWith("*") && !/[*?[\\]/.test(ending)) {
    return { ...facts, kind: "ending", ending, fits: (name) => name.endsWith(ending) }
  }
  const parsed = tokens(anchored.slice(prefix.length), "byte")
  return parsed && { ...facts, kind: "pattern", fits: (path) => path.startsWith(prefix) && fits(parsed, path, prefix.length) }
}
