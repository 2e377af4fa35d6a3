import { hole } from "../Commands.js"
import { globSource } from "./globs.js"

/** tenfold steps */
const mostTried = 8
const number = /^\s*-?\d+\s*$/

/** Cuts what fits the pattern off the front or the back. */
const cut = (text: string, pattern: string, atEnd: boolean, longest: boolean): string => {
  const source = globSource(pattern, longest ? "[^]*" : "[^]*?")
  if (!atEnd) return text.replace(new RegExp(`^(?:${source})`, "u"), "")
  for (let at = longest ? 0 : text.length; longest ? at <= text.length : at >= 0; at += longest ? 1 : -1) {
    if (new RegExp(`^(?:${source})$`, "u").test(text.slice(at))) return text.slice(0, at)
  }
  return text
}

const replaced = (text: string, operator: string, pattern: string, by: string): string => {
  if (pattern === "") return text
  const source = `(?:${globSource(pattern)})`
  const anchored = operator === "/#" ? `^${source}` : operator === "/%" ? `${source}$` : source
  return text.replace(new RegExp(anchored, operator === "//" ? "gu" : "u"), () => by)
}

const part = (text: string, operand: string): string => {
  const [offset = "", length] = operand.split(":")
  if (!number.test(offset) || (length !== undefined && !number.test(length))) return hole
  const from = Number(offset) < 0 ? text.length + Number(offset) : Number(offset)
  if (from < 0) return ""
  if (length === undefined) return text.slice(from)
  return Number(length) < 0 ? text.slice(from, text.length + Number(length)) : text.slice(from, from + Number(length))
}

const cased = (text: string, operator: string): string => {
  const change = (some: string) => operator.startsWith("^") ? some.toUpperCase() : some.toLowerCase()
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1)
}

const transformed = (text: string, operator: string): string =>
  operator === "@U" ? text.toUpperCase()
    : operator === "@L" ? text.toLowerCase()
    : operator === "@u" ? text.slice(0, 1).toUpperCase() + text.slice(1)
    : hole

/** What an operator of `${x…}` makes of a text; `operand` has been expanded, `pattern` is it as a pattern. A hole where it can't be said. */
export const operate = (text: string, operator: string, operand: string, pattern: string): string => {
  if (operator === "length") return text.includes(hole) ? hole : String([...text].length)
  if (text.includes(hole) || operand.includes(hole) || !/^[\x20-\x7e\n\t]*$/.test(text)) return hole
  // Every star may try every place.
  if (/^[#%/]/.test(operator) && (pattern.split("*").length + 1) * Math.log10(text.length + 1) > mostTried) return hole
  try {
    if (/^[#%]/.test(operator)) return cut(text, pattern, operator.startsWith("%"), operator.length === 2)
    if (operator.startsWith("/")) {
      const bar = /^(?:\\[^]|[^/\\])*/.exec(pattern)?.[0].length ?? 0
      const by = pattern.slice(bar + 1).replace(/\\([^])/g, "$1")
      return by.includes("&") ? hole : replaced(text, operator, pattern.slice(0, bar), by)
    }
    if (/^[\^,]/.test(operator)) return operand === "" ? cased(text, operator) : hole
    if (operator.startsWith("@")) return transformed(text, operator)
    if (operator === ":") return part(text, operand)
  } catch {
    return hole
  }
  return operator === "" ? text : hole
}
