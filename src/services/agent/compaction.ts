import type { CallPart, Message } from "../model/messages.js"
import type { Digest } from "./digest.js"
import { absorb, droppedResult, isNote, renderNote } from "./digest.js"

type Call = typeof CallPart.Type

/** Where compaction starts, and how far it goes: parts of the model's context. */
export const startsAt = 0.75
export const goesTo = 0.4

/** Messages never change, so each is measured once. */
const lengths = new WeakMap<Message, number>()
/** How long a message is on the wire, in characters, roughly. */
export const lengthOf = (message: Message): number => {
  const known = lengths.get(message)
  if (known !== undefined) return known
  const length = measure(message)
  lengths.set(message, length)
  return length
}
const measure = (message: Message): number => {
  switch (message.role) {
    case "user":
    case "result":
      return message.text.length + 40
    case "assistant":
      return message.parts.reduce((sum, part) =>
        sum + 40 + (part.type === "call" ? JSON.stringify(part.input).length + part.name.length : part.text.length)
        + (part.meta === undefined ? 0 : JSON.stringify(part.meta).length), 0)
  }
}
export const lengthOfAll = (messages: ReadonlyArray<Message>) => messages.reduce((sum, message) => sum + lengthOf(message), 0)

/** A user's message, or an answer with its results. */
type Unit = ReadonlyArray<Message>
const unitsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Unit> => {
  const units: Array<Array<Message>> = []
  for (const message of messages) {
    const last = units.at(-1)
    if (message.role === "result" && last !== undefined) last.push(message)
    else units.push([message])
  }
  return units
}

const withoutReasoning = (messages: ReadonlyArray<Message>, before: number): ReadonlyArray<Message> =>
  messages.flatMap((message, index): ReadonlyArray<Message> => {
    if (message.role !== "assistant" || index >= before) return [message]
    const parts = message.parts.filter((part) => part.type !== "reasoning")
    return parts.length === 0 ? [] : [{ ...message, parts }]
  })

const longText = 1_000
const shortened = (value: unknown): unknown => {
  if (typeof value === "string") return value.length <= longText ? value : `${value.slice(0, 200).replace(/[\uD800-\uDBFF]$/, "")} [${value.length - 200} more characters dropped]`
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]))
}
const bare = (unit: Unit): Unit =>
  unit.map((message): Message => {
    if (message.role === "result") return { ...message, text: message.text.length <= droppedResult.length ? message.text : droppedResult }
    if (message.role === "user") return message
    return { ...message, parts: message.parts.map((part) => part.type === "call" ? { ...part, input: shortened(part.input) } satisfies Call : part) }
  })

/** Empties the results of the oldest units until the rest fits; the last one keeps its own. */
const withoutOldResults = (units: ReadonlyArray<Unit>, room: number) => {
  let length = units.reduce((sum, unit) => sum + lengthOfAll(unit), 0)
  const emptied: Array<Message> = []
  const rest = units.map((unit, index) => {
    if (length <= room || index === units.length - 1 || unit[0]?.role !== "assistant") return unit
    const left = bare(unit)
    const saved = lengthOfAll(unit) - lengthOfAll(left)
    if (saved <= 0) return unit
    length -= saved
    emptied.push(...unit.map((message): Message => message.role === "assistant" ? { ...message, parts: message.parts.filter((part) => part.type === "call") } : message))
    return left
  })
  return { rest, emptied, length }
}

/** Keeps the last units that fit, and the user's last message wherever it stands. */
const withoutOldUnits = (units: ReadonlyArray<Unit>, room: number) => {
  const asked = units.findLastIndex((unit) => unit[0]?.role === "user")
  let length = asked === -1 ? 0 : lengthOfAll(units[asked] ?? [])
  let from = units.length
  while (from > 0) {
    const unit = units[from - 1] ?? []
    const more = from - 1 === asked ? 0 : lengthOfAll(unit)
    if (from < units.length && length + more > room) break
    length += more
    from -= 1
  }
  const kept = units.filter((_, index) => index >= from || index === asked)
  return { kept, dropped: units.filter((_, index) => index < from && index !== asked).flat() }
}

const cutTo = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}\n... [${text.length - most} characters dropped to save room]`

/** As a last resort the newest results are shortened, each to its share. */
const withShortResults = (units: ReadonlyArray<Unit>, room: number): ReadonlyArray<Unit> => {
  const messages = units.flat()
  const results = messages.filter((message) => message.role === "result")
  const others = lengthOfAll(messages) - lengthOfAll(results)
  if (results.length === 0 || lengthOfAll(messages) <= room) return units
  const share = Math.max(200, Math.floor((room - others) / results.length) - 100)
  return units.map((unit) => unit.map((message): Message => message.role === "result" ? { ...message, text: cutTo(message.text, share) } : message))
}

export interface Compacted {
  readonly messages: ReadonlyArray<Message>
  readonly digest: Digest
}

/**
 * A history that fits in `room` characters (agent.md, Compaction): old reasoning goes, then the oldest results, then
 * whole old exchanges; a note at the front says what they came to. Calls keep their results throughout.
 */
export const compact = (history: ReadonlyArray<Message>, room: number, before: Digest): Compacted => {
  const noteRoom = Math.max(600, Math.min(12_000, Math.floor(room * 0.15)))
  const left = room - noteRoom
  const messages = history.filter((message) => !isNote(message))
  const asked = messages.findLastIndex((message) => message.role === "user")
  const last = messages.findLastIndex((message) => message.role === "assistant")
  let slim = withoutReasoning(messages, asked)
  if (lengthOfAll(slim) > left) slim = withoutReasoning(messages, last)
  const emptied = withoutOldResults(unitsOf(slim), left)
  let digest = absorb(before, emptied.emptied)
  let units: ReadonlyArray<Unit> = emptied.rest
  if (emptied.length > left) {
    const { dropped, kept } = withoutOldUnits(units, left)
    digest = absorb(digest, dropped)
    units = withShortResults(kept, left)
  }
  const note: Message = { role: "user", text: renderNote(digest, noteRoom) }
  return { messages: [note, ...units.flat()], digest }
}
