import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"
import { Call, LiveOutput } from "../Call.js"
import type { Fault } from "../Fault.js"
import type { Answered, Conversation, ModelCall, ModelFacts, Piece, Prepared, ThinkingLevel, Usage, WireTool } from "../Model.js"
import type { Message, ResultMessage } from "../model/messages.js"
import { textOf } from "../model/messages.js"
import * as Spans from "../spans.js"
import type { Offered } from "../Toolbox.js"
import type { AgentEvent, Stop } from "./events.js"
import { Order } from "./order.js"

/** Where a conversation is kept: the main one with its session's file, a sub-agent's in memory. */
export interface Context {
  readonly messages: Effect.Effect<ReadonlyArray<Message>>
  readonly append: (message: Message) => Effect.Effect<void>
  /** gives every call without a result one, in these words */
  readonly close: (text: string) => Effect.Effect<void>
  /** the history of the next request, compacted where it has grown too long; `overhead`: characters of prompt and tools */
  readonly fit: (facts: ModelFacts, overhead: number) => Effect.Effect<ReadonlyArray<Message>>
  /** tokens that a request really had */
  readonly measured: (usage: Usage) => Effect.Effect<void>
}

/** Who runs the loop: the agent or one of its helpers. */
export interface Holder {
  readonly context: Context
  readonly facts: ModelFacts
  readonly thinking: ThinkingLevel
  readonly insists: boolean
  /** description of the task, null for the agent itself */
  readonly label: string | null
  readonly model?: string
  /** the turn its calls belong to */
  readonly turn: string
  /** stands before the ids of its calls, so that helpers' ids are their own */
  readonly prefix: string
  readonly tools: Effect.Effect<ReadonlyArray<Offered>>
  readonly onWire: (tool: Offered) => WireTool
  /** system prompt by sections, the stable one first */
  readonly sections: (tools: ReadonlyArray<Offered>) => Effect.Effect<ReadonlyArray<string>>
  readonly emit: (event: AgentEvent) => Effect.Effect<void>
  readonly spent: (usage: Usage) => Effect.Effect<void>
  /** a call has ended, whatever came of it */
  readonly after: (call: ModelCall, result: ResultMessage) => Effect.Effect<void>
  /** why no further request may be made, null where one may */
  readonly limit: Effect.Effect<Stop | null>
}

const cutShort = "The answer was cut off before this call was complete, so it was not run. Send it again, in smaller pieces if it is long."
export const interrupted = "The user interrupted the turn before this call was finished. Its effects are unknown."

interface State {
  readonly holder: Holder
  readonly order: Order
  /** offered with the last request, by name */
  tools: ReadonlyMap<string, Offered>
  /** text of the answer that is streaming */
  streaming: string
  stop: Stop | null
  /** requests so far */
  steps: number
  /** the spans that are open: of the step, and of the answer within it */
  step: Tracer.Span | null
  chat: Tracer.Span | null
}

const endChat = (state: State, facts: Spans.Facts, exit?: Exit.Exit<unknown, unknown>) =>
  Effect.suspend(() => {
    const { chat } = state
    state.chat = null
    return chat === null ? Effect.void : Spans.end(chat, facts, exit)
  })
const endStep = (state: State, exit?: Exit.Exit<unknown, unknown>) =>
  Effect.zipRight(endChat(state, {}, exit), Effect.suspend(() => {
    const { step } = state
    state.step = null
    return step === null ? Effect.void : Spans.end(step, {}, exit)
  }))

const within = <A, E, R>({ holder }: State, call: ModelCall, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Call, { id: `${holder.prefix}${call.id}`, turn: holder.turn, worker: holder.label })

const record = Effect.fnUntraced(function*(state: State, call: ModelCall, outcome: ResultMessage["outcome"], text: string) {
  const { holder } = state
  const result: ResultMessage = { role: "result", id: call.id, name: call.name, outcome, text }
  yield* holder.context.append(result)
  const named = { id: call.id, name: call.name }
  yield* holder.emit(outcome === "ok"
    ? { type: "tool-result", ...named, output: text }
    : outcome === "denied"
    ? { type: "tool-denied", ...named, reason: text }
    : { type: "tool-error", ...named, message: text })
  yield* holder.after(call, result)
  yield* state.order.done(call.id)
})

/** What the model is told of a failed call; bad input comes with the shape that was expected. */
const worded = (fault: Fault, tool: Offered): string =>
  fault._tag === "InvalidInput" ? `${fault.message} Expected: ${JSON.stringify(tool.inputSchema)}` : fault.message

const execute = Effect.fnUntraced(function*(state: State, call: ModelCall): Effect.fn.Return<string, Fault> {
  const { holder } = state
  const tool = state.tools.get(call.name)
  if (tool === undefined) return ""
  yield* state.order.turn(call.id)
  const emit = (text: string) => holder.emit({ type: "tool-output", id: call.id, text })
  const exit = yield* Effect.exit(within(state, call, tool.run(call.input)).pipe(Effect.provideService(LiveOutput, { emit })))
  if (Exit.isSuccess(exit)) {
    yield* record(state, call, "ok", exit.value)
    return exit.value
  }
  const failure = Cause.failureOption(exit.cause)
  if (failure._tag === "None") return yield* Effect.failCause(exit.cause)
  yield* record(state, call, failure.value._tag === "Denied" ? "denied" : "error", worded(failure.value, tool))
  return yield* Effect.fail(failure.value)
})

const lengths = new WeakMap<WireTool["inputSchema"], number>()
/** Characters of a tool in a request, as far as its size matters for the context. */
const lengthOf = ({ description, inputSchema, name }: WireTool): number => {
  const schema = lengths.get(inputSchema) ?? JSON.stringify(inputSchema).length
  lengths.set(inputSchema, schema)
  return name.length + description.length + schema
}

const prepare = Effect.fnUntraced(function*(state: State): Effect.fn.Return<Prepared> {
  const { holder } = state
  const { model, provider } = holder.facts
  yield* endStep(state)
  state.steps += 1
  const step = state.step = yield* Spans.begin("step", "", { "shiro.step": state.steps })
  yield* holder.context.close(cutShort)
  state.order.clear()
  state.streaming = ""
  const live = yield* holder.tools
  state.tools = new Map(live.map((tool) => [tool.name, tool]))
  const system = yield* holder.sections(live)
  const tools = live.map(holder.onWire)
  const overhead = [...system.map(({ length }) => length), ...tools.map(lengthOf)].reduce((sum, length) => sum + length, 0)
  const messages = yield* holder.context.fit(holder.facts, overhead)
  state.chat = yield* Spans.begin("chat", model, { "gen_ai.provider.name": provider, "gen_ai.request.model": model }, step)
  return { system, tools, messages }
})

const show = (state: State, piece: Piece): Effect.Effect<void> => {
  const { emit } = state.holder
  switch (piece.type) {
    case "text":
      state.streaming += piece.text
      return emit(piece)
    case "reasoning":
    case "notice":
      return emit(piece)
    case "call-start":
      return emit({ type: "tool-start", id: piece.id, name: piece.name })
    case "call":
      return emit({ type: "tool-call", ...piece.call })
  }
}

const answered = Effect.fnUntraced(function*(state: State, answer: Answered) {
  const { holder } = state
  state.streaming = ""
  yield* endChat(state, { ...Spans.tokens(answer.usage), "shiro.answer.complete": answer.complete })
  if (answer.message.parts.length > 0) yield* holder.context.append(answer.message)
  if (answer.usage.inputTokens > 0) yield* holder.context.measured(answer.usage)
  yield* holder.spent(answer.usage)
  for (const { call, problem } of answer.malformed) yield* record(state, call, "error", problem)
})

const asks = Effect.fnUntraced(function*(state: State, call: ModelCall) {
  const tool = state.tools.get(call.name)
  if (tool === undefined) return false
  const verdict = yield* within(state, call, tool.review(call.input))
  const writes = tool.touches === "writes" || tool.touches === "executes"
  // Bad input is not asked about: running it says what was wrong with it.
  return yield* state.order.enter(call.id, writes, verdict.decision !== "allow" && verdict.by !== "input")
})

const settle = (state: State, call: ModelCall) => {
  const tool = state.tools.get(call.name)
  return tool === undefined ? Effect.succeed({ granted: true as const }) : within(state, call, tool.settle(call.input))
}

/** A conversation for the model to run, and what to do when it is over or was interrupted. */
export const loop = (holder: Holder) => {
  const state: State = { holder, order: new Order(), tools: new Map(), streaming: "", stop: null, steps: 0, step: null, chat: null }
  const conversation: Conversation = {
    thinking: holder.thinking,
    insists: holder.insists,
    label: holder.label,
    ...(holder.model === undefined ? {} : { model: holder.model }),
    prepare: prepare(state),
    piece: (piece) => show(state, piece),
    answered: (answer) => answered(state, answer),
    asks: (call) => asks(state, call),
    settle: (call) => settle(state, call),
    refused: (call, reason) => record(state, call, "denied", reason),
    execute: (call) => Effect.suspend(() => Spans.within(state.step, Effect.ensuring(execute(state, call), state.order.done(call.id)))),
    goesOn: Effect.map(holder.limit, (stop) => {
      state.stop = stop
      return stop === null
    })
  }
  /** What had streamed stays, and every call gets its result: the history is valid whatever happened. */
  const settleDown = Effect.suspend(() => {
    const text = state.streaming
    state.streaming = ""
    const partial: Message = { role: "assistant", parts: [{ type: "text", text }] }
    return Effect.andThen(text === "" ? Effect.void : holder.context.append(partial), holder.context.close(interrupted))
  })
  return {
    conversation,
    /** with how the loop ended */
    settleDown: (exit: Exit.Exit<unknown, unknown>) => Effect.zipRight(settleDown, endStep(state, exit)),
    stop: Effect.sync(() => state.stop ?? "end")
  }
}

/** The text of the last answer, which is a helper's report. */
export const lastText = (messages: ReadonlyArray<Message>): string => {
  const answers = messages.flatMap((message) => message.role === "assistant" ? [textOf(message)] : [])
  return answers.findLast((text) => text.trim() !== "") ?? ""
}

