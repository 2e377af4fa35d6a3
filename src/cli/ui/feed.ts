import type { AgentEvent } from "../../services/Agent.js"
import { callLine } from "../output/events.js"
import { makeBlocks } from "./blocks.js"
import type { Markdown } from "./markdown.js"
import type { RunningCall, Screen, Store } from "./state.js"
import type { Style } from "./style.js"

/** Longest tail of a running command that is kept for its panel. */
const mostTail = 4000
const mostReasoning = 100_000
/** Milliseconds between two drawings. */
const frame = 33

/** Lines to print and changes of the screen's state, gathered and given on at most once a frame. */
const makeFrames = (screen: Store<Screen>, markdown: Markdown, print: (text: string) => void) => {
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
    next = { ...next, partial: markdown.drawn(), hint, inquiry, question, queue, reasoningShown, status, todos }
    screen.set(next)
  }
  const soon = () => {
    timer ??= setTimeout(flush, frame)
  }
  return {
    flush,
    soon,
    now: () => next,
    say: (...said: ReadonlyArray<string>) => {
      lines.push(...said)
      soon()
    },
    change: (part: Partial<Screen>) => {
      next = { ...next, ...part }
      soon()
    }
  }
}

/** Turns the agent's events into lines above the live part, each printed once, and into the screen's state. */
export const makeFeed = (screen: Store<Screen>, markdown: Markdown, style: Style, width: () => number, print: (text: string) => void) => {
  const { change, flush, now, say, soon } = makeFrames(screen, markdown, print)
  let thinking = false
  const callsWith = (id: string, call: Partial<RunningCall>) =>
    now().calls.some((each) => each.id === id)
      ? now().calls.map((each) => each.id === id ? { ...each, ...call } : each)
      : [...now().calls, { id, name: "", title: "", tail: "", ...call }]
  const blocks = makeBlocks(say, style, width)
  const text = (lines: ReadonlyArray<string>) => {
    if (lines.length > 0 || markdown.rest().trim() !== "") thinking = false
    blocks.text(lines, markdown.rest())
    soon()
  }
  const endText = () => {
    thinking = false
    text(markdown.end())
  }
  const titleOf = (id: string) => now().calls.find((each) => each.id === id)?.title ?? ""
  const over = (id: string) => change({ calls: now().calls.filter((each) => each.id !== id) })
  const failed = (id: string, mark: string, why: string) => {
    endText()
    blocks.failed(titleOf(id), mark, why)
    over(id)
  }
  /** What is thought after something was said or done is another thought. */
  const think = (thought: string) => {
    const before = thinking ? now() : { reasoning: "", reasoningChars: 0 }
    thinking = true
    change({ reasoningChars: before.reasoningChars + thought.length, reasoning: (before.reasoning + thought).slice(-mostReasoning) })
  }
  const take = (event: AgentEvent): void => {
    switch (event.type) {
      case "session":
        blocks.afterPrompt()
        return change({ working: true, since: performance.now(), reasoning: "", reasoningChars: 0 })
      case "text":
        return text(markdown.push(event.text))
      case "reasoning":
        return think(event.text)
      case "tool-start":
        endText()
        return change({ calls: callsWith(event.id, { name: event.name, title: event.name }) })
      case "tool-call":
        return change({ calls: callsWith(event.id, { name: event.name, title: callLine(event.name, event.input) }) })
      case "tool-output": {
        const tail = (now().calls.find((each) => each.id === event.id)?.tail ?? "") + event.text
        return change({ calls: callsWith(event.id, { tail: tail.slice(-mostTail) }) })
      }
      case "tool-result":
        endText()
        blocks.ended(titleOf(event.id), event.name, event.output)
        return over(event.id)
      case "tool-error":
        return failed(event.id, style.red("✗"), event.message)
      case "tool-denied":
        return failed(event.id, style.yellow("⊘"), `denied: ${event.reason}`)
      case "compacted":
        return blocks.aside(`context compacted: ${event.before} to ${event.after} tokens`, style.dim)
      case "notice":
        return blocks.aside(event.message, style.yellow)
      case "error":
        endText()
        return blocks.aside(event.message, style.red)
      case "done":
        endText()
        if (event.stop !== "end" && event.stop !== "error") blocks.aside(`stopped: ${event.stop}`, style.yellow)
        return change({ working: false, calls: [] })
    }
  }
  return { take, say, change, flush }
}
export type Feed = ReturnType<typeof makeFeed>
