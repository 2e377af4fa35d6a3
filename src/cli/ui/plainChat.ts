import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"
import { Answer } from "../../services/Approver.js"
import type { Fault } from "../../services/Fault.js"
import { withoutEscapes } from "../../tools/text/escapes.js"
import type { Line } from "../argv.js"
import { conduct } from "./conduct.js"
import type { Controls } from "./controls.js"
import type { Screen } from "./state.js"
import { plain } from "./style.js"

/** A terminal that can't move its cursor (`TERM=dumb`): everything is asked and told line by line. */

const print = (text: string) => void process.stdout.write(text)

type Asked = NonNullable<Screen["question"]>
type Inquired = NonNullable<Screen["inquiry"]>

const questionText = ({ asked, preview }: Asked) =>
  [
    `${asked.worker === null ? "" : `worker "${asked.worker}": `}${asked.tool} wants to run`,
    ...asked.subjects.filter((subject) => subject !== "*").map((subject) => `  ${subject}`),
    ...preview,
    asked.reason,
    `y allow once | ${asked.grant === null ? "" : `a always allow ${asked.tool}${asked.grant === "*" ? "" : ` ${asked.grant}`} | `}n deny, with a reason if you like: `
  ].map(withoutEscapes).join("\n")

const inquiryText = ({ multiple, options, question }: Inquired) =>
  [
    question,
    ...options.map(({ detail, label }, at) => `  ${at + 1}. ${label}${detail === undefined ? "" : `  ${detail}`}`),
    options.length === 0 ? "an empty line dismisses: " : `a number${multiple ? " or several" : ""}, an empty line dismisses: `
  ].map(withoutEscapes).join("\n")

const answerOf = (line: string, { asked }: Asked): Answer | null => {
  const [word = "", ...rest] = line.trim().split(/\s+/)
  if (/^y(es)?$/i.test(word)) return Answer.Once()
  if (/^a(lways)?$/i.test(word) && asked.grant !== null) return Answer.Always()
  if (/^no?$/i.test(word)) return Answer.No({ reason: rest.length === 0 ? null : rest.join(" ") })
  return null
}

/** The labels chosen by their numbers; undefined where the line is no choice. */
const choiceOf = (line: string, { multiple, options }: Inquired): ReadonlyArray<string> | null | undefined => {
  const text = line.trim()
  if (text === "") return null
  if (options.length === 0) return [text]
  const labels = text.split(/[\s,]+/).map((word) => options[Number(word) - 1]?.label)
  const known = labels.filter((label) => label !== undefined)
  return known.length < labels.length || (known.length > 1 && !multiple) ? undefined : known
}

/** A line typed in raw mode, where nobody else takes back what backspace takes back. */
const typedBlind = (line: string): string | null => {
  let text = ""
  for (const char of line) {
    if (char === "\x03" || char === "\x1b") return null
    text = char === "\x7f" || char === "\x08" ? text.slice(0, -1) : text + char
  }
  return text
}

/** ctrl-c is for what goes on in here, not for the process. */
const takeInterrupts = (interrupt: () => void) => {
  const before = process.listeners("SIGINT")
  process.removeAllListeners("SIGINT")
  process.on("SIGINT", interrupt)
  return () => {
    process.off("SIGINT", interrupt)
    for (const listener of before) process.on("SIGINT", listener)
  }
}

const desk = ({ answer, choose, interrupt, screen, submit }: Controls, flush: () => void) => {
  const input = createInterface({ input: process.stdin, terminal: false })
  let shown: Screen | null = null
  let invited = false
  let flushing = false
  const show = () => {
    // What was said before a question stands before it. Flushing changes the screen, which shows it again.
    if (flushing) return
    flushing = true
    flush()
    flushing = false
    const now = screen.get()
    const { inquiry, question } = now
    const before = shown
    shown = now
    if (inquiry?.secret !== before?.inquiry?.secret) process.stdin.setRawMode(inquiry?.secret === true)
    if (now.hint !== "" && now.hint !== before?.hint) print(`\n${now.hint}\n`)
    if (question !== null && question !== before?.question) return print(`${questionText(question)}`)
    if (inquiry !== null && inquiry !== before?.inquiry) return print(inquiryText(inquiry))
    const idle = !now.working && now.queue.length === 0 && question === null && inquiry === null && now.status.model !== ""
    if (idle && !invited) print("shiro> ")
    invited = idle
  }
  const again = (text: string) => {
    print(text)
    shown = shown === null ? null : { ...shown, question: null, inquiry: null }
    show()
  }
  const stop = screen.subscribe(show)
  const giveBack = takeInterrupts(interrupt)
  input.on("line", (line) => {
    const { inquiry, question } = screen.get()
    if (question !== null) {
      const given = answerOf(line, question)
      return given === null ? again("Answer y, a or n.\n") : answer(given)
    }
    if (inquiry !== null) {
      if (inquiry.secret) print("\n")
      const typed = inquiry.secret ? typedBlind(line) : line
      const chosen = typed === null ? null : choiceOf(typed, inquiry)
      return chosen === undefined ? again("That is none of the numbers.\n") : choose(chosen)
    }
    invited = false
    if (line.trim() === "") show()
    else submit(line)
  })
  input.on("close", () => submit("/exit"))
  return () => {
    stop()
    giveBack()
    input.removeAllListeners("close")
    input.close()
  }
}

export const chat = (line: Line): Effect.Effect<number, Fault> =>
  conduct(line, {
    style: plain,
    print,
    keyboard: Effect.succeed({ onKey: () => () => {} }),
    start: (controls, flush) => Effect.asVoid(Effect.acquireRelease(Effect.sync(() => desk(controls, flush)), (stop) => Effect.sync(stop)))
  })
