const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, "\"": 34, "\\": 92 }

/** A name that git put in quotes, with its octal bytes; gives it and where it ended. */
export const readQuoted = (text: string, from = 0): { readonly name: string; readonly end: number } | null => {
  if (text.charAt(from) !== "\"") return null
  const bytes: Array<number> = []
  const encoder = new TextEncoder()
  let at = from + 1
  while (at < text.length && text.charAt(at) !== "\"") {
    if (text.charAt(at) === "\\") {
      const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0]
      bytes.push(octal === undefined ? escapes[text.charAt(at + 1)] ?? text.charCodeAt(at + 1) : Number.parseInt(octal, 8))
      at += octal === undefined ? 2 : 4
      continue
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    bytes.push(...encoder.encode(character))
    at += character.length
  }
  if (text.charAt(at) !== "\"") return null
  return { name: new TextDecoder().decode(new Uint8Array(bytes)), end: at + 1 }
}

/** The name in a header line: quoted, or up to a tab (after which a time stamp may stand). */
export const readName = (text: string): string => readQuoted(text)?.name ?? text.split("\t")[0] ?? ""

export interface Names {
  readonly before: string
  readonly after: string
}

/** The two names of a `diff --git` line; null where they differ and hold spaces, so that they can't be told apart. */
export const gitNames = (rest: string): Names | null => {
  const first = readQuoted(rest)
  if (first !== null) return { before: first.name, after: readName(rest.slice(first.end + 1)) }
  const quoted = rest.indexOf(" \"")
  if (quoted !== -1 && rest.endsWith("\"")) return { before: rest.slice(0, quoted), after: readName(rest.slice(quoted + 1)) }
  const middle = (rest.length - 1) / 2
  const [left, right] = [rest.slice(0, middle), rest.slice(middle + 1)]
  if (rest.charAt(middle) === " " && (left === right || bare(left) === bare(right))) return { before: left, after: right }
  const parts = rest.split(" ")
  return parts.length === 2 ? { before: parts[0] ?? "", after: parts[1] ?? "" } : null
}

const bare = (name: string) => name.replace(/^[a-z0-9]\//, "")

export const nowhere = "/dev/null"

/**
 * Names without the prefix that git puts before them (`a/` and `b/`, or the mnemonic ones). `git`, the names of the
 * `diff --git` line, differ only in it; without that line only `a/` beside `b/` is taken for one.
 */
export const withoutPrefixes = (names: Names, git: Names | null): Names => {
  const { before, after } = names
  const strips = git === null
    ? (before === nowhere || before.startsWith("a/")) && (after === nowhere || after.startsWith("b/"))
    : git.before !== git.after
  const strip = (name: string) => strips && name !== nowhere ? name.replace(/^[a-z0-9]\//, "") : name
  return { before: strip(before), after: strip(after) }
}
