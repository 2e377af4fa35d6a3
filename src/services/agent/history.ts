import type { AssistantMessage, Message, ResultMessage } from "../model/messages.js"
import { callsOf } from "../model/messages.js"

/** Results that are missing after an answer with calls, as `text` words them. */
export const missingResults = (
  answer: AssistantMessage,
  results: ReadonlyArray<ResultMessage>,
  text: string
): ReadonlyArray<ResultMessage> => {
  const there = new Set(results.map(({ id }) => id))
  return callsOf(answer).filter(({ id }) => !there.has(id)).map(({ id, name }) => ({ role: "result", id, name, outcome: "error", text }))
}

/** The last answer and what came after it, or null where the last message is the user's. */
const tailOf = (messages: ReadonlyArray<Message>) => {
  const at = messages.findLastIndex((message) => message.role !== "result")
  const answer = messages[at]
  if (answer === undefined || answer.role !== "assistant") return null
  return { at, answer, results: messages.slice(at + 1).flatMap((message) => message.role === "result" ? [message] : []) }
}

/** The results that the end of a history lacks; a provider refuses a call without one. */
export const openCalls = (messages: ReadonlyArray<Message>, text: string): ReadonlyArray<ResultMessage> => {
  const tail = tailOf(messages)
  return tail === null ? [] : missingResults(tail.answer, tail.results, text)
}

/** Results in the order of their calls, however they came in. */
export const inOrder = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const tail = tailOf(messages)
  if (tail === null || tail.results.length < 2) return messages
  const place = new Map(callsOf(tail.answer).map(({ id }, index) => [id, index]))
  const sorted = tail.results.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  return [...messages.slice(0, tail.at + 1), ...sorted]
}

/**
 * A history as providers accept it, whatever a file held: each call has one result right after its answer, and no
 * result is without its call.
 */
export const repaired = (messages: ReadonlyArray<Message>, text: string): ReadonlyArray<Message> => {
  const whole: Array<Message> = []
  const results = new Map<string, ResultMessage>()
  for (const message of messages) if (message.role === "result" && !results.has(message.id)) results.set(message.id, message)
  for (const message of messages) {
    if (message.role === "result") continue
    whole.push(message)
    if (message.role !== "assistant") continue
    const there = callsOf(message).flatMap(({ id }) => results.get(id) ?? [])
    const missing = new Map(missingResults(message, there, text).map((result) => [result.id, result]))
    for (const { id } of callsOf(message)) {
      const result = results.get(id) ?? missing.get(id)
      if (result !== undefined) whole.push(result)
    }
  }
  return whole
}
