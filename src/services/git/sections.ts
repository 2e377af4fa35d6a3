/**
 * Bodies of a diff, each given to the file it is of. Names are never read from the text: git is told to put a random
 * mark before every name in a header, and a section belongs to a file if its first line is exactly the one that git
 * writes for the names that `--raw -z` told (hardening.md, Secrets). No content line can begin like a header: each
 * begins with a space, `+`, `-`, `@` or a backslash.
 */
export interface Names {
  readonly path: string
  /** the same from the top of the work tree, which is what git writes for a merge */
  readonly topPath: string
  /** the name before, in a rename or copy */
  readonly from: string | null
  readonly combined: boolean
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r", "\"": "\\\"", "\\": "\\\\"
}
/** As git writes a name under `core.quotePath=false`. */
export const quoted = (name: string): string => {
  const inner = name.replace(/[\x00-\x1f\x7f"\\]/g, (char) =>
    escapes[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`)
  return inner === name ? name : `"${inner}"`
}

export const prefixes = (mark: string): ReadonlyArray<string> => [`--src-prefix=${mark}a/`, `--dst-prefix=${mark}b/`]

const headers = (mark: string, { combined, from, path, topPath }: Names): ReadonlyArray<string> => combined
  ? [topPath, path].flatMap((name) => [`diff --cc ${quoted(name)}`, `* Unmerged path ${name}`])
  : [`diff --git ${quoted(`${mark}a/${from ?? path}`)} ${quoted(`${mark}b/${path}`)}`]

/** Sections by first line. */
export type Sections = ReadonlyMap<string, string>

/**
 * A type change has two sections of one first line; they stay together. `cut`: the text ended before git was done, so
 * the last section is not whole, and given as `broken`.
 */
export const splitSections = (text: string, cut: boolean): { readonly whole: Sections; readonly broken: Sections } => {
  const whole = new Map<string, string>()
  // Not `^` with the m flag: that also begins a line after a carriage return or U+2028, which content may hold.
  const starts = [...text.matchAll(/(?<![^\n])(?:diff --|\* Unmerged path )/g)].map(({ index }) => index)
  starts.forEach((start, at) => {
    const section = text.slice(start, starts[at + 1] ?? text.length)
    const end = section.indexOf("\n")
    const first = end === -1 ? section : section.slice(0, end)
    whole.set(first, (whole.get(first) ?? "") + section)
  })
  const last = cut ? starts.at(-1) : undefined
  const first = last === undefined ? "" : text.slice(last).split("\n", 1)[0] ?? ""
  const broken = new Map([...whole].filter(([line]) => last !== undefined && line === first))
  for (const line of broken.keys()) whole.delete(line)
  return { whole, broken }
}

/** The section of a file, the mark taken out; null where there is none. */
export const sectionOf = (sections: Sections, mark: string, names: Names): string | null => {
  const found = headers(mark, names).map((header) => sections.get(header)).find((section) => section !== undefined)
  return found === undefined ? null : found.replaceAll(mark, "")
}

/** In a merge's section git names the file from the top of the work tree, whatever it was asked. */
export const withoutPrefix = (section: string, prefix: string): string => {
  if (prefix === "") return section
  const end = section.search(/(?<![^\n])@@/)
  const header = end === -1 ? section : section.slice(0, end)
  const inner = quoted(`${prefix}/`).replace(/^"|"$/g, "")
  const short = header.replace(/(?<![^\n])(?:diff --cc |--- |\+\+\+ |\* Unmerged path )[^\n]*/g, (line) => line.replace(inner, ""))
  return short + section.slice(header.length)
}
