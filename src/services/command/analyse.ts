import { type Analysis, hole, noCommand } from "../Commands.js"
import { topFrame } from "./context.js"
import { dispatch } from "./dispatch.js"
import { field, joined } from "./inner.js"
import { Interpreter } from "./interpreter.js"
import { Ledger } from "./ledger.js"
import { either, known, State, unknown } from "./state.js"

const control = /[\x00-\x08\x0b-\x1f\x7f]/

const startState = () => {
  const state = new State()
  state.variables.set("IFS", known(" \t\n"))
  for (const name of ["SHELL", "BASH"]) state.variables.set(name, { texts: [hole, "/bin/bash"], items: null, fetched: false })
  // By whatever path it was started.
  state.variables.set("0", either(known("bash"), unknown))
  return state
}

/** The analysis when a second, independent reading of the line sees other commands: nothing can be allowed by it. */
export const disputed = (analysis: Analysis): Analysis =>
  ({ ...analysis, doubts: [...analysis.doubts, "two readings of it differ"] })

/** A line taken apart into all that it may run. Pure; never throws. */
export const analyse = (line: string): Analysis => {
  const ledger = new Ledger()
  if (control.test(line)) ledger.giveUp("it has a control character in it")
  const interpreter = new Interpreter(ledger, topFrame)
  try {
    interpreter.code(line, startState(), topFrame)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    ledger.giveUp("it nests too deeply")
  }
  const analysis = ledger.analysis(line)
  const empty = analysis.commands.length === 0 && analysis.writes.length === 0
  return empty && analysis.unread === null ? { ...analysis, unread: noCommand } : analysis
}

/** The same for a program that is started with these arguments, by no shell. */
export const analyseWords = (words: ReadonlyArray<string>): Analysis => {
  const ledger = new Ledger()
  const interpreter = new Interpreter(ledger, topFrame)
  const fields = words.map(field)
  dispatch(interpreter, { fields, source: joined(fields).text, sets: [], program: true }, startState(), topFrame)
  return ledger.analysis(words.join(" "))
}
