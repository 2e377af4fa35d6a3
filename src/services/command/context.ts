import type { Input } from "../Commands.js"
import type { Node } from "./ast.js"

/** How a command is run, beside the state of its shell. */
export interface Frame {
  readonly input: Input
  readonly reach: "rules" | "guard"
  /** bodies of the functions that are being run, innermost last; a name may stand for another body meanwhile */
  readonly calls: ReadonlyArray<Node>
  /** It runs beside what follows it: in the background, or as one of the calls of a pipeline. */
  readonly aside: { readonly background: boolean; readonly pipeline: { calls: number } | null }
  /** It runs once more, in a `>(…)`, with what is written to that; not again for one within. */
  readonly fed: boolean
  /** how many shells, evaluations and functions it is in */
  readonly depth: number
}

export const noInput: Input = { text: null, sure: true, fetched: false, given: false }
export const topFrame: Frame = { input: noInput, reach: "rules", calls: [], aside: { background: false, pipeline: null }, fed: false, depth: 0 }
export const mostDepth = 12
