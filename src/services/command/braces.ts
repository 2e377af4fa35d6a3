import type { Word, WordPart } from "./ast.js"

/** A character that can mean something to brace expansion, or a part that cannot. */
type Atom = string | WordPart

const atomsOf = (parts: ReadonlyArray<WordPart>): ReadonlyArray<Atom> =>
  parts.flatMap((part): ReadonlyArray<Atom> => part.is === "text" && !part.quoted ? part.text.split("") : [part])

const partsOf = (atoms: ReadonlyArray<Atom>): ReadonlyArray<WordPart> => {
  const parts: Array<WordPart> = []
  for (const atom of atoms) {
    const last = parts.at(-1)
    if (typeof atom !== "string") parts.push(atom)
    else if (last?.is === "text" && !last.quoted) parts[parts.length - 1] = { ...last, text: last.text + atom }
    else parts.push({ is: "text", text: atom, quoted: false })
  }
  return parts
}

const mostWords = 1_024
class TooMany extends Error {}

const pad = (value: number, width: number) => {
  const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0")
  return value < 0 ? `-${digits}` : digits
}

/** `1..5`, `a..e`, with a step; null where it is none. */
const sequence = (text: string): ReadonlyArray<string> | null => {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(text)
  const letters = /^([a-z])\.\.([a-z])(?:\.\.(-?\d+))?$/.exec(text) ?? /^([A-Z])\.\.([A-Z])(?:\.\.(-?\d+))?$/.exec(text)
  if (numbers === null && letters === null) {
    if (/^[A-Za-z]\.\.[A-Za-z](?:\.\.(-?\d+))?$/.test(text)) throw new TooMany()
    return null
  }
  const [, first = "", last = "", by] = numbers ?? letters ?? []
  const from = numbers === null ? first.charCodeAt(0) : Number(first)
  const to = numbers === null ? last.charCodeAt(0) : Number(last)
  const step = Math.max(1, Math.abs(by === undefined ? 1 : Number(by)))
  if (Math.abs(to - from) / step > mostWords) throw new TooMany()
  const padded = numbers !== null && (/^-?0\d/.test(first) || /^-?0\d/.test(last))
  const width = padded ? Math.max(first.length, last.length) : 0
  const values: Array<string> = []
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    values.push(numbers === null ? String.fromCharCode(value) : pad(value, width))
  }
  return values
}

/** The alternatives of the brace that opens at `open`, and where it closes; null where nothing is to be expanded. */
const braceAt = (atoms: ReadonlyArray<Atom>, open: number) => {
  const commas: Array<number> = []
  let depth = 0
  for (let at = open; at < atoms.length; at++) {
    const atom = atoms[at]
    if (atom === "{") depth++
    else if (atom === "," && depth === 1) commas.push(at)
    else if (atom === "}" && --depth === 0) {
      const cuts = [open, ...commas, at]
      if (commas.length > 0) return { close: at, choices: cuts.slice(1).map((cut, index) => atoms.slice((cuts[index] ?? 0) + 1, cut)) }
      const inside = atoms.slice(open + 1, at)
      const range = inside.every((each) => typeof each === "string") ? sequence(inside.join("")) : null
      return range === null ? null : { close: at, choices: range.map((text) => text.split("")) }
    }
  }
  return null
}

interface Budget {
  /** words */
  left: number
  /** characters looked at */
  work: number
}
const expand = (atoms: ReadonlyArray<Atom>, budget: Budget): ReadonlyArray<ReadonlyArray<Atom>> => {
  for (let open = atoms.indexOf("{"); open >= 0; open = atoms.indexOf("{", open + 1)) {
    budget.work -= atoms.length - open
    if (budget.work < 0) throw new TooMany()
    const brace = braceAt(atoms, open)
    if (brace === null) continue
    const before = atoms.slice(0, open)
    const rest = expand(atoms.slice(brace.close + 1), budget)
    const middles = brace.choices.flatMap((choice) => expand(choice, budget))
    budget.left -= middles.length * rest.length
    if (budget.left < 0) throw new TooMany()
    return middles.flatMap((middle) => rest.map((after) => [...before, ...middle, ...after]))
  }
  return [atoms]
}

const started = /\$(?:([A-Za-z_]\w*)|([@*#?$!\-0-9])|([{[]|$))/
const tilde = /^~([A-Za-z_][\w-]*|[+-]?[0-9]*)(?=\/|$)/

/**
 * Braces come before all other expansions, so that what stands in them may be the start, or the rest, of one: `$x{a,b}` is
 * `$xa $xb`. Null where that cannot be told of a word.
 */
const reread = ([part, ...rest]: ReadonlyArray<WordPart>, first: boolean): ReadonlyArray<WordPart> | null => {
  if (part === undefined) return []
  const [next, ...others] = rest
  const text = next?.is === "text" && !next.quoted ? next.text : ""
  if (part.is === "parameter" && part.bare === true && !part.quoted && /^\w/.test(text)) {
    const more = /^\w+/.exec(text)?.[0] ?? ""
    return then({ ...part, name: part.name + more }, reread([{ is: "text", text: text.slice(more.length), quoted: false }, ...others], false))
  }
  if (part.is !== "text" || part.quoted) return then(part, reread(rest, false))
  const home = first ? tilde.exec(part.text) : null
  if (home !== null && (home[0].length < part.text.length || next === undefined)) {
    return then({ is: "tilde", user: home[1] ?? "" }, reread([{ ...part, text: part.text.slice(home[0].length) }, ...rest], false))
  }
  const found = started.exec(part.text)
  if (found === null || (found[0] === "$" && next === undefined)) return part.text === "" ? reread(rest, false) : then(part, reread(rest, false))
  const [all, name, sign] = found
  const parameter = name ?? sign
  if (parameter === undefined) return null
  const after = { ...part, text: part.text.slice(found.index + all.length) }
  const expanded: WordPart = { is: "parameter", name: parameter, index: null, operator: "", operand: null, quoted: false, bare: name !== undefined }
  return then({ ...part, text: part.text.slice(0, found.index) }, then(expanded, reread([after, ...rest], false)))
}
const then = (part: WordPart, rest: ReadonlyArray<WordPart> | null) => rest === null ? null : [part, ...rest]

/** The words that brace expansion makes of one; null where they are too many, or what they make cannot be told. */
export const braces = (word: Word): ReadonlyArray<Word> | null => {
  if (!word.parts.some((part) => part.is === "text" && !part.quoted && part.text.includes("{"))) return [word]
  try {
    const written = atomsOf(word.parts)
    const expanded = expand(written, { left: mostWords, work: 1_000_000 })
    if (expanded[0] === written) return [{ ...word, parts: partsOf(written) }]
    const words = expanded.flatMap((atoms) => {
      const parts = reread(partsOf(atoms), true)
      return parts === null ? [] : [{ ...word, parts }]
    })
    return words.length < expanded.length ? null : words
  } catch (error) {
    if (error instanceof TooMany || error instanceof RangeError) return null
    throw error
  }
}
