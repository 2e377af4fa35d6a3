import { type Assignment, type Node, type Redirect, type RedirectOperator, Unreadable, type Word } from "./ast.js"
import type { Cursor } from "./cursor.js"
import { elementBreak } from "./elements.js"
import { must, unexpected } from "./tokens.js"
import { arithmetic, readWord } from "./words.js"

const redirection = /(?:(\d+|\{[A-Za-z_]\w*\})(?!&>))?(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<(?!\()|>(?!\())/y
const assigned = /[A-Za-z_]\w*(?=\+?=|\[)/y
const functionName = /^[^\s'"\\$`=<>|&;()]+$/
export const parentheses = /[ \t]*\([ \t]*\)/y

const redirect = (c: Cursor): Redirect | null => {
  const found = c.match(redirection)
  if (found === null) return null
  const start = c.at
  c.at += found[0].length
  c.blanks()
  const descriptor = found[1] === undefined ? null : /^\d/.test(found[1]) ? Number(found[1]) : found[1].slice(1, -1)
  const target = must(c, readWord(c))
  const sign = found[2] ?? ""
  const operator: RedirectOperator = sign === "<<-" ? "<<" : operatorOf(sign)
  const result: Redirect = { operator, descriptor, target, start, end: c.at }
  if (operator === "<<") {
    const raw = c.text.slice(target.start, target.end)
    const delimiter = raw.replace(/\\\n/g, "").replace(/\$(?=['"])/g, "").replace(/'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g, (_, one, two, three) =>
      one ?? (typeof two === "string" ? two.replace(/\\(["\\$`])/g, "$1") : three))
    c.pending.push({ redirect: result, delimiter, strip: sign === "<<-", literal: /['"\\]/.test(raw) })
    result.target = { parts: [], start, end: c.at }
  }
  return result
}
const operatorOf = (sign: string): RedirectOperator => {
  for (const operator of ["<", ">", ">>", ">|", "<>", "<&", ">&", "&>", "&>>", "<<", "<<<"] as const) if (operator === sign) return operator
  throw new Unreadable(`${sign} is no redirection`)
}
/** The redirections that follow. */
export const redirects = (c: Cursor): ReadonlyArray<Redirect> => {
  const all: Array<Redirect> = []
  for (c.blanks(); ; c.blanks()) {
    const one = redirect(c)
    if (one === null) return all
    all.push(one)
  }
}

const assignment = (c: Cursor): Assignment | null => {
  const start = c.at
  const name = c.match(assigned)?.[0]
  if (name === undefined) return null
  c.at += name.length
  let index: Word | null = null
  if (c.now() === "[") {
    const from = ++c.at
    index = c.deeper(() => arithmetic(c, "]"))
    if (index === null || c.text.slice(from, c.at).includes("\n")) index = null
  }
  const append = c.now() === "+" && c.peek(1) === "="
  if (append) c.at++
  if (!c.take("=")) {
    if (/[\s|&;()<>]/.test(c.text.slice(start, c.at))) throw new Unreadable("a bracket after a name has blanks in it")
    c.at = start
    return null
  }
  const value = c.now() === "(" ? list(c) : readWord(c) ?? { parts: [], start: c.at, end: c.at }
  return { name, index, append, value, start, end: c.at }
}
const list = (c: Cursor): ReadonlyArray<Word> => {
  c.at++
  const words: Array<Word> = []
  for (c.lineEnds(); !c.take(")"); c.lineEnds()) words.push(must(c, readWord(c)))
  if (!c.done && !/[\s|&;()<>}`]/.test(c.now())) throw new Unreadable("a list is followed by text")
  return words
}

/** A simple command, or the definition of a function that begins like one. */
export const simple = (c: Cursor): Node => {
  const start = c.at
  const assignments: Array<Assignment> = []
  const words: Array<Word> = []
  const where: Array<Redirect> = []
  let end = start
  for (;;) {
    c.blanks()
    const one = redirect(c) 
    if (one !== null) where.push(one)
    else {
      const set = words.length === 0 ? assignment(c) : null
      if (set !== null) assignments.push(set)
      else {
        const next = declared(c, words) ?? readWord(c)
        if (next === null) break
        words.push(next)
        if (words.length === 1 && assignments.length === 0 && where.length === 0) {
          const name = c.text.slice(next.start, next.end)
          const found = c.match(parentheses)
          if (found !== null && functionName.test(name)) {
            c.at += found[0].length
            return defined(c, name, start)
          }
        }
      }
    }
    end = c.at
  }
  if (end === start) throw unexpected(c)
  return { is: "simple", source: c.text.slice(start, end), assignments, words, redirects: where, start, end }
}

const isKeyed = ({ parts: [first] }: Word) => first?.is === "text" && !first.quoted && first.text.startsWith("[")
/** `declare x=(…)`: an array as an argument of a declaration. The words of the array follow each other like arguments. */
const declared = (c: Cursor, words: ReadonlyArray<Word>): Word | null => {
  const [first] = words
  if (first === undefined) return null
  const name = c.text.slice(first.start, first.end)
  if (!/^(?:declare|typeset|local|export|readonly|builtin|command)$/.test(name)) return null
  const start = c.at
  const found = c.match(/[A-Za-z_]\w*\+?=\(/y)
  if (found === null) return null
  c.at += found[0].length - 1
  const parts = list(c).flatMap((each) => [{ is: "text", text: elementBreak, quoted: true } as const, ...isKeyed(each) ? each.parts.map((part) => part.is === "text" ? { ...part, quoted: true } : part) : each.parts])
  return { parts: [{ is: "text", text: found[0].slice(0, -1), quoted: true }, { is: "unknown", quoted: true }, ...parts], start, end: c.at }
}

/** A function after its name. */
export const defined = (c: Cursor, name: string, start: number): Node => {
  c.lineEnds()
  return { is: "function", name, body: must(c, c.grammar.compound(c)), start, end: c.at }
}
