import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Model } from "../Model.js"
import type { Message } from "../model/messages.js"
import { absorb, emptyDigest, renderNote } from "./digest.js"

const system = "You summarise a coding session so that the same agent can go on with it and nothing else. Keep: the goal and the user's wishes, decisions and their reasons, files touched and how, commands and their outcomes, what is unfinished, traps. Short lines, exact names and paths, no praise."
const longest = 120_000

const line = (message: Message): string => {
  switch (message.role) {
    case "user":
      return `User: ${message.text}`
    case "assistant":
      return message.parts.map((part) => part.type === "text" ? `Agent: ${part.text}` : part.type === "call" ? `Call ${part.name} ${JSON.stringify(part.input).slice(0, 400)}` : "").filter((text) => text !== "").join("\n")
    case "result":
      return `Result (${message.outcome}): ${message.text.slice(0, 800)}`
  }
}

/** A summary in place of a conversation: the facts drawn from it, and the model's own words where it gives any. */
export const summaryOf = Effect.fn("Agent.summary")(function*(model: Context.Tag.Service<Model>, messages: ReadonlyArray<Message>) {
  const facts = renderNote(absorb(emptyDigest, messages), 12_000)
  const transcript = messages.map(line).join("\n")
  const prompt = transcript.length <= longest ? transcript : `${transcript.slice(0, longest / 3)}\n[…]\n${transcript.slice(-longest * 2 / 3)}`
  const { wire } = yield* model.current
  if (wire === "script" || messages.length === 0) return facts
  const words = yield* Effect.orElseSucceed(model.generate({ system, prompt }), () => "")
  return words === "" ? facts : `${facts}\n\nSummary:\n${words}`
})
