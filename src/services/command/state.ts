import { type Field, hole, type Text } from "../Commands.js"
import type { Node } from "./ast.js"

/** What a variable may hold. */
export interface Value {
  /** the texts it may have, with holes; for an array its elements joined by spaces */
  readonly texts: ReadonlyArray<string>
  /** an array's elements, null for a plain variable or where they are not known */
  readonly items: ReadonlyArray<string> | null
  /** It may be an array whose elements are not known. */
  readonly mayList?: boolean
  readonly fetched: boolean
  /** of a process substitution's file */
  readonly contents?: Text
  /** Whatever it is, it is a number. */
  readonly numeric?: boolean
  /** the variable that it stands for (`declare -n`) */
  readonly refersTo?: string
}
export const number: Value = { texts: [hole], items: null, fetched: false, numeric: true }
export const unknown: Value = { texts: [hole], items: null, fetched: false }
export const known = (text: string, fetched = false): Value => ({ texts: [text], items: null, fetched })
export const listed = (items: ReadonlyArray<string>): Value => ({ texts: [items.join(" ")], items, fetched: false })

const mostTexts = 12
export const either = (one: Value, other: Value): Value => {
  if (one === other) return one
  const texts = [...new Set([...one.texts, ...other.texts])]
  const sameItems = one.items !== null && other.items !== null && one.items.join(hole) === other.items.join(hole)
  return {
    texts: texts.length > mostTexts ? [hole] : texts,
    items: sameItems ? one.items : null,
    mayList: [one, other].some(({ items, mayList }) => items !== null || mayList === true),
    fetched: one.fetched || other.fetched,
    numeric: isNumeric(one) && isNumeric(other)
  }
}
export const isNumeric = ({ numeric, texts }: Value) => numeric === true || texts.every((text) => /^-?\d+$/.test(text))

export interface Routine {
  /** what its name may stand for */
  readonly bodies: ReadonlyArray<Node>
  /** it is defined for sure, so that no program of this name runs */
  readonly certain: boolean
}

/**
 * How control may go elsewhere before the end: out of a function, out of a loop, out of the shell, or, after an expansion
 * that fails, on to the next line.
 */
export type Leave = "return" | "loop" | "shell" | "line"
const mostDepartures = 8

/** What stands for a program or as an alias by a name that is not known. */
export const anyName = hole
const mostFolders = 4
const blanks = " \t\n"

/** What is known of a shell at one point of a line: changed in place, copied where paths part. */
export class State {
  /** What is not in it is of the environment, hence not known. */
  variables = new Map<string, Value>()
  routines = new Map<string, Routine>()
  aliases = new Map<string, ReadonlyArray<string>>()
  /** handed on to programs */
  exported = new Set<string>()
  /** `$1` …; null: not known */
  arguments: ReadonlyArray<string> | null = []
  /** where it may be, workspace-relative or absolute; null among them: anywhere */
  folders: ReadonlyArray<string | null> = ["."]
  /** other programs by names that the line gives them */
  programs = new Map<string, Field>()
  /** files that hold what was downloaded */
  saved = new Set<string>()
  /** how control may have gone elsewhere by now, so that what follows may never run */
  left: ReadonlySet<Leave> = new Set()
  /** what was known where it went out of a function or a loop */
  private departures: ReadonlyArray<{ readonly kind: Leave; readonly state: State }> = []
  /** Variables may have been set that are not among them. */
  private vague = false
  /** What fails, or is not set, may end the shell. */
  strict = false
  /** variables that cannot be set any more */
  frozen: ReadonlySet<string> = new Set(["UID", "EUID", "PPID", "BASHOPTS", "BASH_VERSINFO", "SHELLOPTS"])
  /** variables with attributes that make another value of what is assigned, by the letters of `declare` */
  shapes: ReadonlyMap<string, string> = new Map()
  /** code that may run at any time, and what it sets */
  traps: ReadonlyArray<string> = []
  trapped: ReadonlyMap<string, Value> = new Map()
  /** in a function: what its own variables were before */
  locals: Map<string, Value | undefined> | null = null

  copy(): State {
    const copy = new State()
    copy.variables = new Map(this.variables)
    copy.routines = new Map(this.routines)
    copy.aliases = new Map(this.aliases)
    copy.exported = new Set(this.exported)
    copy.arguments = this.arguments
    copy.folders = this.folders
    copy.saved = new Set(this.saved)
    copy.programs = new Map(this.programs)
    copy.left = this.left
    copy.departures = this.departures
    copy.vague = this.vague
    copy.strict = this.strict
    copy.frozen = this.frozen
    copy.shapes = this.shapes
    copy.traps = this.traps
    copy.trapped = this.trapped
    copy.locals = this.locals
    return copy
  }
  /** What a shell begun here in passing sees: all, but control is there. */
  inner(): State {
    const inner = this.copy()
    inner.left = new Set()
    inner.departures = []
    return inner
  }

  /** Into a function; gives the way out of it. */
  enter(args: ReadonlyArray<Field>): () => void {
    const { arguments: outer, locals } = this
    const own = new Map<string, Value | undefined>()
    this.locals = own
    this.arguments = args.some(({ many }) => many) ? null : args.map(({ text }) => text)
    return () => {
      this.arrive("return")
      for (const [name, value] of own) {
        if (value === undefined) this.variables.delete(name)
        else this.variables.set(name, value)
      }
      this.locals = locals
      this.arguments = outer
    }
  }

  /** What was set for one command only may be, or not be, where control went out of that command. */
  unsettle(name: string, before: Value | undefined) {
    for (const { state } of this.departures) state.variables.set(name, either(state.get(name), before ?? unknown))
  }
  leave(kind: Leave) {
    this.left = new Set([...this.left, kind])
    if (kind === "shell" || kind === "line") return
    const before = this.departures.find((each) => each.kind === kind)
    if (before !== undefined && this.departures.length >= mostDepartures) before.state.join(this.inner())
    else this.departures = [...this.departures, { kind, state: this.inner() }]
  }
  /** At the end of what control may have gone out of. */
  arrive(kind: Leave) {
    if (!this.left.has(kind)) return
    this.left = new Set([...this.left].filter((each) => each !== kind))
    const all = this.departures
    this.departures = all.filter((each) => each.kind !== kind)
    for (const each of all) if (each.kind === kind) this.join(each.state)
  }

  /** Gives a variable attributes. */
  shape(name: string, letters: string) {
    const before = this.shapes.get(name) ?? ""
    const all = [...new Set(before + letters)].join("")
    if (all !== before) this.shapes = new Map([...this.shapes, [name, all]])
  }

  /** The characters that part words; null: not known. */
  get separators(): string | null {
    const value = this.variables.get("IFS")
    if (value === undefined) return blanks
    const [only] = value.texts
    return only === undefined || value.texts.length > 1 || only.includes(hole) ? null : only
  }

  /** What a shell of its own sees: only what is exported, which is not always known. */
  child(): State {
    const child = this.inner()
    child.arguments = []
    child.locals = null
    child.strict = false
    child.frozen = new State().frozen
    child.shapes = new Map()
    child.traps = []
    child.trapped = new Map()
    for (const [name, value] of this.variables) if (!this.exported.has(name)) child.variables.set(name, either(value, unknown))
    for (const [name, routine] of this.routines) child.routines.set(name, { ...routine, certain: false })
    // No shell takes it from its environment.
    child.variables.set("IFS", known(blanks))
    return child
  }

  /** Whether nothing on the line has set it. */
  isNew(name: string): boolean {
    return !this.vague && !this.variables.has(name)
  }
  get(name: string): Value {
    const trapped = this.trapped.get(name)
    const own = this.variables.get(name) ?? unknown
    const value = trapped === undefined ? own : either(either(own, trapped), unknown)
    const target = value.refersTo === undefined ? undefined : this.variables.get(value.refersTo)
    return target === undefined ? value : either(target, unknown)
  }

  /** What code sees that runs at another time. */
  later(): State {
    const later = this.inner()
    later.arguments = null
    for (const [name, value] of this.variables) if (name !== "IFS") later.variables.set(name, either(value, unknown))
    for (const [name, routine] of this.routines) later.routines.set(name, { ...routine, certain: false })
    return later
  }

  /** What it may be when the other path was taken instead. */
  join(other: State) {
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      this.variables.set(name, either(this.get(name), other.get(name)))
    }
    for (const name of new Set([...this.routines.keys(), ...other.routines.keys()])) {
      const one = this.routines.get(name)
      const two = other.routines.get(name)
      if (one === two) continue
      const bodies = [...new Set([...one?.bodies ?? [], ...two?.bodies ?? []])]
      this.routines.set(name, { bodies, certain: one?.certain === true && two?.certain === true })
    }
    for (const [name, texts] of other.aliases) this.aliases.set(name, [...new Set([...this.aliases.get(name) ?? [], ...texts])])
    for (const name of other.exported) this.exported.add(name)
    for (const path of other.saved) this.saved.add(path)
    for (const [name, program] of other.programs) this.programs.set(name, program)
    this.left = new Set([...this.left, ...other.left])
    this.departures = [...new Set([...this.departures, ...other.departures])]
    this.vague ||= other.vague
    this.strict ||= other.strict
    this.frozen = new Set([...this.frozen, ...other.frozen])
    for (const [name, letters] of other.shapes) this.shape(name, letters)
    this.traps = [...new Set([...this.traps, ...other.traps])]
    this.trapped = new Map([...this.trapped, ...other.trapped])
    if (this.arguments !== other.arguments) this.arguments = null
    this.folders = fewer([...this.folders, ...other.folders])
  }

  /** Anything may have happened to variables: something that is not known ran in this shell. */
  forget() {
    this.vague = true
    this.variables = new Map([...this.variables.keys()].map((name) => [name, unknown]))
    this.variables.set("IFS", known(blanks))
    this.arguments = null
    this.folders = [null]
  }
}

export const fewer = (folders: ReadonlyArray<string | null>): ReadonlyArray<string | null> => {
  const all = [...new Set(folders)]
  return all.includes(null) || all.length > mostFolders ? [null] : all
}

/** Names whose value changed between two states. */
export const changed = (before: State, after: State): ReadonlyArray<string> =>
  [...after.variables].filter(([name, value]) => {
    const was = before.variables.get(name)
    return was === undefined || was.texts.join("\n") !== value.texts.join("\n") || was.items?.join("\n") !== value.items?.join("\n")
  }).map(([name]) => name)

/** Runs with variables that are set, by `set`, for one command only; `lasting`: in some shells for good. */
export const withVariables = <A>(state: State, names: ReadonlyArray<string>, lasting: boolean, set: (index: number) => void, run: () => A): A => {
  const before = names.map((name) => [name, state.variables.get(name), state.exported.has(name)] as const)
  for (const [index, name] of names.entries()) {
    set(index)
    state.exported.add(name)
  }
  const own = names.map((name) => state.get(name))
  const result = run()
  for (const [index, [name, value, exported]] of before.entries()) {
    if (lasting) state.variables.set(name, either(value ?? unknown, own[index] ?? unknown))
    else if (value === undefined) state.variables.delete(name)
    else state.variables.set(name, value)
    if (!exported) state.exported.delete(name)
    state.unsettle(name, value)
  }
  return result
}
