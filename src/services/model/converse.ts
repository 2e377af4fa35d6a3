import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import { jsonSchema, streamText, tool } from "ai"
import type { ModelMessage, ToolSet } from "ai"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import * as Runtime from "effect/Runtime"
import { setImmediate } from "node:timers/promises"
import type { Answered, Conversation, ModelCall, ModelFault, Prepared } from "../Model.js"
import { callIdsIn, Gathering } from "./answer.js"
import * as Convert from "./convert.js"
import { AnswerBroken } from "./faults.js"
import type { Begun } from "./request.js"
import { isNetwork, refusalOf } from "./refusal.js"

/** What a conversation needs of the endpoint. */
export interface Line {
  readonly host: string
  /** how the wire that is used now wants its history */
  readonly manner: Effect.Effect<Convert.Manner>
  /** begins the answer to a request */
  readonly ask: (options: LanguageModelV3CallOptions) => Effect.Effect<Begun, ModelFault>
}

/** What the parts of one conversation share while it runs. */
interface Running {
  readonly conversation: Conversation
  readonly line: Line
  readonly signal: AbortSignal
  /** Runs an effect for a callback of the SDK, as a child of the conversation. */
  readonly promise: <A, E>(effect: Effect.Effect<A, E>) => Promise<Exit.Exit<A, E>>
  /** the first failure: what the conversation ends with, whatever the SDK makes of it */
  failure: Cause.Cause<ModelFault> | null
  prepared: Prepared
  answer: Answered | null
  /** calls that were settled with a yes: the SDK asks about them once more */
  readonly approved: Set<string>
  /** the holder wants no further request */
  stopped: boolean
  readonly tools: ToolSet
}

const ended = new Error("The conversation ended.")

/** For callbacks that can only fail by a defect or by what ends the conversation. */
const orEnd = async <A>(running: Running, effect: Effect.Effect<A, ModelFault>): Promise<A> => {
  const exit = await running.promise(effect)
  if (Exit.isSuccess(exit)) return exit.value
  running.failure ??= exit.cause
  throw ended
}

const textOfCause = (cause: Cause.Cause<{ readonly message: string }>): string => {
  const failure = Cause.failureOption(cause)
  if (failure._tag === "Some") return failure.value.message
  return Cause.isInterruptedOnly(cause) ? "The call was interrupted." : "The tool broke."
}

const bridge = (running: Running, offered: Prepared["tools"][number]): ToolSet[string] => {
  const call = (input: unknown, id: string): ModelCall => ({ id, name: offered.name, input })
  const { conversation } = running
  return tool({
    description: offered.description,
    inputSchema: jsonSchema<unknown>(() => ({ ...offered.inputSchema })),
    needsApproval: async (input: unknown, { toolCallId }) =>
      running.approved.has(toolCallId) || await orEnd(running, conversation.asks(call(input, toolCallId))),
    execute: async (input: unknown, { toolCallId }) => {
      const exit = await running.promise(conversation.execute(call(input, toolCallId)))
      if (Exit.isSuccess(exit)) return exit.value
      if (Cause.isDie(exit.cause)) running.failure ??= Cause.die(Cause.squash(exit.cause))
      throw new Error(textOfCause(exit.cause))
    }
  })
}

/** Offers exactly what was prepared; the SDK reads the same record for each request. */
const offer = (running: Running, prepared: Prepared) => {
  const known = new Map(running.prepared.tools.map((tool) => [tool.name, tool]))
  for (const tool of prepared.tools) {
    const before = known.get(tool.name)
    const same = before !== undefined && before.description === tool.description && before.inputSchema === tool.inputSchema
    if (!same || running.tools[tool.name] === undefined) running.tools[tool.name] = bridge(running, tool)
  }
  running.prepared = prepared
}

const shapes = (prepared: Prepared) => new Map(prepared.tools.map((tool) => [tool.name, tool.inputSchema]))

/** Milliseconds that an answer may keep everything else waiting. */
const longestHold = 8

/**
 * An answer that comes faster than it is worked off never leaves the chain of promises: keys, timers and the screen would
 * wait for its end. So now and then they are let in.
 */
const makeBreath = () => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestHold) return
    await setImmediate()
    since = performance.now()
  }
}

/** The parts of an answer on their way to the SDK: shown, gathered, and recorded before any call of it runs. */
const watched = (running: Running, begun: Begun, gathering: Gathering): ReadableStream<LanguageModelV3StreamPart> => {
  const { conversation } = running
  const waiting = [...begun.first]
  const breathe = makeBreath()
  const broke = (error: unknown) =>
    Effect.gen(function*() {
      const refusal = refusalOf(error, yield* Clock.currentTimeMillis)
      yield* conversation.answered(gathering.broken())
      return yield* new AnswerBroken({ host: running.line.host, said: isNetwork(refusal.said) ? `the connection was lost (${refusal.said})` : refusal.said })
    })
  const finished = (part: Extract<LanguageModelV3StreamPart, { type: "finish" }>) =>
    Effect.suspend(() => {
      const { raw, unified } = part.finishReason
      // The responses wire says so only by the lack of a reason.
      if (begun.wire === "openai-responses" && unified === "other" && raw === undefined) return broke(undefined)
      const answer = gathering.answered(part.usage, unified === "stop" || unified === "tool-calls")
      running.answer = answer
      return conversation.answered(answer)
    })
  const next = async (): Promise<LanguageModelV3StreamPart | null> => {
    const early = waiting.shift()
    if (early !== undefined) return early
    try {
      const { done, value } = await begun.reader.read()
      return done ? null : value
    } catch (error) {
      return await orEnd(running, broke(error))
    }
  }
  return new ReadableStream<LanguageModelV3StreamPart>({
    pull: async (controller) => {
      while (true) {
        await breathe()
        const came = await next()
        if (came === null) {
          if (running.answer === null) await orEnd(running, broke(undefined))
          return controller.close()
        }
        if (came.type === "error") return orEnd(running, broke(came.error))
        const { part, pieces } = gathering.take(came)
        for (const piece of pieces) await orEnd(running, conversation.piece(piece))
        if (part === null) continue
        if (part.type === "finish") await orEnd(running, finished(part))
        return controller.enqueue(part)
      }
    },
    cancel: (reason) => begun.reader.cancel(reason)
  }, { highWaterMark: 0 })
}

/** The model as the SDK sees it: retries, switches and watching are behind its one method. */
const modelOf = (running: Running): LanguageModelV3 => ({
  specificationVersion: "v3",
  provider: "shiro",
  modelId: "shiro",
  supportedUrls: {},
  doGenerate: () => Promise.reject(ended),
  doStream: async (options) => {
    running.answer = null
    const begun = await orEnd(running, running.line.ask(options))
    return { stream: watched(running, begun, new Gathering(callIdsIn(options.prompt), shapes(running.prepared))) }
  }
})

const prepare = async (running: Running, mayStop: boolean) => {
  const { conversation, line } = running
  if (running.failure !== null) throw ended
  // Approved calls have just run: the SDK would ask on without looking at the limits.
  if (mayStop && !await orEnd(running, conversation.goesOn)) {
    running.stopped = true
    throw ended
  }
  const [prepared, manner] = await orEnd(running, Effect.zip(conversation.prepare, line.manner))
  offer(running, prepared)
  return {
    system: Convert.systemOf(prepared.system, manner.wire),
    messages: Convert.history(prepared.messages, manner),
    activeTools: prepared.tools.map((tool) => tool.name)
  }
}

interface Waiting {
  readonly approvalId: string
  readonly call: ModelCall
}

/** The SDK's loop from one point on; gives the calls that wait for an approval. Real messages come with each step. */
const run = Effect.fnUntraced(function*(running: Running, start: ReadonlyArray<ModelMessage>): Effect.fn.Return<ReadonlyArray<Waiting>, ModelFault> {
  const { conversation } = running
  const waiting: Array<Waiting> = []
  let requests = 0
  const result = streamText({
    model: modelOf(running),
    tools: running.tools,
    messages: [...start],
    maxRetries: 0,
    abortSignal: running.signal,
    experimental_include: { requestBody: false },
    stopWhen: async () => !await orEnd(running, conversation.goesOn),
    prepareStep: () => prepare(running, requests++ === 0 && start.length > 1),
    onError: () => {}
  })
  // What broke the stream is in `failure` where it is ours; else the SDK itself broke.
  const broke = (error: unknown) => {
    if (error !== ended) running.failure ??= Cause.die(error)
  }
  yield* Effect.promise(async () => {
    try {
      for await (const part of result.fullStream) {
        if (part.type === "tool-approval-request") {
          const { input, toolCallId, toolName } = part.toolCall
          waiting.push({ approvalId: part.approvalId, call: { id: toolCallId, name: toolName, input } })
        }
        if (part.type === "error") broke(part.error)
      }
    } catch (error) {
      broke(error)
    }
  })
  if (running.failure !== null) return yield* Effect.failCause(running.failure)
  return waiting
})

const opening: ReadonlyArray<ModelMessage> = [{ role: "user", content: "-" }]

/** Asks about the waiting calls, in their order, and words the answers for the SDK. */
const settle = Effect.fnUntraced(function*(running: Running, waiting: ReadonlyArray<Waiting>) {
  const { conversation } = running
  const responses: Array<{ type: "tool-approval-response"; approvalId: string; approved: boolean; reason?: string }> = []
  for (const { approvalId, call } of waiting) {
    const settled = yield* conversation.settle(call)
    if (settled.granted) running.approved.add(call.id)
    else yield* conversation.refused(call, settled.reason)
    responses.push({
      type: "tool-approval-response",
      approvalId,
      approved: settled.granted,
      ...(settled.granted ? {} : { reason: settled.reason })
    })
  }
  const start: ReadonlyArray<ModelMessage> = [
    {
      role: "assistant",
      content: waiting.flatMap(({ approvalId, call }) => [
        { type: "tool-call" as const, toolCallId: call.id, toolName: call.name, input: call.input },
        { type: "tool-approval-request" as const, approvalId, toolCallId: call.id }
      ])
    },
    { role: "tool", content: responses }
  ]
  return start
})

/** Runs effects for promises, until the scope closes. Most are over before they have to wait, and need no keeping track of. */
const children = Effect.gen(function*() {
  const fibers = yield* FiberSet.make<unknown, unknown>()
  const fork = Runtime.runFork(yield* Effect.runtime())
  let closed = false
  yield* Effect.addFinalizer(() => Effect.sync(() => {
    closed = true
  }))
  return <A, E>(effect: Effect.Effect<A, E>): Promise<Exit.Exit<A, E>> => {
    if (closed) return Promise.resolve(Exit.interrupt(FiberId.none))
    const fiber = fork(effect)
    const exit = fiber.unsafePoll()
    if (exit !== null) return Promise.resolve(exit)
    FiberSet.unsafeAdd(fibers, fiber)
    return new Promise((resolve) => fiber.addObserver(resolve))
  }
})

const wasCut = (answer: Answered | null) =>
  answer !== null && !answer.complete && answer.message.parts.some((part) => part.type === "call")

/** See `Model.converse`. This module brings the SDK with it, so it is loaded when the first conversation begins. */
export const converse = (line: Line, conversation: Conversation): Effect.Effect<void, ModelFault> =>
  Effect.scoped(Effect.gen(function*() {
    const promise = yield* children
    // Released before the fibres are interrupted: first the request goes, then what it started.
    const controller = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (held) => Effect.sync(() => held.abort())
    )
    const running: Running = {
      conversation,
      line,
      signal: controller.signal,
      promise,
      failure: null,
      prepared: { system: [], messages: [], tools: [] },
      answer: null,
      approved: new Set(),
      stopped: false,
      tools: {}
    }
    let start = opening
    while (true) {
      const waiting = yield* run(running, start)
      if (running.stopped) return
      if (waiting.length > 0) start = yield* settle(running, waiting)
      else if (wasCut(running.answer) && (yield* conversation.goesOn)) start = opening
      else return
    }
  }))
