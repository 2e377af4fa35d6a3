import * as Data from "effect/Data"
import { bytesOf, fits, tokens } from "../walker/wildcards.js"

export class InvalidGlob extends Data.TaggedError("InvalidGlob")<{ readonly glob: string; readonly reason: string }> {
  override get message() {
    return `Invalid glob ${this.glob}: ${this.reason}`
  }
}

export interface Glob {
  readonly matches: (path: string) => boolean
  /** Globs in ripgrep's syntax one of which fits the base name of whatever matches; null where that cannot be told. */
  readonly names: ReadonlyArray<string> | null
}

/** The alternatives a glob may be written out to, and the characters it may have. */
const most = 1000
const longest = 4096

/** Ends of the group that begins at `open`, and the places of its commas; null where it is not closed. */
const group = (glob: string, open: number): { readonly cuts: ReadonlyArray<number>; readonly end: number } | null => {
  const cuts = [open]
  let depth = 0
  for (let at = open; at < glob.length; at++) {
    const char = glob[at]
    if (char === "\\") at += 1
    else if (char === "{") depth += 1
    else if (char === "}") depth -= 1
    if (depth === 1 && char === ",") cuts.push(at)
    if (depth === 0) return { cuts: [...cuts, at], end: at }
  }
  return null
}

/** `a.{b,c}` is `a.b` and `a.c`; a brace that is not closed is a brace. Null: too many. */
const written = (glob: string): ReadonlyArray<string> | null => {
  const open = /^(?:[^\\{]|\\[^])*/.exec(glob)?.[0].length ?? glob.length
  if (glob[open] !== "{") return [glob]
  const found = group(glob, open)
  const heads = found === null ? [`${glob.slice(0, open)}\\{`] : found.cuts.slice(1).map((cut, n) =>
    glob.slice(0, open) + glob.slice((found.cuts[n] ?? open) + 1, cut))
  const all: Array<string> = []
  for (const head of heads) {
    // Only what was in the group may hold further groups before the rest: the head before it has none.
    const alternatives = found === null
      ? written(glob.slice(open + 1))?.map((rest) => head + rest)
      : written(head.slice(open) + glob.slice(found.end + 1))?.map((rest) => glob.slice(0, open) + rest)
    if (alternatives === undefined || all.length + alternatives.length > most) return null
    all.push(...alternatives)
  }
  return all
}

const matcher = (pattern: string): (path: string) => boolean => {
  const parsed = tokens(pattern, "char")
  if (parsed === null) return (path) => path === pattern
  const first = parsed.findLastIndex((token) => typeof token !== "string" || token.length > 1) + 1
  const ending = parsed.slice(first).join("")
  return (path) => path.endsWith(ending) && fits(parsed, path, 0)
}

/** Letters that mean the same in a type of ripgrep's; anything else is left to `matches`. */
const plainName = /^[\w.*-]+$/

/**
 * `*` and `?` stay in one folder, `**` spans folders, `[ab]` and `{a,b}` as everywhere. What stands in brackets also
 * stands for itself, as folders are called that way (`app/[id]/page.tsx`). A match takes no exponential time.
 */
export const compileGlob = (glob: string): Glob | InvalidGlob => {
  if (glob.length > longest) return new InvalidGlob({ glob: `${glob.slice(0, 40)}...`, reason: `it has more than ${longest} characters.` })
  const clean = glob.replace(/^(?:\.\/+)+/, "").replace(/\/{2,}/g, "/").replace(/(^|\/)\*\*(?=[^/*])/g, "$1**/*")
  const alternatives = written(clean.endsWith("/") ? `${clean}**` : clean)
  if (alternatives === null) return new InvalidGlob({ glob, reason: `it has more than ${most} alternatives.` })
  const literal = alternatives.filter((each) => each.includes("[")).map((each) => each.replace(/\[/g, "\\["))
  const matchers = [...alternatives, ...literal].map((each) => matcher(bytesOf(each)))
  const names = alternatives.map((each) => each.slice(each.lastIndexOf("/") + 1))
  return {
    matches: (path) => {
      const bytes = bytesOf(path)
      return matchers.some((matches) => matches(bytes))
    },
    names: names.every((name) => plainName.test(name) && !name.includes("**")) ? [...new Set(names)] : null
  }
}

/** The same for a filter: without a slash it is about base names at any depth, with `!` before it about all other files. */
export const compileInclude = (glob: string): Glob | InvalidGlob => {
  const isNegated = glob.startsWith("!")
  const body = isNegated ? glob.slice(1) : glob
  const compiled = compileGlob(body.includes("/") ? body : `**/${body}`)
  if (compiled instanceof InvalidGlob || !isNegated) return compiled
  return { matches: (path) => !compiled.matches(path), names: null }
}
