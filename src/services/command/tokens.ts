import { Unreadable } from "./ast.js"
import type { Cursor } from "./cursor.js"

const reserved = /(?:[!{}]|\[\[|if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in)(?=[\s;&|<>()]|$)/y
const terminators = /;;&|;;|;&/y

/** Words that close what others began. */
export const closers: ReadonlySet<string> = new Set(["}", "then", "elif", "else", "fi", "do", "done", "esac"])

/** The reserved word that stands here, else nothing. */
export const reservedWord = (c: Cursor) => c.match(reserved)?.[0] ?? ""
/** The end of a case's branch that stands here, else nothing. */
export const branchEnd = (c: Cursor) => c.match(terminators)?.[0] ?? ""

export const unexpected = (c: Cursor) =>
  new Unreadable(c.done ? "it ends too early" : c.now() === "\n" ? "a line ends too early" : `${JSON.stringify(c.text.slice(c.at, c.at + 12))} is out of place`)

/** Takes a reserved word, on this line or a later one. */
export const need = (c: Cursor, text: string) => {
  c.lineEnds()
  if (reservedWord(c) !== text) throw unexpected(c)
  c.at += text.length
}
export const must = <A>(c: Cursor, value: A | null): A => {
  if (value === null) throw unexpected(c)
  return value
}
