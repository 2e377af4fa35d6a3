import * as Schema from "effect/Schema"

const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

export const stops = ["end", "steps", "cost", "time", "error", "interrupted"] as const

export const SessionEvent = event("session", { id: Schema.String, cwd: Schema.String, model: Schema.String })
/** a piece of the answer; pieces follow each other without a separator */
export const TextEvent = event("text", { text: Schema.String })
export const ReasoningEvent = event("reasoning", { text: Schema.String })
/** a call's name is known, its input still streams */
export const ToolStartEvent = event("tool-start", { id: Schema.String, name: Schema.String })
export const ToolCallEvent = event("tool-call", { id: Schema.String, name: Schema.String, input: Schema.Unknown })
/** what a tool prints while it runs */
export const ToolOutputEvent = event("tool-output", { id: Schema.String, text: Schema.String })
export const ToolResultEvent = event("tool-result", { id: Schema.String, name: Schema.String, output: Schema.String })
export const ToolErrorEvent = event("tool-error", { id: Schema.String, name: Schema.String, message: Schema.String })
export const ToolDeniedEvent = event("tool-denied", { id: Schema.String, name: Schema.String, reason: Schema.String })
/** tokens of the context, as counted or estimated */
export const CompactedEvent = event("compacted", { before: Schema.Number, after: Schema.Number })
export const NoticeEvent = event("notice", { message: Schema.String })
export const ErrorEvent = event("error", { message: Schema.String })
export const DoneEvent = event("done", {
  inputTokens: Schema.Number,
  outputTokens: Schema.Number,
  cachedTokens: Schema.Number,
  /** null where no price is known */
  costUsd: Schema.NullOr(Schema.Number),
  steps: Schema.Number,
  stop: Schema.Literal(...stops)
})

/** What a turn tells, in order; the lines of `shiro -p --json`. */
export const AgentEvent = Schema.Union(
  SessionEvent, TextEvent, ReasoningEvent, ToolStartEvent, ToolCallEvent, ToolOutputEvent, ToolResultEvent, ToolErrorEvent,
  ToolDeniedEvent, CompactedEvent, NoticeEvent, ErrorEvent, DoneEvent
)
export type AgentEvent = typeof AgentEvent.Type
export type Stop = (typeof stops)[number]
export type Done = typeof DoneEvent.Type
