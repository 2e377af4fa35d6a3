import { type Node, type Script, type Word } from "./ast.js"
import type { Cursor } from "./cursor.js"
import { redirects } from "./simple.js"
import { branchEnd, must, need, reservedWord, unexpected } from "./tokens.js"
import { arithmetic, readWord } from "./words.js"

const identifier = /[A-Za-z_]\w*(?=[\s;&|<>()]|$)/y

const group = (c: Cursor, subshell: boolean): Node => {
  const start = c.at++
  const body = c.grammar.commands(c)
  c.lineEnds()
  if (body.items.length === 0) throw unexpected(c)
  if (subshell ? !c.take(")") : reservedWord(c) !== "}") throw unexpected(c)
  if (!subshell) c.at++
  return { is: "group", body, subshell, start, end: c.at }
}
const filled = (c: Cursor): Script => {
  const script = c.grammar.commands(c)
  if (script.items.length === 0) throw unexpected(c)
  return script
}
const branching = (c: Cursor): Node => {
  const start = c.at
  const branches: Array<{ readonly test: Script; readonly body: Script }> = []
  let otherwise: Script | null = null
  need(c, "if")
  for (let more = true; more;) {
    const test = filled(c)
    need(c, "then")
    branches.push({ test, body: filled(c) })
    c.lineEnds()
    more = reservedWord(c) === "elif"
    if (more) c.at += 4
  }
  if (reservedWord(c) === "else") {
    c.at += 4
    otherwise = filled(c)
  }
  need(c, "fi")
  return { is: "if", branches, otherwise, start, end: c.at }
}
const body = (c: Cursor): Script => {
  c.lineEnds()
  if (reservedWord(c) === "{") {
    const braces = group(c, false)
    return { items: [{ node: braces, background: false }] }
  }
  need(c, "do")
  const script = filled(c)
  need(c, "done")
  return script
}
const loop = (c: Cursor, start: number, select: boolean): Node => {
  c.blanks()
  if (!select && c.take("((")) {
    const parts = [...must(c, arithmetic(c, ";")).parts, ...must(c, arithmetic(c, ";")).parts, ...must(c, arithmetic(c, "))")).parts]
    c.blanks()
    c.take(";")
    return { is: "count", expression: { parts, start, end: c.at }, body: body(c), start, end: c.at }
  }
  const name = must(c, c.match(identifier))[0]
  c.at += name.length
  c.lineEnds()
  let words: Array<Word> | null = null
  if (reservedWord(c) === "in") {
    c.at += 2
    words = []
    for (c.blanks(); c.now() !== ";" && c.now() !== "\n"; c.blanks()) words.push(must(c, readWord(c)))
  }
  c.blanks()
  c.take(";")
  return { is: "for", name, words, body: body(c), select, start, end: c.at }
}
const choice = (c: Cursor, start: number): Node => {
  c.blanks()
  const subject = must(c, readWord(c))
  need(c, "in")
  const items: Array<{ readonly patterns: ReadonlyArray<Word>; readonly body: Script }> = []
  for (c.lineEnds(); reservedWord(c) !== "esac"; c.lineEnds()) {
    if (c.take("(")) c.blanks()
    const patterns = [must(c, readWord(c))]
    for (c.blanks(); c.take("|"); c.blanks()) {
      c.blanks()
      patterns.push(must(c, readWord(c)))
    }
    if (!c.take(")")) throw unexpected(c)
    items.push({ patterns, body: c.grammar.commands(c) })
    c.lineEnds()
    const end = branchEnd(c)
    if (end === "") break
    c.at += end.length
  }
  need(c, "esac")
  return { is: "case", subject, items, start, end: c.at }
}
const test = (c: Cursor, start: number): Node => {
  const words: Array<Word> = []
  let numeric = false
  for (c.lineEnds(); ; c.lineEnds()) {
    if (c.done) throw unexpected(c)
    const operator = c.match(/\(|\)|&&|\|\||[<>](?!\()/y)?.[0]
    if (operator !== undefined) {
      c.at += operator.length
      continue
    }
    const one = must(c, readWord(c, "pattern"))
    const text = c.text.slice(one.start, one.end)
    if (text === "]]") return { is: "test", words, numeric, start, end: c.at }
    if (/^-(?:eq|ne|lt|le|gt|ge|v|R)$/.test(text)) numeric = true
    words.push(one)
    if (text === "=~") {
      c.blanks()
      words.push(must(c, readWord(c, "regex")))
    }
  }
}

const bare = (c: Cursor): Node | null => {
  const start = c.at
  if (c.sees("((")) {
    c.at += 2
    const expression = c.deeper(() => arithmetic(c, "))"))
    if (expression !== null) return { is: "arithmetic", expression, start, end: c.at }
    c.at = start
    c.doubts.add("two parentheses are no arithmetic")
  }
  if (c.now() === "(") return c.deeper(() => group(c, true))
  const found = reservedWord(c)
  return c.deeper(() => {
    switch (found) {
      case "{":
        return group(c, false)
      case "if":
        return branching(c)
      case "while":
      case "until": {
        c.at += 5
        return { is: "while", test: filled(c), body: body(c), start, end: c.at }
      }
      case "for":
      case "select":
        c.at += found.length
        return loop(c, start, found === "select")
      case "case":
        c.at += 4
        return choice(c, start)
      case "[[":
        c.at += 2
        return test(c, start)
      default:
        return null
    }
  })
}

/** A compound command with its redirections, or null where none begins. */
export const compound = (c: Cursor): Node | null => {
  const body = bare(c)
  if (body === null) return null
  const where = redirects(c)
  return where.length === 0 ? body : { is: "redirected", body, redirects: where, start: body.start, end: c.at }
}
