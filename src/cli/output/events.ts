import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { AgentEvent } from "../../services/Agent.js"
import { errLine, out } from "./text.js"

/** The one thing of an input that tells a person what the call is about. */
const telling = ["command", "path", "pattern", "query", "name", "from", "url", "ref", "description", "question"]

/** A call in one line: `read_file src/app.ts`. */
export const callLine = (name: string, input: unknown): string => {
  const fields = typeof input === "object" && input !== null ? new Map<string, unknown>(Object.entries(input)) : new Map<string, unknown>()
  const key = telling.find((each) => typeof fields.get(each) === "string")
  const text = key === undefined ? "" : String(fields.get(key)).split("\n")[0] ?? ""
  return `${name}${text === "" ? "" : ` ${text.length > 100 ? `${text.slice(0, 99)}…` : text}`}`
}

const firstLine = (text: string) => {
  const [line = "", ...more] = text.split("\n")
  return `${line.length > 120 ? `${line.slice(0, 119)}…` : line}${more.length > 0 ? ` (+${more.length} lines)` : ""}`
}

/** Text mode of `-p`: the answer on stdout as it comes, what happens beside it on stderr. */
export const printEvent = Effect.gen(function*() {
  const open = yield* Ref.make(false)
  const endLine = Effect.flatMap(Ref.getAndSet(open, false), (unfinished) => unfinished ? out("\n") : Effect.void)
  const aside = (text: string) => Effect.zipRight(endLine, errLine(text))
  return (event: AgentEvent): Effect.Effect<void> => {
    switch (event.type) {
      case "text":
        return event.text === "" ? Effect.void : Effect.zipRight(Ref.set(open, !event.text.endsWith("\n")), out(event.text))
      case "tool-call":
        return aside(`> ${callLine(event.name, event.input)}`)
      case "tool-error":
        return aside(`  ${event.name} failed: ${firstLine(event.message)}`)
      case "tool-denied":
        return aside(`  ${event.name} denied: ${event.reason}`)
      case "compacted":
        return aside(`  context compacted from ${event.before} to ${event.after} tokens`)
      case "notice":
        return aside(`notice: ${event.message}`)
      case "error":
        return aside(`error: ${event.message}`)
      case "done":
        return Effect.zipRight(endLine, event.stop === "end" || event.stop === "error" ? Effect.void : errLine(`stopped: ${event.stop}`))
      case "session":
      case "reasoning":
      case "tool-start":
      case "tool-output":
      case "tool-result":
        return Effect.void
    }
  }
})
