import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { thinkingLevels } from "./config/schema.js"
import type { Fault } from "./Fault.js"
import type { ModelFault } from "./model/faults.js"
import type { AssistantMessage, Message } from "./model/messages.js"
import type { Settled } from "./Permissions.js"
import type { JsonSchema } from "./Toolbox.js"

export type { ModelFault } from "./model/faults.js"
export type { Message } from "./model/messages.js"

export type ThinkingLevel = (typeof thinkingLevels)[number]
export type WireName = "openai" | "openai-responses" | "anthropic" | "script"

/** US dollars per million tokens; `cached` is for input read from the provider's cache, default `input`. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cached?: number
}

/** What is known of the model that answers now. */
export interface ModelFacts {
  /** preset or wire, as configured: `openai`, `groq`, `script` */
  readonly provider: string
  readonly model: string
  readonly wire: WireName
  readonly baseURL: string
  /** tokens */
  readonly contextWindow: number
  readonly thinks: boolean
  /** null where no price is known */
  readonly price: Price | null
}

/** Tokens of one answer. `cachedTokens` are part of `inputTokens`. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
}

/** A tool as it goes on the wire. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** What one request is made of. */
export interface Prepared {
  /** system prompt by sections, what changes least first; a provider's cache may hold up to the end of the first */
  readonly system: ReadonlyArray<string>
  readonly messages: ReadonlyArray<Message>
  readonly tools: ReadonlyArray<WireTool>
}

/** A tool call of an answer. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** What arrives while an answer streams. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "call-start"; readonly id: string; readonly name: string }
  | { readonly type: "call"; readonly call: ModelCall }
  /** the provider is asked again, a parameter was dropped, the wire was switched: a sentence for the user */
  | { readonly type: "notice"; readonly message: string }

/** One whole answer, before any of its calls has run. */
export interface Answered {
  readonly message: AssistantMessage
  readonly usage: Usage
  /** calls that can't run: no such tool, or arguments that are no JSON; each with what to tell the model */
  readonly malformed: ReadonlyArray<{ readonly call: ModelCall; readonly problem: string }>
  /** false where the answer was cut (length, filter): its calls are not run */
  readonly complete: boolean
}

/**
 * What a run of the loop asks of whoever holds the conversation. Every callback is awaited; the history is the
 * holder's, who gives it anew with each request.
 */
export interface Conversation {
  readonly thinking: ThinkingLevel
  /** send the level also to a model that is not known to think: a flag or the configuration asks for it */
  readonly insists?: boolean
  /** the description of the task, for a sub-agent */
  readonly label?: string | null
  /** another model of the same provider, as for sub-agents */
  readonly model?: string
  /** before each request */
  readonly prepare: Effect.Effect<Prepared>
  readonly piece: (piece: Piece) => Effect.Effect<void>
  readonly answered: (answer: Answered) => Effect.Effect<void>
  /** whether a call has to be settled before it runs */
  readonly asks: (call: ModelCall) => Effect.Effect<boolean>
  readonly settle: (call: ModelCall) => Effect.Effect<Settled>
  readonly refused: (call: ModelCall, reason: string) => Effect.Effect<void>
  /** its outcome is the holder's to record */
  readonly execute: (call: ModelCall) => Effect.Effect<string, Fault>
  /** after an answer's calls are done: whether to ask the model again */
  readonly goesOn: Effect.Effect<boolean>
}

/** A change of model while shiro runs; what is left out stays. */
export interface Choice {
  readonly provider?: string
  readonly model?: string
  readonly baseURL?: string
  readonly apiKey?: string
}

/** The language model, whichever provider it is at. */
export class Model extends Context.Tag("shiro/Model")<Model, {
  /** Fails where nothing usable is configured (missing key, unknown provider, no model). */
  readonly current: Effect.Effect<ModelFacts, ModelFault>
  /** The same of another model at the same provider. */
  readonly facts: (model: string) => Effect.Effect<ModelFacts, ModelFault>
  /** One question, one text: no tools, no thinking. */
  readonly generate: (request: { readonly system: string; readonly prompt: string }) => Effect.Effect<string, ModelFault>
  /**
   * Asks, runs the calls, asks again, until an answer has no calls or `goesOn` says no. Interruption aborts the
   * request and the running calls, and waits for both.
   */
  readonly converse: (conversation: Conversation) => Effect.Effect<void, ModelFault>
  /** Names of the models that the endpoint offers. */
  readonly list: Effect.Effect<ReadonlyArray<string>, ModelFault>
  readonly select: (choice: Choice) => Effect.Effect<void>
}>() {}
