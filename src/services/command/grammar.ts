import type { Node, Script } from "./ast.js"
import type { Cursor } from "./cursor.js"
import { compound } from "./compound.js"
import { defined, parentheses, simple } from "./simple.js"
import { branchEnd, closers, must, reservedWord, unexpected } from "./tokens.js"
import { readWord } from "./words.js"

const named = (c: Cursor, start: number): Node => {
  c.at += "function".length
  c.blanks()
  const name = must(c, readWord(c))
  const found = c.match(parentheses)
  if (found !== null) c.at += found[0].length
  return defined(c, c.text.slice(name.start, name.end), start)
}
const coprocess = (c: Cursor, start: number): Node => {
  c.at += "coproc".length
  c.blanks()
  const named = c.match(/([A-Za-z_]\w*)[ \t]+(?=[({]|\[\[|(?:if|while|until|for|case|select)[\s])/y)
  if (named !== null) c.at += named[0].length
  const body = command(c)
  return { is: "coproc", name: named?.[1] ?? "COPROC", body, start, end: c.at }
}

const command = (c: Cursor): Node => {
  c.blanks()
  const start = c.at
  const found = reservedWord(c)
  if (closers.has(found)) throw unexpected(c)
  if (found === "function") return named(c, start)
  if (found === "coproc") return coprocess(c, start)
  return compound(c) ?? simple(c)
}

const empty: Script = { items: [] }
const pipeline = (c: Cursor): Node => {
  const start = c.at
  let timed = false
  let marked = false
  for (let more = true; more;) {
    c.blanks()
    more = reservedWord(c) === "!" || reservedWord(c) === "time"
    if (reservedWord(c) === "!") c.at++
    else if (reservedWord(c) === "time") {
      c.at += 4
      timed = true
      const options = c.match(/(?:[ \t]+-p(?=\s))?(?:[ \t]+--(?=\s))?/y)
      c.at += options?.[0].length ?? 0
    }
    marked = marked || more
  }
  c.blanks()
  if (marked && (c.done || /[;&|\n)]/.test(c.now()))) return { is: "group", body: empty, subshell: false, start, end: c.at }
  const stages = [command(c)]
  for (c.blanks(); c.now() === "|" && c.peek(1) !== "|"; c.blanks()) {
    c.at += c.peek(1) === "&" ? 2 : 1
    c.lineEnds()
    // Here `time` is a program like any other.
    stages.push(reservedWord(c) === "!" ? pipeline(c) : command(c))
  }
  const [only] = stages
  return only !== undefined && stages.length === 1 && !timed ? only : { is: "pipeline", stages, timed, start, end: c.at }
}
const andOr = (c: Cursor): Node => {
  let left = pipeline(c)
  for (c.blanks(); c.sees("&&") || c.sees("||"); c.blanks()) {
    c.at += 2
    c.lineEnds()
    const right = pipeline(c)
    left = { is: "either", left, right, start: left.start, end: c.at }
  }
  return left
}

/** Whether nothing more of a list can stand here. */
const ends = (c: Cursor) => c.done || c.now() === ")" || branchEnd(c) !== "" || closers.has(reservedWord(c))

/** One command of a list with what separates it from the next. */
export const item = (c: Cursor): Script["items"][number] => {
  const node = andOr(c)
  c.blanks()
  const background = c.now() === "&"
  if (background || (c.now() === ";" && branchEnd(c) === "")) c.at++
  else if (!c.lineEnds() && !ends(c)) throw unexpected(c)
  return { node, background }
}

/** A list up to what closes it, which is not taken. */
export const commands = (c: Cursor): Script => {
  const items: Array<Script["items"][number]> = []
  for (c.lineEnds(); !ends(c); c.lineEnds()) items.push(item(c))
  return { items }
}
