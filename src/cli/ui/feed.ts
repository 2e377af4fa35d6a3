import type { AgentEvent } from "../../services/Agent.js"
import { callLine } from "../output/events.js"
import type { Markdown } from "./markdown.js"
import type { RunningCall, Screen, Store } from "./state.js"
import type { Style } from "./style.js"

/** Longest tail of a running command that is kept for its panel. */
const mostTail = 4000
const mostReasoning = 100_000
/** Milliseconds between two drawings. */
const frame = 33

const oneLine = (text: string, most = 110) => {
  const [line = "", ...more] = text.trim().split("\n")
  return `${line.length > most ? `${line.slice(0, most - 1)}…` : line}${more.length > 0 ? ` (+${more.length} lines)` : ""}`
}

/**
 * Turns the agent's events into lines above the live part (each printed once, in batches) and into the screen's state,
 * which changes at most once a frame.
 */
export const makeFeed = (screen: Store<Screen>, markdown: Markdown, style: Style, print: (text: string) => void) => {
  let lines: Array<string> = []
  let next = screen.get()
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const ready = lines
    lines = []
    if (ready.length > 0) print(`${ready.join("\n")}\n`)
    const { hint, inquiry, question, queue, reasoningShown, status, todos } = screen.get()
    next = { ...next, partial: markdown.rest(), hint, inquiry, question, queue, reasoningShown, status, todos }
    screen.set(next)
  }
  const soon = () => {
    timer ??= setTimeout(flush, frame)
  }
  const say = (...said: ReadonlyArray<string>) => {
    lines.push(...said)
    soon()
  }
  const change = (part: Partial<Screen>) => {
    next = { ...next, ...part }
    soon()
  }
  const callsWith = (id: string, call: Partial<RunningCall>) =>
    next.calls.some((each) => each.id === id)
      ? next.calls.map((each) => each.id === id ? { ...each, ...call } : each)
      : [...next.calls, { id, name: "", title: "", tail: "", ...call }]
  const endCall = (id: string, mark: string, outcome: string) => {
    const call = next.calls.find((each) => each.id === id)
    say(...markdown.end(), `${mark} ${call?.title ?? ""}${outcome === "" ? "" : style.dim(`  ${outcome}`)}`)
    change({ calls: next.calls.filter((each) => each.id !== id) })
  }
  const take = (event: AgentEvent): void => {
    switch (event.type) {
      case "session":
        return change({ working: true, reasoning: "", reasoningChars: 0 })
      case "text":
        return say(...markdown.push(event.text))
      case "reasoning":
        return change({ reasoningChars: next.reasoningChars + event.text.length, reasoning: (next.reasoning + event.text).slice(-mostReasoning) })
      case "tool-start":
        say(...markdown.end())
        return change({ calls: callsWith(event.id, { name: event.name, title: event.name }) })
      case "tool-call":
        return change({ calls: callsWith(event.id, { name: event.name, title: callLine(event.name, event.input) }) })
      case "tool-output": {
        const tail = (next.calls.find((each) => each.id === event.id)?.tail ?? "") + event.text
        return change({ calls: callsWith(event.id, { tail: tail.slice(-mostTail) }) })
      }
      case "tool-result":
        return endCall(event.id, style.green("✓"), event.name === "bash" || event.name === "task" ? oneLine(event.output) : countOf(event.output))
      case "tool-error":
        return endCall(event.id, style.red("✗"), oneLine(event.message, 200))
      case "tool-denied":
        return endCall(event.id, style.yellow("⊘"), `denied: ${oneLine(event.reason, 200)}`)
      case "compacted":
        return say(style.dim(`context compacted: ${event.before} to ${event.after} tokens`))
      case "notice":
        return say(style.yellow(event.message))
      case "error":
        return say(...markdown.end(), style.red(event.message))
      case "done":
        say(...markdown.end(), ...event.stop === "end" ? [] : [style.yellow(`stopped: ${event.stop}`)], "")
        return change({ working: false, calls: [] })
    }
  }
  return { take, say, change, flush }
}
export type Feed = ReturnType<typeof makeFeed>

const countOf = (output: string) => {
  const count = output.split("\n").length
  return count === 1 ? oneLine(output) : `${count} lines`
}
