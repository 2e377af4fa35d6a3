/**
 * Reads a pattern in ripgrep's default syntax, and look-around and back-references besides, which it has not. What
 * this returns, `emit.ts` writes as an expression of JavaScript that matches the same lines. One difference is left:
 * under `(?-u)` ripgrep matches the single bytes of a character outside ASCII, JavaScript only the whole of it.
 */
export type ClassSet =
  | { readonly kind: "range"; readonly from: number; readonly to: number }
  | { readonly kind: "perl"; readonly letter: "d" | "s" | "w"; readonly negated: boolean; readonly unicode: boolean }
  | { readonly kind: "posix"; readonly name: string; readonly negated: boolean }
  | { readonly kind: "property"; readonly name: string; readonly negated: boolean }
  | { readonly kind: "set"; readonly negated: boolean; readonly items: ReadonlyArray<ClassSet> }
  | { readonly kind: "both"; readonly operator: string; readonly left: ClassSet; readonly right: ClassSet }
export type Border =
  | "lineStart" | "lineEnd" | "textStart" | "textEnd" | "word" | "notWord" | "wordStart" | "wordEnd" | "halfStart" | "halfEnd"
export type Node =
  | { readonly kind: "literal"; readonly code: number; readonly fold: boolean }
  | { readonly kind: "class"; readonly set: ClassSet; readonly fold: boolean; readonly unicode: boolean }
  | { readonly kind: "border"; readonly border: Border; readonly unicode: boolean }
  | { readonly kind: "group"; readonly opening: string; readonly of: Node }
  | { readonly kind: "back"; readonly to: string }
  | { readonly kind: "repeat"; readonly of: Node; readonly times: string }
  | { readonly kind: "sequence"; readonly of: ReadonlyArray<Node> }
  | { readonly kind: "either"; readonly of: ReadonlyArray<Node> }

/** Not of this syntax. */
class Unreadable extends Error {}
const unreadable = (): never => {
  throw new Unreadable()
}

interface Flags {
  readonly fold: boolean
  readonly unicode: boolean
  readonly spaced: boolean
}

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, v: 11 }
const borders: Readonly<Record<string, Border>> = {
  b: "word", B: "notWord", A: "textStart", z: "textEnd", "<": "wordStart", ">": "wordEnd",
  "b{start}": "wordStart", "b{end}": "wordEnd", "b{start-half}": "halfStart", "b{end-half}": "halfEnd"
}
const posix = /^\[:(\^?)(alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/
const everything: ClassSet = { kind: "set", negated: true, items: [] }

class Reader {
  #at = 0
  constructor(readonly pattern: string) {}

  whole(fold: boolean): Node {
    const node = this.#alternatives({ fold, unicode: true, spaced: false })
    return this.#at < this.pattern.length ? unreadable() : node
  }

  /** What `regex` (anchored) finds here; it is gone past. */
  #take(regex: RegExp): RegExpExecArray | null {
    const found = regex.exec(this.pattern.slice(this.#at, this.#at + 200))
    if (found !== null) this.#at += found[0].length
    return found
  }
  #char(): string {
    const code = this.pattern.codePointAt(this.#at)
    if (code === undefined) return unreadable()
    const char = String.fromCodePoint(code)
    this.#at += char.length
    return char
  }
  #skipSpace(flags: Flags) {
    while (flags.spaced && this.#take(/^(?:\s|#[^\n]*)+/) !== null);
  }

  #alternatives(outer: Flags): Node {
    let flags = outer
    const branches: Array<Node> = []
    let sequence: Array<Node> = []
    for (;;) {
      this.#skipSpace(flags)
      const next = this.pattern[this.#at]
      if (next === undefined || next === ")" || next === "|") {
        branches.push({ kind: "sequence", of: sequence })
        sequence = []
        if (next !== "|") break
        this.#at += 1
        continue
      }
      const set = this.#take(/^\(\?([imsUuxR]*(?:-[imsUuxR]+)?)\)/)
      if (set !== null) flags = set[1] === "" ? unreadable() : changed(flags, set[1] ?? "")
      else sequence.push(this.#repeated(this.#atom(flags), flags))
    }
    return branches.length === 1 && branches[0] !== undefined ? branches[0] : { kind: "either", of: branches }
  }

  #repeated(atom: Node, flags: Flags): Node {
    let node = atom
    for (;;) {
      this.#skipSpace(flags)
      const found = this.#take(/^(?:[*+?]|\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\})\??/)
      if (found === null) return this.pattern[this.#at] === "{" ? unreadable() : node
      const [times, least, comma, most] = found
      if (most !== undefined && most !== "" && Number(most) < Number(least)) return unreadable()
      node = { kind: "repeat", of: node, times: least === undefined ? times : `{${least}${comma ?? ""}${most ?? ""}}` }
    }
  }

  #atom(flags: Flags): Node {
    const char = this.#char()
    switch (char) {
      case "(":
        return this.#group(flags)
      case "[":
        return { kind: "class", set: this.#set(flags), fold: flags.fold, unicode: flags.unicode }
      case ".":
        return { kind: "class", set: everything, fold: false, unicode: flags.unicode }
      case "^":
        return { kind: "border", border: "lineStart", unicode: flags.unicode }
      case "$":
        return { kind: "border", border: "lineEnd", unicode: flags.unicode }
      case "*":
      case "+":
      case "?":
      case "{":
      case "\n":
      case "\r":
        return unreadable()
      case "\\":
        return this.#escape(flags)
      default:
        return { kind: "literal", code: char.codePointAt(0) ?? 0, fold: flags.fold }
    }
  }

  #group(flags: Flags): Node {
    const look = this.#take(/^\?<?[=!]/)
    const name = look === null ? this.#take(/^\?P?<([A-Za-z_]\w*)>/) : null
    const set = look === null && name === null ? this.#take(/^\?([imsUuxR]*(?:-[imsUuxR]+)?):/) : null
    if (look === null && name === null && set === null && this.pattern[this.#at] === "?") return unreadable()
    const of = this.#alternatives(set === null ? flags : changed(flags, set[1] ?? ""))
    if (this.pattern[this.#at] !== ")") return unreadable()
    this.#at += 1
    const opening = look !== null ? `(${look[0]}` : name !== null ? `(?<${name[1] ?? ""}>` : set !== null ? "(?:" : "("
    return { kind: "group", opening, of }
  }

  /** The character that an escape stands for, or null where it stands for something else. */
  #escaped(): number | null {
    const hex = this.#take(/^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|[xuU]\{([\da-fA-F]{1,6})\})/)
    if (hex !== null) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? "", 16)
      return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code === 10 || code === 13 ? unreadable() : code
    }
    const control = this.#take(/^[aftv]/)
    if (control !== null) return controls[control[0]] ?? unreadable()
    return this.#take(/^[!-/:;=?@[-`{-~ ]/)?.[0].codePointAt(0) ?? null
  }
  #class(flags: Flags): ClassSet | null {
    const perl = this.#take(/^[dDsSwW]/)?.[0]
    if (perl !== undefined) {
      const letter = perl.toLowerCase()
      return { kind: "perl", letter: letter === "d" || letter === "s" ? letter : "w", negated: letter !== perl, unicode: flags.unicode }
    }
    const property = this.#take(/^([pP])(?:([A-Za-z])|\{([\w\s.:=-]+)\})/)
    return property === null ? null : { kind: "property", negated: property[1] === "P", name: property[2] ?? property[3] ?? "" }
  }
  #escape(flags: Flags): Node {
    const { fold, unicode } = flags
    const border = this.#take(/^(?:b\{(?:start|end)(?:-half)?\}|[bBAz<>])/)
    if (border !== null) return { kind: "border", border: borders[border[0]] ?? unreadable(), unicode }
    const back = this.#take(/^(?:([1-9]\d?)|k<([A-Za-z_]\w*)>)/)
    if (back !== null) return { kind: "back", to: `\\${back[0]}` }
    const set = this.#class(flags)
    if (set !== null) return { kind: "class", set, fold, unicode }
    const code = this.#escaped() ?? unreadable()
    // Without Unicode it is a byte; those that are no text are read as surrogates (`decodeForeign`).
    return { kind: "literal", code: !unicode && code >= 0x80 && code < 0x100 ? 0xdc00 + code : code, fold }
  }

  /** After `[`, up to and with its `]`. */
  #set(flags: Flags): ClassSet {
    const negated = this.#take(/^\^/) !== null
    let items: Array<ClassSet> = []
    let left: { readonly operator: string; readonly set: ClassSet } | null = null
    const soFar = (): ClassSet => {
      const right: ClassSet = { kind: "set", negated: false, items }
      return left === null ? right : { kind: "both", operator: left.operator, left: left.set, right }
    }
    const dashes = this.#take(/^-+(?!-*$)/)
    if (dashes !== null) items.push({ kind: "range", from: 45, to: 45 })
    if (dashes === null && this.#take(/^\]/) !== null) items.push({ kind: "range", from: 93, to: 93 })
    for (;;) {
      this.#skipSpace(flags)
      if (this.#take(/^\]/) !== null) break
      const operator = this.#take(/^(?:&&|--|~~)/)
      if (operator === null) items.push(this.#item(flags))
      else {
        left = { operator: operator[0], set: soFar() }
        items = []
      }
    }
    return { kind: "set", negated, items: [soFar()] }
  }
  #item(flags: Flags): ClassSet {
    const named = this.#take(posix)
    if (named !== null) return { kind: "posix", name: named[2] ?? "", negated: named[1] === "^" }
    if (this.#take(/^\[/) !== null) return this.#set(flags)
    const first = this.#member(flags)
    this.#skipSpace(flags)
    if (this.#take(/^-(?![-\]])/) === null) return typeof first === "number" ? { kind: "range", from: first, to: first } : first
    this.#skipSpace(flags)
    const last = this.#member(flags)
    if (typeof first !== "number" || typeof last !== "number" || first > last) return unreadable()
    return { kind: "range", from: first, to: last }
  }
  #member(flags: Flags): number | ClassSet {
    const char = this.#char()
    if (char === "\n" || char === "\r" || char === "[") return unreadable()
    if (char !== "\\") return char.codePointAt(0) ?? 0
    return this.#class(flags) ?? this.#escaped() ?? unreadable()
  }
}

const changed = (flags: Flags, text: string): Flags => {
  const [on = "", off = ""] = text.split("-")
  const flag = (letter: string, before: boolean) => on.includes(letter) || (before && !off.includes(letter))
  return { fold: flag("i", flags.fold), unicode: flag("u", flags.unicode), spaced: flag("x", flags.spaced) }
}

/** The pattern's structure; null where it is not of this syntax. */
export const readPattern = (pattern: string, ignoreCase: boolean): Node | null => {
  try {
    return new Reader(pattern).whole(ignoreCase)
  } catch (error) {
    // A pattern of thousands of nested groups is none that anybody means.
    if (error instanceof Unreadable || error instanceof RangeError) return null
    throw error
  }
}
