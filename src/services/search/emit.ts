import type { Border, ClassSet, Node } from "./dialect.js"
import type { RegExpParts } from "./worker.js"

/**
 * `plain`: for ASCII without carriage returns, where JavaScript's own classes and anchors say the same as ripgrep's.
 * `full`: for any text; lines end at `\n`, and `^`, `$` see a lone `\r` as an end too, as ripgrep's `--crlf` does.
 */
type Mode = "plain" | "full"

const hex = (code: number) => `\\u{${code.toString(16)}}`
const letters = /[0-9A-Za-z_]/
const char = (code: number) => letters.test(String.fromCodePoint(code)) && code < 128 ? String.fromCodePoint(code) : hex(code)

const unicodeClasses = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}"
}
const asciiClasses = { d: "0-9", s: "\\t-\\r\\u{20}", w: "0-9A-Za-z_" }
const posixClasses: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z", alpha: "A-Za-z", ascii: "\\u{0}-\\u{7f}", blank: "\\t\\u{20}", cntrl: "\\u{0}-\\u{1f}\\u{7f}", digit: "0-9",
  graph: "\\u{21}-\\u{7e}", lower: "a-z", print: "\\u{20}-\\u{7e}", punct: "\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}",
  space: "\\t-\\r\\u{20}", upper: "A-Z", word: "0-9A-Za-z_", xdigit: "0-9A-Fa-f"
}

const words = (name: string) => name.trim().split(/[\s_-]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("_")
const isProperty = (name: string) => {
  try {
    return new RegExp(`\\p{${name}}`, "v").source !== ""
  } catch {
    return false
  }
}
const keys: Readonly<Record<string, string>> = {
  script: "Script", sc: "Script", scriptextensions: "Script_Extensions", scx: "Script_Extensions", generalcategory: "General_Category", gc: "General_Category"
}
/** Rust is loose about names of properties, JavaScript is not; null where neither spelling is one. */
const property = (name: string): string | null => {
  const [key = "", value] = name.split(/[=:]/)
  if (value !== undefined) {
    const known = keys[key.toLowerCase().replace(/[\s_-]/g, "")]
    return [value, words(value)].map((each) => `${known}=${each}`).find(isProperty) ?? null
  }
  const bare = name.replace(/^is(?=[A-Za-z])/i, "")
  const spellings = [name, words(name), name.toUpperCase(), bare, words(bare), `Script=${words(name)}`, `Script=${words(bare)}`]
  return spellings.find(isProperty) ?? null
}

/** Both cases of a letter, for expressions in which only parts ignore case. */
const variants = (code: number): ReadonlyArray<number> => {
  const text = String.fromCodePoint(code)
  const all = [text, text.toLowerCase(), text.toUpperCase()].filter((each) => [...each].length === 1)
  return [...new Set(all.map((each) => each.codePointAt(0) ?? code))]
}
const widest = 1024
const folded = (from: number, to: number): string => {
  const codes = new Set<number>()
  for (let code = from; code <= Math.min(to, from + widest); code++) for (const variant of variants(code)) codes.add(variant)
  return [...codes].map(hex).join("")
}

/** `\w` and its like, and the dot, are the same in either case. */
const mindsCase = (set: ClassSet) => set.kind !== "perl" && !(set.kind === "set" && set.negated && set.items.length === 0)

interface Writing {
  readonly mode: Mode
  /** write out both cases, as the expression as a whole minds it */
  readonly byHand: boolean
  /** groups have to be counted, as something refers back to them */
  readonly counts: boolean
}

const members = (set: ClassSet, writing: Writing, fold: boolean): string => {
  switch (set.kind) {
    case "range":
      return `${set.from === set.to ? hex(set.from) : `${hex(set.from)}-${hex(set.to)}`}${fold ? folded(set.from, set.to) : ""}`
    case "perl": {
      const text = (set.unicode && writing.mode === "full" ? unicodeClasses : asciiClasses)[set.letter]
      return set.negated ? `[^${text}]` : text
    }
    case "posix": {
      const text = `${posixClasses[set.name] ?? ""}${fold && /^(?:lower|upper)$/.test(set.name) ? "a-zA-Z" : ""}`
      return set.negated ? `[^${text}]` : text
    }
    case "property": {
      if (/^any$/i.test(set.name)) return set.negated ? "" : "\\u{0}-\\u{10ffff}"
      if (/^ascii$/i.test(set.name)) return set.negated ? "\\u{80}-\\u{10ffff}" : "\\u{0}-\\u{7f}"
      const name = property(set.name)
      if (name === null) throw new SyntaxError(`no property ${set.name}`)
      return `\\${set.negated ? "P" : "p"}{${name}}`
    }
    case "set": {
      const inner = set.items.map((item) => members(item, writing, fold)).join("")
      return set.negated ? inner === "" ? "\\u{0}-\\u{10ffff}" : `[^${inner}]` : inner === "" ? "[]" : `[${inner}]`
    }
    case "both": {
      const left = `[${members(set.left, writing, fold)}]`
      const right = `[${members(set.right, writing, fold)}]`
      return set.operator === "~~" ? `[${left}--${right}][${right}--${left}]` : `[${left}${set.operator}${right}]`
    }
  }
}

/** What no class ever matches: ends of lines, and the stand-ins for bytes that are not UTF-8. */
const outside = (mode: Mode, unicode: boolean) => mode === "plain" ? "\\n" : unicode ? "\\n\\r\\u{d800}-\\u{dfff}" : "\\n\\r"

const wordClass = (mode: Mode, unicode: boolean) => `[${mode === "full" && unicode ? unicodeClasses.w : asciiClasses.w}]`
const border = (which: Border, mode: Mode, unicode: boolean): string => {
  const word = wordClass(mode, unicode)
  switch (which) {
    case "lineStart":
      return mode === "plain" ? "^" : "(?:(?<=^|[\\n\\r])(?!(?<=\\r)\\n))"
    case "lineEnd":
      return mode === "plain" ? "$" : "(?:(?=[\\n\\r]|$)(?!(?<=\\r)\\n))"
    case "textStart":
      return mode === "plain" ? "^" : "(?<=^|\\n)"
    case "textEnd":
      return mode === "plain" ? "$" : "(?=\\r?(?:\\n|$))"
    case "word":
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
    case "notWord": {
      // To ripgrep there is neither beside a byte that is no text.
      const valid = unicode ? "(?<![\\u{d800}-\\u{dfff}])(?![\\u{d800}-\\u{dfff}])" : ""
      return `(?:${valid}(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})))`
    }
    case "wordStart":
      return `(?<!${word})(?=${word})`
    case "wordEnd":
      return `(?<=${word})(?!${word})`
    case "halfStart":
      return `(?<!${word})`
    case "halfEnd":
      return `(?!${word})`
  }
}

const write = (node: Node, writing: Writing): string => {
  const { byHand, counts, mode } = writing
  switch (node.kind) {
    case "literal":
      return byHand && node.fold && variants(node.code).length > 1 ? `[${variants(node.code).map(hex).join("")}]` : char(node.code)
    case "class":
      return `[[${members(node.set, writing, byHand && node.fold)}]--[${outside(mode, node.unicode)}]]`
    case "border":
      return mode === "plain" && (node.border === "word" || node.border === "notWord")
        ? node.border === "word" ? "\\b" : "\\B"
        : border(node.border, mode, node.unicode)
    case "group": {
      const isCapture = node.opening === "(" || /^\(\?<[A-Za-z_]/.test(node.opening)
      return `${isCapture && !counts ? "(?:" : node.opening}${write(node.of, writing)})`
    }
    case "back":
      return node.to
    case "repeat":
      return `(?:${write(node.of, writing)})${node.times}`
    case "sequence":
      return node.of.map((each) => write(each, writing)).join("")
    case "either":
      return `(?:${node.of.map((each) => write(each, writing)).join("|")})`
  }
}

const each = function*(node: Node): Generator<Node> {
  yield node
  if (node.kind === "group" || node.kind === "repeat") yield* each(node.of)
  if (node.kind === "sequence" || node.kind === "either") for (const inner of node.of) yield* each(inner)
}

const isSurrogate = (code: number) => code >= 0xd800 && code < 0xe000

/** The longest text that stands in every match, as far as that is easily seen. */
const needleOf = (node: Node): string | null => {
  let longest = ""
  let run = ""
  for (const part of node.kind === "sequence" ? node.of : [node]) {
    run = part.kind === "literal" && !part.fold && !isSurrogate(part.code) ? run + String.fromCodePoint(part.code) : ""
    if (run.length > longest.length) longest = run
  }
  return longest === "" ? null : longest
}

export interface Emitted {
  readonly plain: RegExpParts
  readonly full: RegExpParts
  readonly needle: string | null
  /** It has `\A` or `\z`, which ripgrep reads by blocks of a file. */
  readonly aboutText: boolean
}

/** Throws a `SyntaxError` where JavaScript has no way to say it. */
export const emit = (root: Node): Emitted => {
  const nodes = [...each(root)]
  const folds = new Set(nodes.flatMap((node) => node.kind === "literal" || (node.kind === "class" && mindsCase(node.set)) ? [node.fold] : []))
  const isMixed = folds.size > 1
  const flags = `gv${folds.has(true) && !isMixed ? "i" : ""}`
  const counts = nodes.some(({ kind }) => kind === "back")
  const parts = (mode: Mode): RegExpParts => {
    const source = write(root, { mode, byHand: isMixed, counts })
    // Only there do lines end where JavaScript ends them; elsewhere `^` and `$` are the text's own ends.
    const all = mode === "plain" ? `${flags}m` : flags
    return { source: new RegExp(source, all).source, flags: all }
  }
  return {
    plain: parts("plain"),
    full: parts("full"),
    needle: needleOf(root),
    aboutText: nodes.some((node) => node.kind === "border" && (node.border === "textStart" || node.border === "textEnd"))
  }
}
