import * as Schema from "effect/Schema"

const exact = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What the provider attached to a part and wants back with it (signatures, item ids), by provider; opaque here. */
const Meta = Schema.Record({ key: Schema.String, value: Schema.Unknown })

export const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String, meta: exact(Meta) })
export const ReasoningPart = Schema.Struct({ type: Schema.Literal("reasoning"), text: Schema.String, meta: exact(Meta) })
export const CallPart = Schema.Struct({
  type: Schema.Literal("call"),
  id: Schema.String,
  name: Schema.String,
  /** as the model sent it, parsed; `{}` where it was no JSON */
  input: Schema.Unknown,
  meta: exact(Meta)
})
export const Part = Schema.Union(TextPart, ReasoningPart, CallPart)
export type Part = typeof Part.Type

export const UserMessage = Schema.Struct({ role: Schema.Literal("user"), text: Schema.String })
export const AssistantMessage = Schema.Struct({ role: Schema.Literal("assistant"), parts: Schema.Array(Part) })
export const ResultMessage = Schema.Struct({
  role: Schema.Literal("result"),
  /** the call's id */
  id: Schema.String,
  name: Schema.String,
  outcome: Schema.Literal("ok", "error", "denied"),
  text: Schema.String
})
export type UserMessage = typeof UserMessage.Type
export type AssistantMessage = typeof AssistantMessage.Type
export type ResultMessage = typeof ResultMessage.Type

/** A conversation's history: after an assistant message with calls comes one result for each of them, in their order. */
export const Message = Schema.Union(UserMessage, AssistantMessage, ResultMessage)
export type Message = typeof Message.Type

export const callsOf = (message: AssistantMessage) => message.parts.filter((part) => part.type === "call")
export const textOf = (message: AssistantMessage) =>
  message.parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("")
