import { type Field, hole, type Input, type Text } from "../Commands.js"
import type { Redirect } from "./ast.js"
import type { Expander } from "./expand.js"
import { anything, field } from "./inner.js"
import { plainPath } from "./saved.js"
import { isInput } from "./shells.js"
import type { State } from "./state.js"

/** A redirection, expanded: what is read instead of the input, or the file that is written. */
export type Redirected =
  | { readonly is: "input"; readonly input: Input }
  | { readonly is: "output"; readonly path: Field; readonly source: string }
  /** `descriptor`: the one that is copied, or `-`; `holds`: what is to be read from a descriptor of its own, null for a file */
  | { readonly is: "other"; readonly descriptor?: string; readonly holds?: Text | null }

const document = (texts: ReadonlyArray<string>, fetched: boolean, end: string): Input =>
  ({ text: texts.map((text) => `${text}${end}`).join(""), sure: texts.length === 1, fetched, given: true })
const isInputDescriptor = ({ descriptor }: Redirect) => descriptor === null || descriptor === 0
/** Whether it changes where a command's output goes. */
const takesOutput = ({ descriptor, operator }: Redirect, found: Redirected): boolean =>
  operator === "<>" ? descriptor === 1 : /^&?>/.test(operator) && (descriptor === null || descriptor === 1) && !(found.is === "other" && found.descriptor === "1")
/** Whether what goes there is never seen again. */
export const isLost = (taken: Redirected): boolean => taken.is === "output" && taken.path.text === "/dev/null"

/** Whether the shell may find that it cannot be made: no such file, nobody may read or write it, no such descriptor. */
const isDoubtful = (made: Redirected): boolean => {
  switch (made.is) {
    case "input":
      return made.input.text === null
    case "output":
      return made.path.text !== "/dev/null"
    case "other":
      return made.holds === null || made.descriptor !== undefined && !/^(?:[012]-?|-)$/.test(made.descriptor)
  }
}

const file = (redirect: Redirect, expander: Expander, state: State): Field => {
  const lists = expander.fields([redirect.target], state)
  const [only] = lists
  const path = lists.length === 1 && only?.length === 1 ? only[0] : undefined
  return path ?? anything
}
const reading = (path: Field, before: Input, state: State): Input => {
  if (isInput(path.text)) return before
  const fetched = path.fetched || /^\/dev\/(?:tcp|udp)\//.test(path.text) || state.saved.has(plainPath(path.text))
  const contents: Text = path.contents ?? (path.text === "/dev/null" ? { text: "", sure: true, fetched: false } : { text: null, sure: true, fetched })
  return { ...contents, given: true }
}

const redirection = (redirect: Redirect, expander: Expander, state: State, before: Input, source: string): Redirected => {
  const { operator } = redirect
  if (operator === "<<" || operator === "<<<") {
    const { fetched, texts } = expander.value(redirect.target, state)
    const input = document(texts, fetched, operator === "<<<" ? "\n" : "")
    return isInputDescriptor(redirect) ? { is: "input", input } : { is: "other", holds: input }
  }
  const path = file(redirect, expander, state)
  if (operator === "<") return isInputDescriptor(redirect) ? { is: "input", input: reading(path, before, state) } : { is: "other", holds: path.contents ?? null }
  if (operator === "<&" || operator === ">&") {
    const ofAnother = operator === "<&" && isInputDescriptor(redirect) && /^[1-9]\d*-?$/.test(path.text)
    if (/^(?:\d+-?|-)$/.test(path.text) && !ofAnother) return { is: "other", descriptor: path.text }
    if (operator === "<&") return { is: "input", input: { text: null, sure: true, fetched: false, given: true } }
    return { is: "output", path: path.text.replaceAll(hole, "") === "" ? anything : path, source }
  }
  return { is: "output", path: path.text === "" ? field("") : path, source }
}

/** All of a command's, in their order: its input then, where its output goes, the files that it writes. */
export const redirections = (all: ReadonlyArray<Redirect>, expander: Expander, state: State, before: Input, source: string) => {
  let input = before
  let taken: Redirected | null = null
  let mayFail = false
  const held: Array<Text> = []
  const written: Array<{ readonly path: Field; readonly source: string }> = []
  for (const redirect of all) {
    const made = redirection(redirect, expander, state, input, source)
    if (takesOutput(redirect, made)) taken = made
    mayFail ||= isDoubtful(made)
    if (made.is === "input") input = made.input
    if (made.is === "other" && made.holds !== undefined && made.holds !== null) held.push(made.holds)
    if (made.is === "output") written.push(made)
  }
  return { input, taken, mayFail, written, held }
}
