import { type Field, hole } from "../Commands.js"
import type { Word } from "./ast.js"
import { calculate } from "./calculation.js"
import { listed, type State, type Value } from "./state.js"

const most = 8
/** One of these, or something else. */
export const oneOf = (texts: ReadonlyArray<string>, fetched: boolean): Value => {
  const all = [...new Set(texts)].filter((text) => text !== hole)
  return { texts: all.length > most ? [hole] : [...all, hole], items: null, mayList: true, fetched }
}

/** The elements of a list, or of what would be one by its only text; null where they are not known. */
export const elementsOf = ({ items, texts }: Value): ReadonlyArray<string> | null => {
  const [only = hole, ...others] = texts
  return items ?? (others.length > 0 || only.includes(hole) ? null : texts)
}

const keyed = /^\[([^\]]*)\]\+?=([^]*)$/
const isIndex = (text: string) => /^\d{1,4}$/.test(text)

/** Whether a word between the parentheses of `x=(…)` may look like an element with its key only once it is expanded. */
export const looksKeyed = ({ parts: [first, ...others] }: Word): boolean =>
  first !== undefined && !(first.is === "text" && (others.length === 0 || (!first.quoted && first.text.startsWith("["))))

/** Whether a word between the parentheses of `x=(…)` has a key that has to be worked out, which may fail. */
export const hasKey = ({ parts: [first] }: Word): boolean =>
  first?.is === "text" && !first.quoted && first.text.startsWith("[") && !/^\[\d{1,4}\]/.test(first.text)
export const keyOf = ({ text }: Field): ReadonlyArray<string> => /^\[([^\]]*)\]/.exec(text)?.slice(1) ?? []

/** What `x=(…)` makes of the words between the parentheses; `keys`: what looks like one with a key is one. */
export const arrayOf = (fields: ReadonlyArray<Field>, before: ReadonlyArray<string>, keys: boolean): Value => {
  const fetched = fields.some((field) => field.fetched)
  const items: Array<string | undefined> = [...before]
  let sure = true
  for (const { glob, many, text } of fields) {
    // What is quoted is no key, nor is what an expansion gives.
    const [, key, escaped] = keyed.exec(glob ?? "") ?? []
    const value = escaped?.replace(/\\([^])/g, "$1")
    if (key !== undefined && value !== undefined && keys && isIndex(key) && !value.includes(hole)) items[Number(key)] = value
    else {
      sure = sure && key === undefined && !many
      items.push(text, ...value === undefined ? [] : [value])
    }
  }
  const found = items.filter((each) => each !== undefined)
  return sure && found.length === items.length ? { ...listed(found), fetched } : oneOf(found, fetched)
}

/** What the variable is when one of its elements gets a value, which may be one of these. */
export const withElement = (state: State, name: string, index: ReadonlyArray<string>, value: Value): Value => {
  const before = state.variables.get(name)
  const [only = ""] = index
  const place = index.length === 1 ? calculate(only, () => null) : null
  const items = state.isNew(name) ? [] : before?.items ?? null
  const [text] = value.texts
  if (items !== null && place !== null && place >= 0 && place <= items.length && text !== undefined && value.texts.length === 1) {
    const next = [...items]
    next[place] = text
    return { ...listed(next), fetched: value.fetched || before?.fetched === true }
  }
  return oneOf([...before?.items ?? before?.texts ?? [], ...value.texts], value.fetched || before?.fetched === true)
}

/** What a variable is once it is set: of an array a text sets the first element. */
export const inPlaceOf = (before: Value | undefined, value: Value, state: State, name: string): Value => {
  if (before === undefined || value.items !== null || value.mayList === true) return value
  if (before.items !== null) return withElement(state, name, ["0"], value)
  return before.mayList === true ? oneOf([...before.texts, ...value.texts], before.fetched || value.fetched) : value
}

/** Sets what a builtin names: a variable, or an element of one. */
export const setNamed = (state: State, target: string, value: Value, set: (name: string, value: Value) => void) => {
  const [, name, index] = /^([A-Za-z_]\w*)\[([^\]]*)\]$/.exec(target) ?? []
  if (name === undefined || index === undefined) set(target, value)
  else set(name, withElement(state, name, [index], value))
}

/** Between the elements of an array that is an argument of a declaration. */
export const elementBreak = "\u0001"
/** The value in `declare x=(…)`, whose words are joined by `elementBreak` behind a hole. */
export const declaredArray = (text: string): Value | null => {
  const [first, ...items] = text.split(elementBreak)
  if (first !== hole || items.length === 0) return null
  const plain = items.every((item) => !keyed.test(item) && !item.includes(hole))
  return plain ? listed(items) : oneOf(items.flatMap((item) => [item, keyed.exec(item)?.[2] ?? item]), false)
}
