import stringWidth from "string-width"
import { clip, still, wrap } from "./fit.js"
import { outcomeOf } from "./outcome.js"
import type { Style } from "./style.js"

/** Lines that are told of why a call failed; the model has them all. */
const mostReasons = 4

/** What is printed for good, in blocks: an answer's text and the calls around it stand apart by an empty line. */
export const makeBlocks = (say: (...lines: ReadonlyArray<string>) => void, style: Style, width: () => number) => {
  let last: "prompt" | "text" | "calls" = "prompt"
  const begin = (block: "text" | "calls") => {
    if (last !== block) say("")
    last = block
  }
  return {
    afterPrompt: () => {
      last = "prompt"
    },
    /** Finished lines of the answer, and its unfinished one. */
    text: (lines: ReadonlyArray<string>, rest: string) => {
      // An answer often begins with line ends of its own.
      const from = last === "text" ? 0 : lines.findIndex((line) => line.trim() !== "")
      if (last !== "text" && from === -1 && rest.trim() === "") return
      begin("text")
      if (from !== -1) say(...lines.slice(from))
    },
    ended: (title: string, name: string, output: string) => {
      begin("calls")
      const { text, well } = outcomeOf(name, output)
      const room = width() - 2
      const head = clip(still(title), Math.max(Math.floor(room * 0.6), room - 2 - stringWidth(text)))
      const told = clip(text, Math.max(1, room - 2 - stringWidth(head)))
      say(`${well ? style.green("✓") : style.yellow("✗")} ${head}${told === "" ? "" : style.dim(`  ${told}`)}`)
    },
    failed: (title: string, mark: string, why: string) => {
      begin("calls")
      const reasons = still(why).trim().split("\n").flatMap((line) => wrap(line, width() - 4))
      const more = reasons.length - mostReasons
      say(`${mark} ${clip(still(title), width() - 2)}`, ...reasons.slice(0, more === 1 ? mostReasons + 1 : mostReasons).map((line) => style.dim(`    ${line}`)))
      if (more > 1) say(style.dim(`    … ${more} more lines`))
    },
    /** What is neither answer nor call. */
    aside: (text: string, colour: (line: string) => string) => {
      begin("calls")
      say(...text.split("\n").flatMap((line) => wrap(line, width())).map(colour))
    }
  }
}
