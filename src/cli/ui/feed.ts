import stringWidth from "string-width"
import type { AgentEvent } from "../../services/Agent.js"
import { callLine } from "../output/events.js"
import { withoutEscapes } from "../../tools/text/escapes.js"
import { clip, wrap } from "./fit.js"
import type { Markdown } from "./markdown.js"
import { outcomeOf } from "./outcome.js"
import type { RunningCall, Screen, Store } from "./state.js"
import type { Style } from "./style.js"

/** Longest tail of a running command that is kept for its panel. */
const mostTail = 4000
const mostReasoning = 100_000
/** Lines that are told of why a call failed; the model has them all. */
const mostReasons = 4
/** Milliseconds between two drawings. */
const frame = 33

/**
 * Turns the agent's events into lines above the live part (each printed once, in batches) and into the screen's state,
 * which changes at most once a frame.
 */
export const makeFeed = (screen: Store<Screen>, markdown: Markdown, style: Style, width: () => number, print: (text: string) => void) => {
  let lines: Array<string> = []
  let next = screen.get()
  let timer: NodeJS.Timeout | null = null
  let last: "prompt" | "text" | "calls" = "prompt"
  let thinking = false
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
  /** An answer's text and the calls around it stand apart by an empty line. */
  const begin = (block: "text" | "calls") => {
    thinking = false
    if (last !== block) say("")
    last = block
  }
  const text = (added: ReadonlyArray<string>) => {
    if (added.length === 0) {
      if (last !== "text" && markdown.rest().trim() !== "") begin("text")
      return soon()
    }
    // An answer often begins with line ends of its own.
    const said = last === "text" ? added : added.slice(added.findIndex((line) => line.trim() !== ""))
    if (last !== "text" && said.every((line) => line.trim() === "")) return
    begin("text")
    say(...said)
  }
  const titleOf = (id: string) => withoutEscapes(next.calls.find((each) => each.id === id)?.title ?? "")
  const over = (id: string) => change({ calls: next.calls.filter((each) => each.id !== id) })
  const ended = (id: string, name: string, output: string) => {
    text(markdown.end())
    begin("calls")
    const { text: outcome, well } = outcomeOf(name, output)
    const room = width() - 2
    const title = clip(titleOf(id), Math.max(Math.floor(room * 0.6), room - 2 - outcome.length))
    const told = clip(outcome, room - 2 - stringWidth(title))
    say(`${well ? style.green("✓") : style.yellow("✗")} ${title}${told === "" ? "" : style.dim(`  ${told}`)}`)
    over(id)
  }
  const failed = (id: string, mark: string, why: string) => {
    text(markdown.end())
    begin("calls")
    const reasons = withoutEscapes(why).trim().split("\n").flatMap((line) => wrap(line, width() - 4))
    const more = reasons.length - mostReasons
    say(`${mark} ${clip(titleOf(id), width() - 2)}`, ...reasons.slice(0, more === 1 ? mostReasons + 1 : mostReasons).map((line) => style.dim(`    ${line}`)))
    if (more > 1) say(style.dim(`    … ${more} more lines`))
    over(id)
  }
  const aside = (...said: ReadonlyArray<string>) => {
    begin("calls")
    say(...said)
  }
  /** What is thought after something was said or done is another thought. */
  const think = (thought: string) => {
    const before = thinking ? next : { reasoning: "", reasoningChars: 0 }
    thinking = true
    change({ reasoningChars: before.reasoningChars + thought.length, reasoning: (before.reasoning + thought).slice(-mostReasoning) })
  }
  const take = (event: AgentEvent): void => {
    switch (event.type) {
      case "session":
        last = "prompt"
        return change({ working: true, since: performance.now(), reasoning: "", reasoningChars: 0 })
      case "text":
        return text(markdown.push(event.text))
      case "reasoning":
        return think(event.text)
      case "tool-start":
        thinking = false
        text(markdown.end())
        return change({ calls: callsWith(event.id, { name: event.name, title: event.name }) })
      case "tool-call":
        return change({ calls: callsWith(event.id, { name: event.name, title: callLine(event.name, event.input) }) })
      case "tool-output": {
        const tail = (next.calls.find((each) => each.id === event.id)?.tail ?? "") + event.text
        return change({ calls: callsWith(event.id, { tail: tail.slice(-mostTail) }) })
      }
      case "tool-result":
        return ended(event.id, event.name, event.output)
      case "tool-error":
        return failed(event.id, style.red("✗"), event.message)
      case "tool-denied":
        return failed(event.id, style.yellow("⊘"), `denied: ${event.reason}`)
      case "compacted":
        return aside(style.dim(`context compacted: ${event.before} to ${event.after} tokens`))
      case "notice":
        return aside(...wrap(event.message, width()).map(style.yellow))
      case "error":
        text(markdown.end())
        return aside(...event.message.split("\n").flatMap((line) => wrap(line, width())).map(style.red))
      case "done":
        text(markdown.end())
        if (event.stop !== "end") aside(style.yellow(`stopped: ${event.stop}`))
        return change({ working: false, calls: [] })
    }
  }
  return { take, say, change, flush }
}
export type Feed = ReturnType<typeof makeFeed>
