import { type Field, hole } from "../Commands.js"

const escapes: Readonly<Record<string, string>> = { f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\"": "\"", "#": "#", $: "$", "'": "'", "\\": "\\" }
const blank = /[ \t\n\v\f\r]/

/**
 * The words that `env -S` makes of one, by the rules of GNU env: quotes, escapes, `${NAME}`, comments, and nothing else of a
 * shell. Null where env itself would refuse the text.
 */
export const splitString = (whole: Field): ReadonlyArray<Field> | null => {
  const { text } = whole
  const found: Array<string> = []
  let word: string | null = null
  let quote = ""
  const end = () => {
    if (word !== null) found.push(word)
    word = null
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ""
    const next = text[at + 1] ?? ""
    if (quote === "" && blank.test(letter)) end()
    else if (quote === "" && word === null && letter === "#") break
    else if ((letter === "'" && quote !== "\"") || (letter === "\"" && quote !== "'")) {
      quote = quote === "" ? letter : ""
      word ??= ""
    } else if (letter === "\\" && (quote !== "'" || next === "\\" || next === "'")) {
      at++
      if (next === "c" && quote === "") break
      if (next === "_" && quote === "") end()
      else if (next === "_") word = `${word ?? ""} `
      else if (escapes[next] === undefined) return null
      else word = `${word ?? ""}${escapes[next]}`
    } else if (letter === "$" && quote !== "'") {
      const name = /^\{[A-Za-z_]\w*\}/.exec(text.slice(at + 1))?.[0]
      if (name === undefined) return null
      at += name.length
      word = `${word ?? ""}${hole}`
    } else word = `${word ?? ""}${letter}`
  }
  if (quote !== "") return null
  end()
  // What is not known may hold blanks.
  return found.map((each) => ({ ...whole, text: each, many: each.includes(hole) }))
}
