import { type Field, hole, type Text } from "../Commands.js"
import type { Script, Word, WordPart } from "./ast.js"
import { braces } from "./braces.js"
import { anything } from "./inner.js"
import { escapeGlob, globText, isGlob } from "./globs.js"
import { calculate, isSteady } from "./calculation.js"
import { oneOf } from "./elements.js"
import { pieces } from "./fieldSplitting.js"
import { operate } from "./params.js"
import { either, isNumeric, known, listed, number, type State, unknown, type Value } from "./state.js"

/** What expansion needs from whoever runs commands. */
export interface Shell {
  /** what a substitution gives, or a process substitution's file holds */
  readonly output: (script: Script, state: State) => Text
  readonly process: (script: Script, writes: boolean, state: State) => Value
  /** a text is evaluated as arithmetic; `fatal`: where that fails the rest of the line is left out */
  readonly arithmetic: (texts: ReadonlyArray<string>, state: State, fatal?: boolean) => void
  /** a variable gets a value */
  readonly set: (name: string, value: Value, state: State) => void
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
const mostSpent = 2_000_000

const close = (draft: Draft, files: boolean): Draft => {
  if (!draft.begun) return { ...blank, fields: draft.fields, literal: draft.literal }
  const glob = files && isGlob(draft.pattern) ? draft.pattern : null
  const text = glob === null ? draft.text : globText(draft.pattern, draft.text)
  const { contents, fetched, fields, literal } = draft
  const field: Field = { text, many: draft.many || glob !== null, glob, fetched, literal: literal && glob === null }
  return { ...blank, literal, fields: [...fields, contents === undefined ? field : { ...field, contents }] }
}
const quoted = (draft: Draft, text: string): Draft =>
  ({ ...draft, text: draft.text + text, pattern: draft.pattern + escapeGlob(text), begun: true })
const plain = (draft: Draft, text: string): Draft =>
  text === "" ? draft : { ...draft, text: draft.text + text, pattern: draft.pattern + text, begun: true }
const begun = (draft: Draft): Draft => ({ ...draft, begun: true })
/** How what an expansion gives becomes part of a word: as it is, as it is but for a pattern's signs, or split into words. */
type Way = "text" | "pattern" | "split"
const wayOf = ({ quoted }: { readonly quoted: boolean }, splits: boolean): Way => quoted ? "text" : splits ? "split" : "pattern"
const gap = (draft: Draft): Draft => ({ ...draft, text: draft.text + hole, pattern: draft.pattern + hole, begun: true, many: true })

/** Words added one after the other; the fields are gathered apart, since there may be thousands. */
const chained = <A>(draft: Draft, each: Iterable<A>, add: (before: Draft, item: A, index: number) => Draft): Draft => {
  const fields = [...draft.fields]
  let current: Draft = { ...draft, fields: [] }
  let index = 0
  for (const item of each) {
    const next = add(current, item, index++)
    fields.push(...next.fields)
    current = { ...next, fields: [] }
  }
  return { ...current, fields }
}

/** An unquoted value: split into words, each of which may be a pattern. */
const split = (draft: Draft, value: string, separators: string | null): Draft =>
  separators === null ? gap(draft) : chained(draft, pieces(value, separators), (before, { counts, ends, text }) => {
    const added = plain(before, text)
    const next = text.includes(hole) ? { ...added, many: true } : added
    return ends ? close(counts ? { ...next, begun: true } : next, true) : next
  })

const several = (draft: Draft, items: ReadonlyArray<string>): Draft =>
  chained(draft, items, (before, item, index) => quoted(index === 0 ? before : close(before, true), item))

/** The pattern that a word stands for where it is not looked up among files. */
interface Texts {
  readonly texts: ReadonlyArray<string>
  readonly patterns: ReadonlyArray<string>
  readonly fetched: boolean
  readonly contents: Text | undefined
  /** Each is a number, known or not. */
  readonly numeric: boolean
}

/** A variable's value as a number. */
const figure = ({ texts: [only, ...more] }: Value): number | null =>
  only !== undefined && more.length === 0 && /^-?(?:0|[1-9]\d{0,8})$/.test(only) ? Number(only) : null

export class Expander {
  /** Numbers that are not known stand as one that is, and so does what comes from the environment. */
  private counting = false
  /** characters and fields made so far */
  private spent = 0

  constructor(private readonly shell: Shell) {}

  /** The texts that arithmetic evaluates. */
  counted(word: Word, state: State): ReadonlyArray<string> {
    return this.as(true, () => this.texts(word, state).texts)
  }
  /** Evaluates it as arithmetic; `fatal`: where that fails the rest of the line is left out. */
  reckon(word: Word, state: State, fatal = true) {
    this.shell.arithmetic(this.counted(word, state), state, fatal)
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
    let lists: Array<Array<Field>> = [[]]
    for (const word of words) {
      const expanded = braces(word)
      if (expanded === null) this.shell.doubt("a brace stands for too many words to list")
      const listed = expanded === null ? [[anything]] : this.each(expanded, state)
      const options = expanded === null || expanded.length === 1 ? listed : listed.map((fields) => fields.map((field) => ({ ...field, literal: false })))
      const [only, ...others] = options
      if (only !== undefined && others.length === 0) for (const list of lists) list.push(...only)
      else lists = [...this.tooMany(lists.flatMap((before) => options.map((after) => [...before, ...after])))]
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
    const { contents, fetched, numeric, texts } = this.texts(word, state)
    return { texts, items: null, fetched, numeric, ...contents === undefined ? {} : { contents } }
  }
  texts(word: Word, state: State): Texts {
    const drafts = this.word(word, state, false)
    return {
      texts: [...new Set(drafts.map(({ text }) => text))],
      patterns: drafts.map(({ pattern }) => pattern),
      fetched: drafts.some(({ fetched }) => fetched),
      contents: drafts.find(({ contents }) => contents !== undefined)?.contents,
      numeric: drafts.every(({ text, vague }) => !vague && text !== "" && /^-?[\d\0]*$/.test(text))
    }
  }

  private word(word: Word, state: State, splits: boolean): ReadonlyArray<Draft> {
    const literal = word.parts.every((part) => part.is === "text")
    const first: Draft = literal ? blank : { ...blank, literal }
    if (this.spent > mostSpent) return [{ ...gap({ ...blank, literal: false }), vague: true }]
    const drafts = word.parts.reduce<ReadonlyArray<Draft>>((before, part) => this.tooMany(this.part(before, part, state, splits)), [first])
    for (const { fields, text } of drafts) this.spent += text.length + fields.length
    if (this.spent > mostSpent) this.shell.giveUp("it grows too long to be followed")
    return drafts
  }

  private part(drafts: ReadonlyArray<Draft>, part: WordPart, state: State, splits: boolean): ReadonlyArray<Draft> {
    switch (part.is) {
      case "text":
        return drafts.map((draft) => part.quoted ? quoted(draft, part.text) : plain(draft, part.text))
      case "tilde":
        return drafts.map((draft) => ({ ...quoted(draft, hole), vague: true }))
      case "unknown":
        if (part.broken === true) state.leave("line")
        return drafts.map((draft) => ({ ...part.quoted || !splits ? quoted(draft, hole) : gap(draft), vague: true }))
      case "arithmetic":
        this.reckon(part.parts, state)
        return this.insert(drafts, this.calculated(part.parts, state), wayOf(part, splits), state)
      case "process":
        // An empty one is no file, and no word.
        return part.script.items.length === 0 ? drafts.map(gap) : this.insert(drafts, this.as(false, () => this.shell.process(part.script, part.writes, state)), "text", state)
      case "command": {
        const { fetched, sure, text } = this.as(false, () => this.shell.output(part.script, state))
        const value = text === null || part.broken === true ? unknown : sure ? known(text.replace(/\n+$/, "")) : either(known(text.replace(/\n+$/, "")), unknown)
        return this.insert(drafts, { ...value, fetched }, wayOf(part, splits), state)
      }
      case "parameter":
        return this.parameter(drafts, part, state, splits)
    }
  }

  private insert(drafts: ReadonlyArray<Draft>, value: Value, way: Way, state: State): ReadonlyArray<Draft> {
    const texts = this.counting && value.numeric === true ? ["0"] : value.texts
    return drafts.flatMap((draft) =>
      texts.map((text) => {
        const next = way === "text" ? quoted(draft, text) : way === "pattern" ? begun(plain(draft, text)) : split(draft, text, state.separators)
        const { contents } = value
        const vague = next.vague || (value.numeric !== true && text.includes(hole))
        return { ...next, vague, fetched: next.fetched || value.fetched, ...contents === undefined ? {} : { contents } }
      }))
  }

  private parameter(drafts: ReadonlyArray<Draft>, part: WordPart & { is: "parameter" }, state: State, splits: boolean): ReadonlyArray<Draft> {
    const { index, name, operand, operator } = part
    const way = wayOf(part, splits)
    const value = this.lookUp(name, index, state)
    const all = name === "@" || name === "*" || this.isAll(index)
    const items = all ? this.itemsOf(part, value, state) : null
    if (items !== null) {
      if (splits) return this.spread(drafts, part, { items, fetched: value.fetched }, state)
      return this.insert(drafts, { ...known(items.join(" "), value.fetched) }, "text", state)
    }
    // "$@" and its kin are no word where there is nothing in them, whatever is done to their elements.
    const isList = part.quoted && splits && operator !== "length" && (name === "@" || this.isAll(index) || operator === "indirect")
    const many = (found: ReadonlyArray<Draft>) => operator === "indirect" ? found : found.map((draft) => ({ ...draft, many: true }))
    const orNone = (found: ReadonlyArray<Draft>) => isList ? this.tooMany([...many(found), ...drafts]) : found
    if (operator === "" || operator === "indirect") {
      // The keys of a list.
      if (operator === "indirect" && this.isAll(index)) return this.insert(drafts, number, way, state).map((draft) => ({ ...draft, many: true }))
      if (operator === "indirect") return orNone(this.insert(drafts, this.indirect(value, state), way, state))
      return isList ? many(this.insert(drafts, { ...unknown, fetched: value.fetched }, "text", state)) : this.insert(drafts, value, way, state)
    }
    if (/^:?[-=?+]$/.test(operator)) return orNone(this.conditional(drafts, part, value, state, splits))
    // A prompt's text runs the substitutions in it.
    if (operator === "@P") this.shell.arithmetic(value.texts.filter((text) => /\$\(|`/.test(text)), state)
    const given = this.operand(operand, operator, state)
    const texts = new Set(all ? [hole] : value.texts.flatMap((text) =>
      given.texts.map((word, at) => operate(text, operator, word, given.patterns[at] ?? ""))))
    return orNone(this.insert(drafts, { texts: [...texts], items: null, fetched: value.fetched, numeric: operator === "length" }, way, state))
  }

  /** What follows an operator; offsets are arithmetic. */
  private operand(operand: Word | null, operator: string, state: State): Pick<Texts, "texts" | "patterns"> {
    if (operand === null) return { texts: [""], patterns: [""] }
    const given = this.texts(operand, state)
    if (operator !== ":") return given
    const parts = this.counted(operand, state).flatMap((text) => text.split(":"))
    if (parts.length > 2 || !parts.every((text, at) => (at === 0 && text.trim() === "") || (this.isSure(text, state) && (at === 0 || !text.includes("-"))))) state.leave("line")
    this.shell.arithmetic(this.counted(operand, state), state)
    const texts = given.texts.map((text) => text.split(":").map((each) => String(calculate(each, (name) => figure(state.get(name))) ?? each)).join(":"))
    return { texts, patterns: texts }
  }

  /** The elements that a list expands to, with the operator applied to each; null where they are not known. */
  private itemsOf(part: WordPart & { is: "parameter" }, value: Value, state: State): ReadonlyArray<string> | null {
    const { items } = value
    const { name, operand, operator } = part
    if (items === null || operator === "" || operator === "indirect") return operator === "" ? items : null
    if (/^:?[-=?+]$/.test(operator)) return operator.endsWith("+") || items.join("") === "" ? null : items
    if (operator === "length") return [String(items.length)]
    const given = this.operand(operand, operator, state)
    const [only] = given.texts
    if (only === undefined || given.texts.length > 1) return null
    if (operator !== ":") return items.map((item) => operate(item, operator, only, given.patterns[0] ?? ""))
    const [offset, length] = only.split(":").map(Number)
    if (offset === undefined || !Number.isInteger(offset) || (length !== undefined && !(Number.isInteger(length) && length >= 0))) return null
    const isArguments = name === "@" || name === "*"
    if (isArguments && offset === 0) return null
    const from = offset < 0 ? items.length + offset + (isArguments ? 1 : 0) : isArguments ? offset - 1 : offset
    return from < 0 ? [] : items.slice(from, length === undefined ? undefined : from + length)
  }

  /** A list in place of a word: `"$@"` its elements, `"$*"` joined, without quotes each split in turn. */
  private spread(drafts: ReadonlyArray<Draft>, part: WordPart & { is: "parameter" }, { fetched, items }: Pick<Value, "fetched"> & { readonly items: ReadonlyArray<string> }, state: State): ReadonlyArray<Draft> {
    const { separators } = state
    const star = part.name === "*" || part.index?.parts.some((each) => each.is === "text" && each.text === "*") === true
    const marked = (draft: Draft): Draft => fetched && !draft.fetched ? { ...draft, fetched } : draft
    return drafts.map((draft) =>
      marked(part.quoted && star
        ? quoted(draft, separators === null ? hole : items.join(separators.slice(0, 1)))
        : part.quoted
        ? several(marked(draft), items)
        : chained(marked(draft), items, (before, item, at) => marked(split(at === 0 ? before : close(before, true), item, separators)))))
  }

  /** A sum that can be done beforehand; where something in it runs a command, or is not known, any number. */
  private calculated(word: Word, state: State): Value {
    if (!word.parts.every((part) => part.is === "text" || (part.is === "parameter" && part.index === null && part.operand === null))) return number
    const [only, ...more] = this.texts(word, state).texts
    const value = only === undefined || more.length > 0 ? null : calculate(only, (name) => figure(state.get(name)))
    return value === null ? number : { ...known(String(value)), numeric: true }
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
    const own = filled.length === 0 ? [] : this.insert(drafts, { ...value, texts: filled, items: null }, wayOf(part, splits), state)
    if (kind === "?" && mayBeEmpty) state.leave("shell")
    if (kind === "?") return own.length === 0 ? drafts : own
    if (kind === "+") {
      const without = part.quoted ? drafts.map((draft) => quoted(draft, "")) : drafts
      return [...filled.length === 0 ? [] : word(drafts), ...mayBeEmpty ? without : []]
    }
    if (kind === "=" && mayBeEmpty && part.operand !== null) {
      const set = this.value(part.operand, state)
      this.shell.set(part.name, filled.length === 0 ? set : either(set, value), state)
    }
    return [...own, ...mayBeEmpty ? word(part.quoted ? drafts.map((draft) => quoted(draft, "")) : drafts) : []]
  }

  /** Whether arithmetic comes to an end, by what is known of the variables in it. */
  isSure(text: string, state: State): boolean {
    const isNumber = (name: string) => state.variables.has(name) ? isNumeric(state.get(name)) : /^(?:[a-z]\w*|RANDOM|SECONDS|LINENO|COLUMNS|LINES|OPTIND)$/.test(name)
    return calculate(text, (name) => figure(state.get(name))) !== null || isSteady(text, isNumber)
  }
  private isAll(index: Word | null): boolean {
    const [only] = index?.parts ?? []
    return index?.parts.length === 1 && only?.is === "text" && (only.text === "@" || only.text === "*")
  }
  private indirect(value: Value, state: State): Value {
    if (value.texts.some((text) => !/^[A-Za-z_]\w*$/.test(text))) {
      if (value.texts.some((text) => !/^(?:\d+|[@*#?!$-])$/.test(text))) state.leave("line")
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
    if (state.strict && !state.variables.has(name)) state.leave("shell")
    if (index === null) return value.items === null ? value : known(value.items[0] ?? "", value.fetched)
    if (this.isAll(index)) return value.items === null && value.mayList !== true && state.variables.has(name) && value.texts.length === 1 && !value.texts[0]?.includes(hole) ? listed(value.texts) : value
    const at = this.texts(index, state).texts
    this.reckon(index, state)
    const [only = ""] = at
    const place = at.length === 1 ? calculate(only, (each) => figure(state.get(each))) : null
    if (value.items !== null && place !== null) return known(value.items.at(place) ?? "", value.fetched)
    return oneOf(value.items ?? value.texts, value.fetched)
  }
}
