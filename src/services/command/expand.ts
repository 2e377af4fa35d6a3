import { type Field, hole, type Text } from "../Commands.js"
import type { Script, Word, WordPart } from "./ast.js"
import { braces } from "./braces.js"
import { anything } from "./inner.js"
import { escapeGlob, globText, isGlob } from "./globs.js"
import { operate } from "./params.js"
import { either, known, listed, number, type State, unknown, type Value } from "./state.js"

/** What expansion needs from whoever runs commands. */
export interface Shell {
  /** what a substitution gives, or a process substitution's file holds */
  readonly output: (script: Script, state: State) => Text
  readonly process: (script: Script, writes: boolean, state: State) => Value
  /** a text is evaluated as arithmetic */
  readonly arithmetic: (texts: ReadonlyArray<string>, state: State) => void
  /** something is not known before it runs */
  readonly doubt: (why: string) => void
  /** it may mean more than can be listed */
  readonly giveUp: (why: string) => void
}

/** A word under construction. */
interface Draft {
  readonly fields: ReadonlyArray<Field>
  readonly text: string
  readonly pattern: string
  /** It is a word even if it stays empty. */
  readonly begun: boolean
  readonly many: boolean
  readonly fetched: boolean
  readonly literal: boolean
  /** Something in it is not known, and may be no number. */
  readonly vague: boolean
  readonly contents?: Text
}
const blank: Draft = { fields: [], text: "", pattern: "", begun: false, many: false, fetched: false, literal: true, vague: false }
const mostDrafts = 24

const close = (draft: Draft, files: boolean): Draft => {
  if (!draft.begun) return { ...blank, fields: draft.fields, literal: draft.literal }
  const glob = files && isGlob(draft.pattern) ? draft.pattern : null
  const text = glob === null ? draft.text : globText(draft.pattern)
  const { contents, fetched, fields, literal } = draft
  const field: Field = { text, many: draft.many || glob !== null, glob, fetched, literal: literal && glob === null }
  return { ...blank, literal, fields: [...fields, contents === undefined ? field : { ...field, contents }] }
}
const quoted = (draft: Draft, text: string): Draft =>
  ({ ...draft, text: draft.text + text, pattern: draft.pattern + escapeGlob(text), begun: true })
const plain = (draft: Draft, text: string): Draft =>
  text === "" ? draft : { ...draft, text: draft.text + text, pattern: draft.pattern + text, begun: true }
const gap = (draft: Draft): Draft => ({ ...draft, text: draft.text + hole, pattern: draft.pattern + hole, begun: true, many: true })

/** An unquoted value: split into words at blanks, each of which may be a pattern. */
const split = (draft: Draft, text: string, splits: boolean): Draft => {
  if (!splits) return gap(draft)
  return text.split(/[ \t\n]+/).reduce((before, piece, index) => {
    const next = plain(index === 0 ? before : close(before, true), piece)
    return piece.includes(hole) ? { ...next, many: true } : next
  }, draft)
}

const several = (draft: Draft, items: ReadonlyArray<string>): Draft =>
  items.reduce((before, item, index) => quoted(index === 0 ? before : close(before, true), item), draft)

/** The pattern that a word stands for where it is not looked up among files. */
interface Texts {
  readonly texts: ReadonlyArray<string>
  readonly patterns: ReadonlyArray<string>
  readonly fetched: boolean
  /** Each is a number, known or not. */
  readonly numeric: boolean
}

export class Expander {
  /** Numbers that are not known stand as one that is, and so does what comes from the environment. */
  private counting = false

  constructor(private readonly shell: Shell) {}

  /** The texts that arithmetic evaluates. */
  counted(word: Word, state: State): ReadonlyArray<string> {
    return this.as(true, () => this.texts(word, state).texts)
  }
  private as<A>(counting: boolean, run: () => A): A {
    const before = this.counting
    this.counting = counting
    const made = run()
    this.counting = before
    return made
  }

  /** All the lists of fields that words may become. */
  fields(words: ReadonlyArray<Word>, state: State): ReadonlyArray<ReadonlyArray<Field>> {
    let lists: ReadonlyArray<ReadonlyArray<Field>> = [[]]
    for (const word of words) {
      const expanded = braces(word)
      if (expanded === null) this.shell.doubt("a brace stands for too many words to list")
      const listed = expanded === null ? [[anything]] : this.each(expanded, state)
      const options = expanded === null || expanded.length === 1 ? listed : listed.map((fields) => fields.map((field) => ({ ...field, literal: false })))
      lists = lists.flatMap((before) => options.map((after) => [...before, ...after]))
      if (lists.length > mostDrafts) lists = this.tooMany(lists)
    }
    return lists
  }
  private each(words: ReadonlyArray<Word>, state: State): ReadonlyArray<ReadonlyArray<Field>> {
    return words.reduce<ReadonlyArray<ReadonlyArray<Field>>>((lists, word) => {
      const options = this.word(word, state, true).map((draft) => close(draft, true).fields)
      return this.tooMany(lists.flatMap((before) => options.map((after) => [...before, ...after])))
    }, [[]])
  }
  private tooMany<A>(all: ReadonlyArray<A>): ReadonlyArray<A> {
    if (all.length <= mostDrafts) return all
    this.shell.giveUp("it can mean too many things to list")
    return all.slice(0, mostDrafts)
  }

  /** The texts a word may become where it stays one word: values, files of redirections, here-documents. */
  value(word: Word, state: State): Value {
    const { fetched, numeric, texts } = this.texts(word, state)
    return { texts, items: null, fetched, numeric }
  }
  texts(word: Word, state: State): Texts {
    const drafts = this.word(word, state, false)
    return {
      texts: [...new Set(drafts.map(({ text }) => text))],
      patterns: drafts.map(({ pattern }) => pattern),
      fetched: drafts.some(({ fetched }) => fetched),
      numeric: drafts.every(({ text, vague }) => !vague && text !== "" && /^-?[\d\0]*$/.test(text))
    }
  }

  private word(word: Word, state: State, splits: boolean): ReadonlyArray<Draft> {
    const literal = word.parts.every((part) => part.is === "text")
    const first: Draft = literal ? blank : { ...blank, literal }
    return word.parts.reduce<ReadonlyArray<Draft>>((drafts, part) => this.tooMany(this.part(drafts, part, state, splits)), [first])
  }

  private part(drafts: ReadonlyArray<Draft>, part: WordPart, state: State, splits: boolean): ReadonlyArray<Draft> {
    switch (part.is) {
      case "text":
        return drafts.map((draft) => part.quoted ? quoted(draft, part.text) : plain(draft, part.text))
      case "tilde":
        return drafts.map((draft) => ({ ...quoted(draft, hole), vague: true }))
      case "unknown":
        return drafts.map((draft) => ({ ...part.quoted || !splits ? quoted(draft, hole) : gap(draft), vague: true }))
      case "arithmetic":
        this.shell.arithmetic(this.counted(part.parts, state), state)
        return this.insert(drafts, number, part.quoted || !splits, state)
      case "process":
        // An empty one is no file, and no word.
        return part.script.items.length === 0 ? drafts.map(gap) : this.insert(drafts, this.as(false, () => this.shell.process(part.script, part.writes, state)), true, state)
      case "command": {
        const { fetched, sure, text } = this.as(false, () => this.shell.output(part.script, state))
        const value = text === null ? unknown : sure ? known(text.replace(/\n+$/, "")) : either(known(text.replace(/\n+$/, "")), unknown)
        return this.insert(drafts, { ...value, fetched }, part.quoted || !splits, state)
      }
      case "parameter":
        return this.parameter(drafts, part, state, splits)
    }
  }

  private insert(drafts: ReadonlyArray<Draft>, value: Value, whole: boolean, state: State): ReadonlyArray<Draft> {
    const texts = this.counting && value.numeric === true ? ["0"] : value.texts
    return drafts.flatMap((draft) =>
      texts.map((text) => {
        const next = whole ? quoted(draft, text) : split(draft, text, state.splits)
        const { contents } = value
        const vague = next.vague || (value.numeric !== true && text.includes(hole))
        return { ...next, vague, fetched: next.fetched || value.fetched, ...contents === undefined ? {} : { contents } }
      }))
  }

  private parameter(drafts: ReadonlyArray<Draft>, part: WordPart & { is: "parameter" }, state: State, splits: boolean): ReadonlyArray<Draft> {
    const { index, name, operand, operator } = part
    const whole = part.quoted || !splits
    const value = this.lookUp(name, index, state)
    if (operator === "" && value.items !== null && splits && (name === "@" || name === "*" || this.isAll(index))) {
      const { items } = value
      const joined = part.quoted && (name === "*" || index?.parts.some((each) => each.is === "text" && each.text === "*") === true)
      if (joined) return drafts.map((draft) => state.splits ? quoted(draft, items.join(" ")) : quoted(draft, hole))
      return drafts.map((draft) => part.quoted
        ? several(draft, items)
        : items.reduce((before, item, at) => split(at === 0 ? before : close(before, true), item, state.splits), draft))
    }
    if (operator === "" || operator === "indirect") {
      const found = operator === "" ? value : this.indirect(value, state)
      const spreads = part.quoted && splits && (name === "@" || this.isAll(index))
      return spreads ? drafts.map((draft) => ({ ...quoted(draft, hole), many: true })) : this.insert(drafts, found, whole, state)
    }
    if (/^:?[-=?+]$/.test(operator)) return this.conditional(drafts, part, value, state, splits)
    const given: Pick<Texts, "texts" | "patterns"> = operand === null ? { texts: [""], patterns: [""] } : this.texts(operand, state)
    if (operator === ":" && operand !== null) this.shell.arithmetic(this.counted(operand, state), state)
    const texts = new Set(value.texts.flatMap((text) =>
      given.texts.map((word, at) => operate(text, operator, word, given.patterns[at] ?? ""))))
    return this.insert(drafts, { texts: [...texts], items: null, fetched: value.fetched, numeric: operator === "length" }, whole, state)
  }

  /** `${x:-y}` and the like: the variable, the word, or either where that depends on what is not known. */
  private conditional(drafts: ReadonlyArray<Draft>, part: WordPart & { is: "parameter" }, value: Value, state: State, splits: boolean) {
    const colon = part.operator.startsWith(":")
    const kind = part.operator.slice(-1)
    const isSet = state.variables.has(part.name) || (/^\d+$/.test(part.name) && state.arguments !== null)
    const filled = value.texts.filter((text) => text !== "" || (!colon && isSet))
    const mayBeEmpty = !isSet || filled.length < value.texts.length || filled.some((text) => text.replaceAll(hole, "") === "")
    const word = (from: ReadonlyArray<Draft>) =>
      (part.operand?.parts ?? []).reduce<ReadonlyArray<Draft>>((before, each) => this.part(before, each, state, splits), from)
    const own = filled.length === 0 ? [] : this.insert(drafts, { ...value, texts: filled, items: null }, part.quoted || !splits, state)
    if (kind === "?") return own.length === 0 ? drafts : own
    if (kind === "+") {
      const without = part.quoted ? drafts.map((draft) => quoted(draft, "")) : drafts
      return [...filled.length === 0 ? [] : word(drafts), ...mayBeEmpty ? without : []]
    }
    if (kind === "=" && mayBeEmpty && part.operand !== null) {
      const set = this.value(part.operand, state)
      state.variables.set(part.name, filled.length === 0 ? set : either(set, value))
    }
    return [...own, ...mayBeEmpty ? word(part.quoted ? drafts.map((draft) => quoted(draft, "")) : drafts) : []]
  }

  private isAll(index: Word | null): boolean {
    const [only] = index?.parts ?? []
    return index?.parts.length === 1 && only?.is === "text" && (only.text === "@" || only.text === "*")
  }
  private indirect(value: Value, state: State): Value {
    if (value.texts.some((text) => !/^[A-Za-z_]\w*$/.test(text))) {
      if (value.texts.some((text) => /[[$`]/.test(text))) this.shell.arithmetic(value.texts, state)
      return unknown
    }
    return value.texts.map((name) => state.get(name)).reduce(either, state.get(value.texts[0] ?? ""))
  }
  private lookUp(name: string, index: Word | null, state: State): Value {
    if (name === "@" || name === "*") return state.arguments === null ? unknown : listed(state.arguments)
    if ("#?$!".includes(name)) return number
    if (this.counting && /^[A-Za-z_]/.test(name) && !state.variables.has(name)) return number
    if (/^[1-9]\d*$/.test(name)) return state.arguments === null ? unknown : known(state.arguments[Number(name) - 1] ?? "")
    const value = state.get(name)
    if (index === null) return value.items === null ? value : known(value.items[0] ?? "", value.fetched)
    if (this.isAll(index)) return value.items === null && state.variables.has(name) && value.texts.length === 1 && !value.texts[0]?.includes(hole) ? listed(value.texts) : value
    const at = this.texts(index, state).texts
    this.shell.arithmetic(this.counted(index, state), state)
    const [only] = at
    return value.items !== null && at.length === 1 && only !== undefined && /^\d+$/.test(only) ? known(value.items[Number(only)] ?? "", value.fetched) : unknown
  }
}
