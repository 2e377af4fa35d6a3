import type { Message } from "../../services/Model.js"
import { callLine } from "./events.js"

/** Longest result that is shown whole. */
const mostResult = 2000

/** A code block that its content cannot end; long text is cut. */
export const fenced = (text: string) => {
  const cut = text.length > mostResult ? `${text.slice(0, mostResult)}\n… (${text.length - mostResult} more characters)` : text
  const fence = "`".repeat(Math.max(3, ...[...cut.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}\n${cut}\n${fence}`
}

/** A conversation as markdown. */
export const transcript = (messages: ReadonlyArray<Message>): string =>
  messages.map((message) => {
    switch (message.role) {
      case "user":
        return `## User\n\n${message.text}\n`
      case "assistant":
        return message.parts.map((part) =>
          part.type === "text" ? `${part.text}\n` : part.type === "call" ? `> ${callLine(part.name, part.input)}\n` : "").filter((text) => text !== "").join("\n")
      case "result":
        return `${message.outcome === "ok" ? "" : `${message.outcome}:\n`}${fenced(message.text)}\n`
    }
  }).join("\n")
