import { hole } from "../Commands.js"
import { inPlaceOf } from "./elements.js"
import { field } from "./inner.js"
import { anyName, either, type State, type Value } from "./state.js"

/** Attributes of a variable that make another value of what is assigned to it: `declare -i`, `-l`, `-u`, `-c`. */
export const attributes = "iluc"

const capital = (text: string) => text.toLowerCase().replace(/^[a-z]/, (first) => first.toUpperCase())
const cases: Readonly<Record<string, (text: string) => string>> = { l: (text) => text.toLowerCase(), u: (text) => text.toUpperCase(), c: capital }

/** What a variable with these attributes may hold once a value is assigned to it: any of them may have been taken from it again. */
const shaped = (value: Value, letters: string): Value => {
  const texts = [...letters].flatMap((letter) => letter === "i" ? [hole] : value.texts.map((text) => cases[letter]?.(text) ?? text))
  return { ...value, texts: [...new Set([...value.texts, ...texts])], items: null, mayList: value.items !== null || value.mayList === true }
}

const shapeOf = (state: State, name: string) => state.shapes.get(state.variables.get(name)?.refersTo ?? name)
/** Whether what is assigned to it may be evaluated as arithmetic. */
export const isSum = (state: State, name: string) => shapeOf(state, name)?.includes("i") === true

/** A variable gets a value, or one that it stands for does; false where it cannot be set. */
export const assign = (state: State, name: string, assigned: Value): boolean => {
  const before = state.variables.get(name)
  const letters = shapeOf(state, name)
  const value = letters === undefined ? assigned : shaped(assigned, letters)
  if (state.frozen.has(name)) {
    state.leave("line")
    state.variables.set(name, either(state.get(name), value))
    return false
  }
  if (before?.refersTo !== undefined) state.variables.set(before.refersTo, either(state.get(before.refersTo), value))
  else state.variables.set(name, inPlaceOf(before, value, state, name))
  const texts = [...value.items ?? [], ...value.texts].filter((text) => text !== hole)
  if (name === "BASH_CMDS") for (const text of texts) state.programs.set(anyName + text, field(text))
  if (name === "BASH_ALIASES") state.aliases.set(anyName, [...state.aliases.get(anyName) ?? [], ...texts])
  return true
}
