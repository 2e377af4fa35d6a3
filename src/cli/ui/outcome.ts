import { withoutEscapes } from "../../tools/text/escapes.js"

/** How a call ended, in a few words. */
export interface Outcome {
  readonly text: string
  readonly well: boolean
}

const lines = (count: number) => count === 1 ? "1 line" : `${count} lines`

/** `exit code: 1`, then what was printed. */
const ofCommand = (output: string): Outcome => {
  const [first = "", ...rest] = output.split("\n")
  const printed = rest.filter((line) => line !== "stdout:" && line !== "stderr:" && line.trim() !== "")
  const told = printed.length === 0 ? "" : printed.length === 1 ? printed[0] ?? "" : lines(printed.length)
  const code = /^exit code: (\d+)$/.exec(first)?.[1]
  if (code === "0") return { well: true, text: told === "" ? "no output" : told }
  return { well: false, text: [code === undefined ? first : `exit ${code}`, told].filter((part) => part !== "").join(", ") }
}

/** What a tool's result says in one line; of a change, how much it changed. */
export const outcomeOf = (name: string, output: string): Outcome => {
  const text = withoutEscapes(output).trim()
  if (name === "bash") return ofCommand(text)
  const [first = "", ...more] = text.split("\n")
  const change = /^(?:Edited|Applied|Wrote|Inserted|Deleted|Replaced|Appended|Prepended|Moved)\b.*\(([^()]+)\)\.$/.exec(first)?.[1]
  if (name === "todo_write") return { well: true, text: first.replace(/ tasks done\.$/, " done") }
  if (change !== undefined) return { well: true, text: change.replace(/^(\+\d+ -\d+) lines$/, "$1") }
  if (more.length === 0 || name === "task") return { well: true, text: first }
  return { well: true, text: lines(more.length + 1) }
}
