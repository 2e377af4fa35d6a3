import { type Field, hole, type Text } from "../Commands.js"
import { type Assignment, type Node, type Reading, readersIn, type Redirect, type Script, type Word } from "./ast.js"
import { commandVariable, isLasting } from "./builtins.js"
import { type Frame, mostDepth, noInput } from "./context.js"
import { dispatch, type Host } from "./dispatch.js"
import { Expander, type Shell } from "./expand.js"
import { evaluated, subscripts } from "./arithmetics.js"
import { assign, isSum } from "./assigning.js"
import { arrayOf, elementsOf, hasKey, keyOf, looksKeyed, oneOf, withElement } from "./elements.js"
import { anything, field } from "./inner.js"
import type { Ledger } from "./ledger.js"
import { after, nothing, unsure } from "./outputs.js"
import { read } from "./read.js"
import { isLost, redirections } from "./redirections.js"
import { plainPath } from "./saved.js"
import { changed, either, isNumeric, known, number, type State, unknown, type Value, withVariables } from "./state.js"

const mostLoops = 3

/** Goes through shell code the way a shell would, on every path at once, and writes down what it may run. */
export class Interpreter implements Host, Shell {
  private readonly expander = new Expander(this)
  private readonly readings = new Map<string, Reading>()
  private loops = 0
  private frame: Frame

  constructor(readonly ledger: Ledger, frame: Frame) {
    this.frame = frame
  }

  doubt(why: string) {
    this.ledger.doubt(why)
  }
  giveUp(why: string) {
    this.ledger.giveUp(why)
  }

  /** Runs a text as code. What it could not read is noted. */
  code(text: string, state: State, frame: Frame): Text {
    if (frame.depth > mostDepth) {
      this.giveUp("it nests too deeply")
      return nothing
    }
    if (text.includes(hole)) this.doubt("it runs code that is put together from what is not known")
    const reading = this.readings.get(text) ?? read(text)
    this.readings.set(text, reading)
    if (frame.reach === "rules" || frame.depth === 0) {
      for (const why of reading.doubts) this.doubt(why)
      if (reading.fault !== null) this.giveUp(reading.fault)
    }
    const { traps } = state
    const said = this.script(reading.script, state, frame)
    for (const each of state.traps) if (!traps.includes(each)) this.code(each, state.inner(), { ...frame, depth: frame.depth + 1 })
    return said
  }

  script(script: Script, state: State, frame: Frame): Text {
    return script.items.reduce((before, { background, node }) => {
      if (background) return after(before, this.node(node, state.inner(), { ...frame, aside: { ...frame.aside, background: true } }))
      // It may never come to this.
      const [doubtful, skipped] = [state.left.size > 0, state.left.has("line") ? state.copy() : null]
      const text = this.node(node, state, frame)
      if (skipped !== null) state.join(skipped)
      if (state.strict) state.leave("shell")
      return after(before, doubtful && text.text !== "" ? unsure(text) : text)
    }, nothing)
  }

  output(script: Script, state: State): Text {
    return this.script(script, state.inner(), this.frame)
  }
  process(script: Script, writes: boolean, state: State): Value {
    const text = this.script(script, state.inner(), writes ? { ...this.frame, input: { ...noInput, text: null, given: true } } : this.frame)
    return writes ? unknown : { ...unknown, fetched: text.fetched, contents: text }
  }

  /** Expansions run commands in the frame of the command they are in. */
  private inFrame<A>(frame: Frame, run: () => A): A {
    const before = this.frame
    this.frame = frame
    const result = run()
    this.frame = before
    return result
  }
  private expand(words: ReadonlyArray<Word>, state: State, frame: Frame) {
    return this.inFrame(frame, () => this.expander.fields(words, state))
  }
  private value(word: Word, state: State, frame: Frame): Value {
    return this.inFrame(frame, () => this.expander.value(word, state))
  }

  private calculate(word: Word, state: State, frame: Frame, fatal = false) {
    this.inFrame(frame, () => this.expander.reckon(word, state, fatal))
  }

  node(node: Node, state: State, frame: Frame): Text {
    if (!this.ledger.step()) return nothing
    switch (node.is) {
      case "simple":
        return this.simple(node, state, frame)
      case "group":
        return this.script(node.body, node.subshell ? state.inner() : state, frame)
      case "pipeline":
        return this.pipeline(node, state, frame)
      case "either": {
        const left = this.node(node.left, state, frame)
        const right = this.branch(state, (copy) => this.node(node.right, copy, frame))
        return unsure(after(left, right))
      }
      case "if": {
        let text = nothing
        for (const { body, test } of node.branches) {
          text = after(text, this.script(test, state, frame))
          text = after(text, this.branch(state, (copy) => this.script(body, copy, frame)))
        }
        const { otherwise } = node
        return unsure(otherwise === null ? text : after(text, this.branch(state, (copy) => this.script(otherwise, copy, frame))))
      }
      case "while":
        return this.loop(state, (copy) => after(this.script(node.test, copy, frame), this.script(node.body, copy, frame)))
      case "for":
        return this.over(node, state, frame)
      case "count":
        this.calculate(node.expression, state, frame)
        return this.loop(state, (copy) => this.script(node.body, copy, frame))
      case "case":
        return this.choice(node, state, frame)
      case "function":
        return this.define(node, state, frame)
      case "arithmetic":
      case "test":
        for (const word of node.is === "test" ? node.words : [node.expression]) {
          if (node.is === "arithmetic" || node.numeric) this.calculate(word, state, frame)
          else this.value(word, state, frame)
        }
        return nothing
      case "coproc":
        this.node(node.body, state.inner(), { ...frame, input: { ...noInput, given: true }, aside: { ...frame.aside, background: true } })
        state.variables.set(node.name, unknown)
        // In a substitution bash takes the name that it gives to a simple one for the command (5.2).
        if (node.body.is === "simple") this.ledger.command({ words: [field(node.name), anything], source: "coproc", sets: [], input: frame.input, reach: frame.reach, folders: state.folders })
        return nothing
      case "redirected":
        return this.redirected(node.redirects, "", state, frame, (within) => this.node(node.body, state, within))
    }
  }

  private branch(state: State, run: (copy: State) => Text): Text {
    const copy = state.copy()
    const text = run(copy)
    state.join(copy)
    return text
  }

  /** Once with what is known before, and once more with what the loop changes taken as not known. */
  private loop(state: State, run: (copy: State) => Text): Text {
    this.loops++
    const first = state.copy()
    let text = this.loops > mostLoops ? nothing : run(first)
    const names = this.loops > mostLoops ? [...state.variables.keys()] : changed(state, first)
    const moved = first.folders.join("\0") !== state.folders.join("\0")
    state.join(first)
    if (names.length > 0 || moved || this.loops > mostLoops) {
      for (const name of names) state.variables.set(name, isNumeric(state.get(name)) ? number : either(state.get(name), unknown))
      if (moved) state.folders = [null]
      text = after(text, this.branch(state, run))
    }
    this.loops--
    state.arrive("loop")
    return unsure(text)
  }

  private pipeline(node: Node & { is: "pipeline" }, state: State, frame: Frame): Text {
    if (node.timed) {
      this.ledger.command({ words: [field("time")], source: "time", sets: [], input: frame.input, reach: frame.reach, folders: state.folders })
    }
    const [only] = node.stages
    if (node.stages.length === 1 && only !== undefined) return this.node(only, state, frame)
    const aside = { ...frame.aside, pipeline: { calls: 0 } }
    return node.stages.reduce<{ readonly frame: Frame; readonly text: Text }>((before, stage) => {
      const text = this.node(stage, state.inner(), before.frame)
      return { frame: { ...frame, aside, input: { ...text, given: true } }, text }
    }, { frame: { ...frame, aside }, text: nothing }).text
  }

  private over(node: Node & { is: "for" }, state: State, frame: Frame): Text {
    const values = node.words === null
      ? state.arguments?.map((text) => known(text)) ?? [unknown]
      : this.expand(node.words, state, frame).flat().map(({ fetched, text }) => known(text, fetched))
    const each = values.reduce(either, values[0] ?? known(""))
    if (/[A-Z]/.test(node.name)) this.doubt(`the loop sets ${node.name}, which programs may read`)
    return this.loop(state, (copy) => {
      this.set(node.name, node.select ? either(each, unknown) : each, copy)
      return this.script(node.body, copy, frame)
    })
  }

  private choice(node: Node & { is: "case" }, state: State, frame: Frame): Text {
    this.value(node.subject, state, frame)
    return unsure(node.items.reduce((before, { body, patterns }) => {
      for (const pattern of patterns) this.value(pattern, state, frame)
      return after(before, this.branch(state, (copy) => this.script(body, copy, frame)))
    }, nothing))
  }

  /** A function counts as run where it is defined, with arguments that are not known, and again where it is called. */
  private define(node: Node & { is: "function" }, state: State, frame: Frame): Text {
    state.routines.set(node.name, { bodies: [node.body], certain: true })
    const copy = state.inner()
    copy.arguments = null
    copy.locals = new Map()
    if (!frame.calls.includes(node.body)) {
      this.node(node.body, copy, { ...frame, calls: [...frame.calls, node.body], aside: { background: false, pipeline: null }, depth: frame.depth + 1 })
    }
    return nothing
  }
  call(name: string, args: ReadonlyArray<Field>, state: State, frame: Frame): Text | null {
    const routine = state.routines.get(name)
    if (routine === undefined) return null
    const { bodies } = routine
    const times = frame.calls.filter((each) => bodies.includes(each)).length
    if (times > 0) {
      const { background, pipeline } = frame.aside
      if (background || (pipeline !== null && ++pipeline.calls > 1)) this.ledger.explodes(name)
      if (times > 1) return { text: null, sure: true, fetched: false }
    }
    const leave = state.enter(args)
    const depth = frame.depth + 1
    const run = (body: Node, own: State) =>
      depth > mostDepth ? nothing : this.node(body, own, { ...frame, calls: [...frame.calls, body], aside: { background: false, pipeline: null }, depth })
    const [only, ...others] = bodies
    const text = only !== undefined && others.length === 0 ? run(only, state) : unsure(bodies.map((body) => this.branch(state, (copy) => run(body, copy))).reduce(after))
    leave()
    return text
  }

  private redirected(redirects: ReadonlyArray<Redirect>, source: string, state: State, frame: Frame, run: (frame: Frame) => Text, left = state.left): Text {
    const { held, input, mayFail, taken, written } = this.inFrame(frame, () => redirections(redirects, this.expander, state, frame.input, source))
    // Where one of them cannot be made, or an expansion fails, nothing is run.
    const fails = mayFail || [...state.left].some((each) => !left.has(each))
    const unchanged = fails ? state.copy() : null
    for (const each of held) this.guarded(each, state, frame)
    const text = run({ ...frame, input })
    if (unchanged !== null) state.join(unchanged)
    for (const { path } of written) {
      this.ledger.write(path, source, state.folders, text)
      if (text.fetched) state.saved.add(plainPath(path.text))
    }
    this.feed(redirects.map(({ target }) => target), text, state, frame)
    // Elsewhere may be the same place once more: by /dev/stdout, a link, another descriptor, a process that hands it on.
    return taken === null ? (fails ? unsure(text) : text) : isLost(taken) ? { ...text, text: "" } : unsure(text)
  }

  /** What may be read as code later on, by a way that is not followed: so the guard looks at it. */
  private guarded({ text }: Text, state: State, frame: Frame) {
    if (text !== null && text !== "") this.code(text, state.child(), { ...frame, reach: "guard", depth: frame.depth + 1 })
  }

  private feed(words: ReadonlyArray<Word>, text: Text, state: State, frame: Frame) {
    if (frame.fed || (text.text === null && !text.fetched)) return
    for (const script of readersIn(words)) this.script(script, state.inner(), { ...frame, input: { ...text, given: true }, fed: true })
  }

  private simple(node: Node & { is: "simple" }, state: State, frame: Frame): Text {
    const { assignments, redirects, source, words } = node
    const { left } = state
    const lists = this.expand(words, state, frame)
    // One after the other: each sees what those before it have set.
    const ahead = assignments.length > 1 ? state.copy() : state
    const values = assignments.map((each) => {
      const value = this.assigned(each, ahead, frame)
      if (ahead !== state) this.set(each.name, value, ahead)
      return value
    })
    for (const kind of ahead.left) if (!state.left.has(kind)) state.leave(kind)
    const names = assignments.map(({ name }) => name)
    return this.redirected(redirects, source, state, frame, (within) => {
      if (words.length === 0 || lists.some((list) => list.length === 0)) {
        // `$(<file)` gives what is in the file.
        const reads = words.length === 0 && names.length === 0 && redirects.some(({ operator }) => operator === "<")
        if (reads) return { text: within.input.text, sure: within.input.sure, fetched: within.input.fetched }
        if (names.length > 0) this.ledger.command({ words: [], source, sets: names, input: within.input, reach: frame.reach, folders: state.folders })
        for (const [index, name] of names.entries()) this.set(name, values[index] ?? unknown, state)
        if (words.length === 0) return nothing
      }
      this.feed(words, within.input, state, frame)
      const full = lists.filter((list) => list.length > 0)
      // For good, then, for all that follows.
      if (within.input !== frame.input && full.some((fields) => fields.at(-1)?.text === "exec")) this.guarded(within.input, state, frame)
      const texts = full.map((fields) => {
        const own = full.length === 1 ? state : state.copy()
        const text = withVariables(own, names, isLasting(fields[0]?.text ?? "", own), (index) => this.set(names[index] ?? "", values[index] ?? unknown, own), () => dispatch(this, { fields, source, sets: names, program: false }, own, within))
        if (text.fetched && !within.input.fetched) this.feed(words, text, own, frame)
        own.variables.set("_", known(fields.at(-1)?.text ?? ""))
        if (own !== state) state.join(own)
        return text
      })
      return texts.length === 1 ? texts[0] ?? nothing : { text: null, sure: false, fetched: texts.some(({ fetched }) => fetched) }
    }, left)
  }

  private assigned({ append, index, name, value }: Assignment, state: State, frame: Frame): Value {
    if (index !== null) this.calculate(index, state, frame, true)
    const before = state.get(name)
    if (!("parts" in value)) {
      const [fields = [], ...more] = this.expand(value, state, frame)
      if (value.some(hasKey)) this.arithmetic(fields.flatMap(keyOf), state, true)
      const known = append && !state.isNew(name) ? elementsOf(before) : []
      return known === null || more.length > 0
        ? oneOf([...before.texts, ...[fields, ...more].flat().map(({ text }) => text)], [fields, ...more].flat().some(({ fetched }) => fetched))
        : arrayOf(fields, known, !value.some(looksKeyed))
    }
    const set = this.value(value, state, frame)
    if (index !== null) return withElement(state, name, this.value(index, state, frame).texts, set)
    if (!append) return set
    const texts = before.texts.flatMap((one) => set.texts.map((other) => one + other))
    return { texts: state.variables.has(name) && texts.length < 12 && before.items === null ? texts : [hole], items: null, fetched: before.fetched || set.fetched }
  }

  set(name: string, value: Value, state: State) {
    if (isSum(state, name)) this.arithmetic(value.items ?? value.texts, state, true)
    if (!assign(state, name, value)) return
    if (commandVariable.test(name)) {
      for (const text of value.texts) if (text.replaceAll(hole, "").trim() !== "") this.code(text, state.child(), { ...this.frame, reach: "guard", depth: this.frame.depth + 1 })
    }
    if (name === "PS4") this.arithmetic(value.texts, state)
  }

  /** `fatal`: where it fails the rest of the line is left out, as it is wherever a subscript fails. */
  arithmetic(texts: ReadonlyArray<string>, state: State, fatal = false) {
    const all = evaluated(texts, state, this.ledger, (code) => {
      this.code(code, state.copy(), { ...this.frame, depth: this.frame.depth + 1 })
    })
    const sums = [...all.flatMap(subscripts), ...fatal ? texts : []]
    if (!sums.every((text) => this.expander.isSure(text, state))) state.leave("line")
  }
}
