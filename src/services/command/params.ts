import { hole } from "../Commands.js"
import { globCost, globOf } from "./globs.js"

const mostSteps = 1_000_000
const number = /^\s*-?\d+\s*$/

/** Cuts what fits the pattern off the front or the back. */
const cut = (text: string, pattern: string, atEnd: boolean, longest: boolean): string => {
  const { ends } = globOf(pattern)
  const characters = [...text]
  if (!atEnd) return characters.slice(ends(characters, 0).at(longest ? -1 : 0) ?? 0).join("")
  const places = Array.from({ length: characters.length + 1 }, (_, at) => longest ? at : characters.length - at)
  const from = places.find((place) => ends(characters, place).at(-1) === characters.length)
  return characters.slice(0, from).join("")
}

const replaced = (text: string, operator: string, pattern: string, by: string): string => {
  if (pattern === "") return operator === "/#" ? by + text : operator === "/%" ? text + by : text
  const { ends } = globOf(pattern)
  const characters = [...text]
  const made: Array<string> = []
  for (let at = 0; at < characters.length;) {
    const found = ends(characters, at)
    const end = operator === "/%" && found.at(-1) !== characters.length ? undefined : found.at(-1)
    // An empty match is none.
    if (end !== undefined && end > at) {
      made.push(by)
      at = end
      if (operator !== "//") return [...made, ...characters.slice(at)].join("")
      continue
    }
    if (operator === "/#") return text
    made.push(characters[at] ?? "")
    at++
  }
  return made.join("")
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
  // It is tried at every place. Of `[!]…]` bash takes the length for another.
  if (/^[#%/]/.test(operator) && (/\[[!^]\]/.test(pattern) || globCost(pattern, text) * (text.length + 1) > mostSteps)) return hole
  if (/^[#%]/.test(operator)) return cut(text, pattern, operator.startsWith("%"), operator.length === 2)
  if (operator.startsWith("/")) {
    const bar = /^(?:\\[^]|[^/\\])*/.exec(pattern)?.[0].length ?? 0
    const by = pattern.slice(bar + 1).replace(/\\([^])/g, "$1")
    return by.includes("&") ? hole : replaced(text, operator, pattern.slice(0, bar), by)
  }
  if (/^[\^,]/.test(operator)) return operand === "" ? cased(text, operator) : hole
  if (operator.startsWith("@")) return transformed(text, operator)
  if (operator === ":") return part(text, operand)
  return operator === "" ? text : hole
}
