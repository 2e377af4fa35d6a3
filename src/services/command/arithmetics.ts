import { hole } from "../Commands.js"
import type { Ledger } from "./ledger.js"
import { number, type State } from "./state.js"

/** What stands in the brackets of a text that is evaluated. */
export const subscripts = (text: string): ReadonlyArray<string> => [...text.matchAll(/\[([^\]]*)/g)].map(([, inner = ""]) => inner)

/**
 * Arithmetic evaluates the values of variables in turn, and runs substitutions in their subscripts (`run`). Gives all texts
 * that it evaluates.
 */
export const evaluated = (texts: ReadonlyArray<string>, state: State, ledger: Ledger, run: (code: string) => void): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const queue = [...texts]
  for (let text = queue.pop(); text !== undefined && ledger.step(); text = queue.pop()) {
    if (seen.has(text)) continue
    seen.add(text)
    if (text.includes(hole)) ledger.doubt("arithmetic uses a value that is not known")
    if (/\$\(|`/.test(text)) {
      ledger.doubt("arithmetic runs a command")
      run(`: "${text.replace(/["\\]/g, "")}"`)
    }
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      const value = state.variables.get(name)
      if (value?.numeric !== true) queue.push(...value?.texts ?? [])
    }
    for (const [, before, after] of text.matchAll(/([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g)) {
      const name = before ?? after
      if (name !== undefined) state.variables.set(name, number)
    }
  }
  return [...seen]
}
