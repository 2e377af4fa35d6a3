import { type Field, hole, type Input, type Simple, type Text } from "../Commands.js"
import { builtinOf, type Effects, setsVariables } from "./builtins.js"
import { type Frame, mostDepth } from "./context.js"
import { escaped } from "./escapes.js"
import { field, type Inner, joined } from "./inner.js"
import type { Ledger } from "./ledger.js"
import { namesOf } from "./names.js"
import { nothing, outputOf, unsure } from "./outputs.js"
import { programsOf, runsIn } from "./programs.js"
import { runnerOf } from "./runners.js"
import { movedTo, plainPath, renamed, savedBy } from "./saved.js"
import { isShell, readsAlike, shellOf, startsWith } from "./shells.js"
import { anyName, changed, either, known, type State, unknown, type Value } from "./state.js"
import { wrapperOf } from "./wrappers.js"

/** What running one command needs of the interpreter. */
export interface Host {
  readonly ledger: Ledger
  readonly code: (text: string, state: State, frame: Frame) => Text
  readonly call: (name: string, args: ReadonlyArray<Field>, state: State, frame: Frame) => Text | null
  readonly arithmetic: (texts: ReadonlyArray<string>, state: State) => void
  readonly set: (name: string, value: Value, state: State) => void
}
export interface Command {
  readonly fields: ReadonlyArray<Field>
  readonly source: string
  readonly sets: ReadonlyArray<string>
  /** no function or alias is meant */
  readonly program: boolean
}

const simpleOf = ({ fields, sets, source }: Command, state: State, { input, reach }: Frame): Simple =>
  ({ words: fields, source, sets, input, reach, folders: state.folders })

/** Names that a builtin sets, where that can change what programs do. */
const setBy = (name: string, args: ReadonlyArray<Field>): ReadonlyArray<string> => {
  if (name === "printf") return args[0]?.text === "-v" && /[A-Z]|\0/.test(args[1]?.text ?? "") ? [args[1]?.text.replaceAll(hole, "…") ?? ""] : []
  if (!setsVariables.has(name)) return []
  const names = args.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text)
  const assigned = names.filter((text) => /^[A-Za-z_]\w*\+?=/.test(text)).map((text) => text.replace(/\+?=[^]*/, ""))
  return name === "read" || name === "mapfile" || name === "readarray" || name === "getopts"
    ? names.filter((text) => /^[A-Za-z_]*[A-Z]\w*$/.test(text) && text !== "REPLY")
    : assigned
}

const inners = (name: string, args: ReadonlyArray<Field>, input: Input): ReadonlyArray<Inner> => {
  const text = input.given && input.sure ? input.text : null
  return [
    ...shellOf(name)?.(args, text) ?? [],
    ...wrapperOf(name)?.(args, text) ?? [],
    ...runnerOf(name)?.(args, text) ?? [],
    ...escaped(name)?.(args, input.given ? input.text : null) ?? [],
    ...programsOf(name, args, input).flatMap(runsIn)
  ]
}

const run = (host: Host, name: string, inner: Inner, state: State, frame: Frame): Text => {
  const within: Frame = { ...frame, depth: frame.depth + 1, reach: inner.is !== "unseen" && inner.reach === "guard" ? "guard" : frame.reach }
  switch (inner.is) {
    case "unseen":
      host.ledger.doubt(inner.why)
      return nothing
    case "words": {
      const same = name === "command" || name === "builtin"
      const own = same ? state : state.child()
      for (const [key, value] of inner.values ?? []) handed(host, key, value, own, within)
      return dispatch(host, { fields: inner.words, source: joined(inner.words).text.replaceAll(hole, "…"), sets: inner.sets, program: true }, own, within)
    }
    case "code": {
      const { text } = inner.text
      if (inner.later === true) return later(host, text, state, within)
      if (!inner.text.literal && inner.same) host.ledger.doubt("it evaluates text that is put together")
      if (!readsAlike(name, text) && !inner.same) host.ledger.doubt(`${name} may read its code in another way than bash`)
      const own = inner.same ? state : state.child()
      if (!inner.same) own.variables.set("0", inner.zero === undefined ? either(known(name), unknown) : known(inner.zero.text))
      if (!inner.same) own.arguments = inner.arguments.some(({ many }) => many) ? null : inner.arguments.map((each) => each.text)
      return host.code(text, own, { ...within, input: inner.same ? frame.input : frame.input })
    }
    case "input": {
      const { given, sure, text } = frame.input
      if (!given) return nothing
      if ((text === null || !sure) && inner.reach === "rules") host.ledger.doubt("a shell reads commands that are not known before it runs")
      const own = state.child()
      own.arguments = inner.arguments.map((each) => each.text)
      return text === null ? nothing : host.code(text, own, within)
    }
  }
}

/** What code that runs at any time sets is never known again. */
const later = (host: Host, text: string, state: State, frame: Frame): Text => {
  const own = state.later()
  const before = own.copy()
  const said = host.code(text, own, frame)
  state.trapped = new Map([...state.trapped, ...changed(before, own).map((name) => [name, own.get(name)] as const)])
  state.traps = [...state.traps, text]
  state.join(own)
  return unsure(said)
}

/** A variable of the environment that a wrapper sets for what it runs; some hold functions. */
const handed = (host: Host, name: string, { fetched, text }: Field, state: State, frame: Frame) => {
  const routine = /^BASH_FUNC_(.+)(?:%%|\(\))$/.exec(name)?.[1]
  if (routine !== undefined) host.code(`${routine} ${text}`, state, { ...frame, reach: "guard" })
  host.set(name, known(text, fetched), state)
  state.exported.add(name)
}

/** Runs one command for all that it may mean; gives what it writes to its output. */
export const dispatch = (host: Host, command: Command, state: State, frame: Frame): Text => {
  const { fields } = command
  const [word, ...args] = fields
  if (word === undefined || !host.ledger.step(fields.length)) return nothing
  if (frame.depth > mostDepth) {
    host.ledger.giveUp("it nests too deeply")
    return nothing
  }
  // A word that is not known may be no word at all; then the next one is the command.
  if (word.many && word.text.replaceAll(hole, "") === "" && args.length > 0) {
    dispatch(host, { ...command, fields: args }, state.copy(), { ...frame, reach: "guard" })
  }
  // So may a part of it, before or after what is written.
  const without = word.text.replaceAll(hole, "")
  if (word.glob === null && without !== "" && without !== word.text && (builtinOf(without) !== null || state.routines.has(without))) {
    const maybe = state.copy()
    dispatch(host, { ...command, fields: [{ ...word, text: without, many: false }, ...args] }, maybe, frame)
    state.join(maybe)
  }
  const routine = command.program || word.text.includes(hole) ? undefined : state.routines.get(word.text)
  if (routine?.certain === true) return host.call(word.text, args, state, frame) ?? nothing
  if (routine !== undefined) {
    const maybe = state.copy()
    host.call(word.text, args, maybe, frame)
    state.join(maybe)
  }
  const builtin = word.text.includes(hole) ? null : builtinOf(word.text)
  host.ledger.command(simpleOf(builtin === null ? command : { ...command, sets: [...command.sets, ...setBy(word.text, args)] }, state, frame))
  if (!command.program && state.aliases.has(word.text)) aliased(host, word.text, args, state, frame)
  if (!command.program && state.aliases.has(anyName)) aliased(host, anyName, args, state, frame)
  for (const other of standIns(word.text, state)) {
    const copy = state.copy()
    copy.programs.clear()
    dispatch(host, { ...command, fields: [{ ...other, literal: false }, ...args], program: true }, copy, { ...frame, reach: "guard" })
  }
  if (word.text.includes(hole) || endsShells.has(word.text)) state.leave("shell")
  const effects: Effects = {
    state,
    input: frame.input,
    doubt: (why) => host.ledger.doubt(why),
    giveUp: (why) => host.ledger.giveUp(why),
    arithmetic: (texts) => host.arithmetic(texts, state),
    set: (name, value) => host.set(name, value, state)
  }
  if (isShell(namesOf(word)[0] ?? "")) for (const file of startFiles(state)) for (const inner of startsWith(file)) run(host, word.text, inner, state, frame)
  const own = (builtin?.(args, effects) ?? []).map((inner) => run(host, word.text, inner, state, frame))
  const others = namesOf(word).flatMap((name) => inners(name, args, frame.input).map((inner) => run(host, name, inner, state, frame)))
  const [result, ...more] = [...own, ...others]
  const [name = ""] = namesOf(word)
  for (const path of [...savedBy(name, args, frame.input.fetched), ...movedTo(name, args, state.saved)]) state.saved.add(plainPath(path))
  for (const [key, program] of renamed(name, args)) state.programs.set(key, program)
  const shown = outputOf(name, fields, frame.input)
  const said = shown.fetched || state.saved.size === 0 || !args.some(({ text }) => state.saved.has(plainPath(text))) || !/^(?:cat|head|tail|sed|awk|grep|sort|tac|less|more|bat|base64|gunzip|zcat)$/.test(name) ? shown : { ...shown, fetched: true }
  if (result === undefined || said.text !== null) return said
  const sure = result.sure && !maybeNever.has(name)
  return more.length === 0 ? { ...result, sure, fetched: result.fetched || said.fetched } : { text: null, sure: true, fetched: said.fetched || [result, ...more].some(({ fetched }) => fetched) }
}

/** Programs that the line puts in this one's place. */
const standIns = (name: string, { programs }: State): ReadonlyArray<Field> => {
  const own = programs.get(name) ?? programs.get(plainPath(name))
  const all = [...programs].flatMap(([key, program]) => key.startsWith(anyName) ? [program] : [])
  return [...own === undefined ? [] : [own], ...all].filter(({ text }) => text !== name)
}

/** Files that a shell runs first, by variables that the line sets. */
const startFiles = ({ variables }: State): ReadonlyArray<Field> =>
  ["BASH_ENV", "ENV"].flatMap((name) => {
    const value = variables.get(name)
    return value?.texts.map((text) => ({ ...field(text), ...value.contents === undefined ? {} : { contents: value.contents } })) ?? []
  })

/** May end the shell, or stop it. */
const endsShells: ReadonlySet<string> = new Set(["exit", "logout", "exec", "kill", "pkill", "killall", "ulimit", "source", ".", "suspend"])

/** Run what they are given once for each of what they find, which may be nothing; or not at all, with an option that is none. */
const maybeNever: ReadonlySet<string> = new Set(["exec", "find", "fd", "fdfind", "xargs", "gxargs", "parallel"])

/** An alias holds from the next line on, in some shells only: both readings count. */
const aliased = (host: Host, name: string, args: ReadonlyArray<Field>, state: State, frame: Frame) => {
  host.ledger.doubt(name === anyName ? "names may be aliases" : `${name} may be an alias`)
  for (const text of state.aliases.get(name) ?? []) {
    const copy = state.copy()
    copy.aliases.delete(name)
    host.code([text, ...args.map((each) => each.text)].join(" "), copy, { ...frame, depth: frame.depth + 1 })
  }
}
