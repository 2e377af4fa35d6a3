import { hole, Unreadable, type Word, type WordPart } from "./ast.js"
import type { Cursor } from "./cursor.js"
import { ansi } from "./ansi.js"

/** Runs of characters that mean nothing, outside and inside of double quotes. */
const plainRun = /[\w./:,=%^{}[\]-]+/y
const doubleRun = /[^"\\$`\0]+/y
const documentRun = /[^\\$`\0]+/y
const run = (c: Cursor, pattern: RegExp): string => {
  const found = c.match(pattern)?.[0] ?? c.now()
  c.at += found.length
  return found
}

const special = /[@*#?$!\-0-9]/
const name = /[A-Za-z_]\w*/y

/** Collects parts, joining neighbouring texts. */
export class Parts {
  readonly list: Array<WordPart> = []
  text(text: string, quoted: boolean) {
    const last = this.list.at(-1)
    if (last?.is === "text" && last.quoted === quoted) this.list[this.list.length - 1] = { ...last, text: last.text + text }
    else this.list.push({ is: "text", text, quoted })
  }
}

const single = (c: Cursor, parts: Parts) => {
  const end = c.text.indexOf("'", c.at + 1)
  if (end < 0) throw new Unreadable("a single quote is not closed")
  const text = c.text.slice(c.at + 1, end)
  c.at = end + 1
  for (const [index, piece] of text.split(hole).entries()) {
    if (index > 0) parts.list.push({ is: "unknown", quoted: true })
    parts.text(piece, true)
  }
}

const ansiQuoted = (c: Cursor, parts: Parts) => {
  let end = c.at
  while (end < c.text.length && c.text[end] !== "'") end += c.text[end] === "\\" ? 2 : 1
  if (end >= c.text.length) throw new Unreadable("a single quote is not closed")
  const text = ansi(c.text.slice(c.at, end))
  c.at = end + 1
  if (text === null || text.includes(hole)) parts.list.push({ is: "unknown", quoted: true })
  else parts.text(text, true)
}

const closing = (c: Cursor, end: string, what: string) => {
  c.blanks()
  if (!c.take(end)) throw new Unreadable(c.done ? `${what} is not closed` : `${JSON.stringify(c.now())} is out of place in ${what}`)
}

const substitution = (c: Cursor) =>
  c.enclosed(() => {
    const script = c.grammar.commands(c)
    closing(c, ")", "a substitution")
    return script
  })

/** What lies between backquotes is unescaped, then read as a text of its own. */
const backquoted = (c: Cursor, quoted: boolean): WordPart => {
  let end = ++c.at
  while (end < c.text.length && c.text[end] !== "`") end += c.text[end] === "\\" ? 2 : 1
  if (end >= c.text.length) throw new Unreadable("a backquote is not closed")
  const text = c.text.slice(c.at, end).replace(quoted ? /\\([$`\\"\n])/g : /\\([$`\\\n])/g, (_, letter: string) => letter.trim())
  c.at = end + 1
  const inner = c.inner(text)
  const items = inner.grammar.commands(inner)
  if (!inner.done) c.doubts.add("what stands between backquotes cannot be read")
  return { is: "command", script: items, quoted, apart: true, broken: !inner.done }
}

/** What bash expands between `((` and `))`, or null where this is no arithmetic but two parentheses. */
export const arithmetic = (c: Cursor, end: "))" | "]" | ";" | ")"): Word | null => {
  const start = c.at
  const parts = new Parts()
  for (let depth = 0; ;) {
    if (c.done) return null
    if (depth === 0 && c.sees(end)) break
    if (end === ";" && depth === 0 && c.now() === ")") return null
    if (c.now() === "(" || (end === "]" && c.now() === "[")) depth++
    else if (c.now() === ")" || (end === "]" && c.now() === "]")) {
      if (depth === 0) return null
      depth--
    }
    if (c.now() === "'") c.doubts.add("arithmetic has a quote in it")
    if (c.now() === "\"") c.at++
    else if (!expansion(c, parts, true)) parts.text(character(c), true)
  }
  const word = { parts: parts.list, start, end: c.at }
  c.at += end.length
  return word
}

const character = (c: Cursor): string => {
  if (c.now() === "\\" && c.at + 1 < c.text.length) {
    c.at += 2
    return c.text[c.at - 1] ?? ""
  }
  return c.text[c.at++] ?? ""
}

const parenthesis = (c: Cursor, quoted: boolean): WordPart => {
  c.at++
  if (c.now() === "(") {
    const back = c.at
    c.at++
    const parts = c.deeper(() => arithmetic(c, "))"))
    if (parts !== null) return { is: "arithmetic", parts, quoted }
    c.at = back
    c.doubts.add("two parentheses are no arithmetic")
  }
  return { is: "command", script: substitution(c), quoted }
}

/** At `$` or a backquote: reads the expansion. False where it is no expansion, and nothing was read. */
export const expansion = (c: Cursor, parts: Parts, quoted: boolean): boolean => {
  if (c.now() === hole) {
    c.at++
    parts.list.push({ is: "unknown", quoted })
    return true
  }
  if (c.now() === "`") {
    parts.list.push(c.deeper(() => backquoted(c, quoted)))
    return true
  }
  if (c.now() !== "$") return false
  const begun = c.at++
  while (c.take("\\\n"));
  if (c.now() === "(") parts.list.push(parenthesis(c, quoted))
  else if (c.now() === "{") parts.list.push(c.deeper(() => braced(c, quoted)))
  else if (c.now() === "[") {
    c.at++
    const inner = c.deeper(() => arithmetic(c, "]"))
    if (inner === null) throw new Unreadable("arithmetic is not closed")
    parts.list.push({ is: "arithmetic", parts: inner, quoted })
  } else if (c.now() === "'" && !quoted) {
    c.at++
    ansiQuoted(c, parts)
  } else if (c.now() === "\"" && !quoted) {
    double(c, parts)
  } else {
    const found = c.match(name)?.[0] ?? (special.test(c.now()) ? c.now() : "")
    if (found === "") {
      c.at = begun
      return false
    }
    c.at += found.length
    parts.list.push({ is: "parameter", name: found, index: null, operator: "", operand: null, quoted, bare: /^[A-Za-z_]/.test(found) })
  }
  return true
}

const double = (c: Cursor, parts: Parts) => {
  c.at++
  // What is in the quotes makes it a word. "$@" may be none.
  if (c.now() === "\"") parts.text("", true)
  while (!c.take("\"")) {
    if (c.done) throw new Unreadable("a double quote is not closed")
    if (c.now() === "\\") {
      const after = c.peek(1)
      c.at += 2
      if (after === "\n") continue
      parts.text("$`\"\\".includes(after) && after !== "" ? after : `\\${after}`, true)
    } else if (!expansion(c, parts, true)) parts.text(run(c, doubleRun), true)
  }
}

const operators = /:[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|@[A-Za-z]|:/y
const parameterName = /[A-Za-z_]\w*|[0-9]+|[@*#?$!-]/y
const length = /#(?=(?:[A-Za-z_]\w*(?:\[[^\]]*\])?|[0-9]+|[@*#?$!-])\})/y

/** `${…}`, at the brace. */
const braced = (c: Cursor, quoted: boolean): WordPart => {
  c.at++
  if (/[\s|]/.test(c.now())) {
    c.doubts.add("${ begins no name")
    c.at++
    const script = c.enclosed(() => c.grammar.commands(c))
    c.lineEnds()
    if (!c.take("}")) throw new Unreadable("a brace is not closed")
    return { is: "command", script, quoted }
  }
  let operator = ""
  if (c.match(length) !== null) operator = "length"
  else if (c.now() === "!" && /[\w@*#?$!-]/.test(c.peek(1)) && c.peek(1) !== "}") operator = "indirect"
  if (operator !== "") c.at++
  const found = c.match(parameterName)?.[0] ?? ""
  c.at += found.length
  let index: Word | null = null
  if (found !== "" && c.take("[")) {
    index = until(c, "]", false, true)
    c.at++
  }
  const after = c.match(operators)?.[0] ?? ""
  c.at += after.length
  const pattern = /^[#%/^,]/.test(after)
  const operand = c.now() === "}" ? null : until(c, "}", quoted, pattern)
  c.at++
  if (found === "" || (after === "" && operand !== null)) {
    c.doubts.add("${…} holds no parameter")
    return { is: "unknown", quoted: false, broken: true }
  }
  if (operator !== "" && after !== "") c.doubts.add("${…} has two operators")
  if (operator === "length" && after !== "") return { is: "unknown", quoted: false, broken: true }
  return { is: "parameter", name: found, index, operator: operator === "" ? after : operator, operand, quoted }
}

/** The word up to `end`, which is not taken. In double quotes all of it is quoted, and single quotes are plain but in patterns. */
const until = (c: Cursor, end: string, quoted: boolean, pattern: boolean): Word => {
  const start = c.at
  const parts = new Parts()
  for (let depth = 0; depth > 0 || c.now() !== end;) {
    if (c.done) throw new Unreadable(end === "}" ? "a brace is not closed" : "a bracket is not closed")
    if (end === "]" && c.now() === "[") depth++
    if (end === "]" && c.now() === "]") depth--
    if (c.now() === "\\") {
      const after = c.peek(1)
      c.at += 2
      if (after === "\n") continue
      const kept = quoted && !pattern && after !== end && !"$`\"\\".includes(after)
      parts.text(kept ? `\\${after}` : after, true)
    } else if (c.now() === "'" && (!quoted || pattern)) single(c, parts)
    else if (c.now() === "\"") double(c, parts)
    else if (!expansion(c, parts, quoted && !pattern)) {
      // Quotes around the whole leave a pattern one.
      parts.text(c.now(), quoted && !pattern)
      c.at++
    }
  }
  return { parts: parts.list, start, end: c.at }
}

/** What a word ends at. */
const meta = /[\s|&;()<>]/
const tilde = /~([A-Za-z_][\w-]*|[+-]?[0-9]*)(?=[/:\s|&;()<>]|$)/y

/** `?(…)`, `!(…)` and the like: matches anything here, but what stands in it is expanded. */
const extended = (c: Cursor, parts: Parts) => {
  const inner = new Parts()
  let depth = 0
  c.at++
  do {
    if (c.done) throw new Unreadable("a pattern is not closed")
    if (c.now() === "(") depth++
    if (c.now() === ")") depth--
    if (c.now() === "'") single(c, inner)
    else if (c.now() === "\"") double(c, inner)
    else if (!expansion(c, inner, false)) c.at++
  } while (depth > 0)
  parts.text("*", false)
  parts.list.push(...inner.list.filter((part) => part.is !== "text"))
}

/** A word where a word can begin; null where none does. In a `regex` parentheses and bars are text, in a `pattern` extended ones are usual. */
export const readWord = (c: Cursor, kind: "word" | "pattern" | "regex" = "word"): Word | null => {
  const start = c.at
  const parts = new Parts()
  let parens = 0
  while (!c.done) {
    const next = c.now()
    if (next === "\\") {
      const after = c.peek(1)
      c.at += 2
      if (after !== "\n") parts.text(after === "" ? "\\" : after, true)
    } else if (next === "'") single(c, parts)
    else if (next === "\"") double(c, parts)
    else if ((next === "<" || next === ">") && c.peek(1) === "(") {
      c.at += 2
      parts.list.push({ is: "process", script: substitution(c), writes: next === ">" })
    } else if ("?*+@!".includes(next) && c.peek(1) === "(" && kind !== "regex") {
      if (kind === "word") c.doubts.add("it has an extended pattern")
      extended(c, parts)
    } else if (meta.test(next)) {
      if (kind !== "regex" || !/[()|]/.test(next) || (next === ")" && parens === 0)) break
      parens += next === "(" ? 1 : next === ")" ? -1 : 0
      parts.text(next, true)
      c.at++
    } else if (next === "~" && (c.at === start || "=:".includes(c.text[c.at - 1] ?? ""))) {
      const found = c.match(tilde)
      if (found === null) parts.text(c.text[c.at++] ?? "", false)
      else {
        c.at += found[0].length
        parts.list.push({ is: "tilde", user: found[1] ?? "" })
      }
    } else if (!expansion(c, parts, false)) parts.text(run(c, plainRun), false)
  }
  return c.at === start ? null : { parts: parts.list, start, end: c.at }
}

/** A here-document's text: expanded like double quotes, in which `"` is plain. */
export const readDocument = (c: Cursor): Word => {
  const parts = new Parts()
  while (!c.done) {
    if (c.now() === "\\" && "$`\\".includes(c.peek(1)) && c.peek(1) !== "") {
      parts.text(c.peek(1), true)
      c.at += 2
    } else if (!expansion(c, parts, true)) parts.text(run(c, documentRun), true)
  }
  return { parts: parts.list, start: 0, end: c.text.length }
}
