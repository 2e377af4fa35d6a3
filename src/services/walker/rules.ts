import type { Pattern } from "./pattern.js"
import { parsePattern } from "./pattern.js"
import { bytesOf } from "./wildcards.js"

export type Verdict = "hidden" | "shown"
/** What rules say of an entry of one folder: the last rule that fits decides, null where none does. Names are bytes as characters. */
export type Judge = (name: string, isFolder: boolean) => Verdict | null

/** The rules of one ignore file. */
export interface Rules {
  /** For the entries of `folder`, relative to the file's folder: empty or with a slash at its end, bytes as characters. */
  readonly within: (folder: string) => Judge
  /** some rule takes something back in */
  readonly negates: boolean
}

/** The last dot of a name and what follows, which is what most rules are about. */
const extensionOf = (name: string) => {
  const dot = name.lastIndexOf(".")
  return dot < 0 ? "" : name.slice(dot)
}

/** Tables by name, by extension and by first byte, so that a file with hundreds of rules costs an entry three look-ups and a few comparisons. */
const index = (patterns: ReadonlyArray<Pattern>) => {
  const names = new Map<string, Array<number>>()
  const extensions = new Map<string, Array<number>>()
  const firsts = new Map<string, Array<number>>()
  const others: Array<number> = []
  const put = (table: Map<string, Array<number>>, key: string, at: number) => {
    const list = table.get(key)
    if (list === undefined) table.set(key, [at])
    else list.unshift(at)
  }
  patterns.forEach((pattern, at) => {
    if (pattern.byName && pattern.kind === "name") put(names, pattern.prefix, at)
    else if (pattern.kind === "ending" && extensionOf(pattern.ending) === pattern.ending && pattern.ending !== "") {
      put(extensions, pattern.ending, at)
    } else if (pattern.byName && pattern.prefix !== "") put(firsts, pattern.prefix.charAt(0), at)
    else others.unshift(at)
  })
  return { names, extensions, firsts, others }
}

const none: ReadonlyArray<number> = []

/** Reads an ignore file; null where it holds no rule. */
export const parseRules = (text: string): Rules | null => {
  const lines = (text.startsWith("\uFEFF") ? text.slice(1) : text).split("\n")
  const patterns = lines.flatMap((line) => parsePattern(bytesOf(line.endsWith("\r") ? line.slice(0, -1) : line)) ?? [])
  if (patterns.length === 0) return null
  const { extensions, firsts, names, others } = index(patterns)
  const within = (folder: string): Judge => {
    const possible = others.filter((at) => {
      const pattern = patterns[at]
      return pattern !== undefined && (pattern.byName || pattern.prefix.startsWith(folder) || folder.startsWith(pattern.prefix))
    })
    return (name, isFolder) => {
      let last = -1
      const consider = (candidates: ReadonlyArray<number>, sure: boolean) => {
        for (const at of candidates) {
          if (at < last) return
          const pattern = patterns[at]
          if (pattern === undefined || (pattern.foldersOnly && !isFolder)) continue
          if (sure || pattern.fits(pattern.byName ? name : folder + name)) {
            last = at
            return
          }
        }
      }
      consider(names.get(name) ?? none, true)
      if (extensions.size > 0) consider(extensions.get(extensionOf(name)) ?? none, true)
      if (firsts.size > 0) consider(firsts.get(name.charAt(0)) ?? none, false)
      consider(possible, false)
      return last < 0 ? null : patterns[last]?.negated === true ? "shown" : "hidden"
    }
  }
  return { negates: patterns.some(({ negated }) => negated), within }
}
