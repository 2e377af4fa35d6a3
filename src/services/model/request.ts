import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import type { ModelFault, ThinkingLevel, WireName } from "../Model.js"
import type { Endpoint } from "./endpoint.js"
import type { Refusal } from "./refusal.js"
import { faultOf, isAboutShape, isPassing, refusalOf, why } from "./refusal.js"
import { namesThinking, thinkingOptions } from "./thinking.js"
import { hostOf, open, optionsKey } from "./wires.js"

/** What was learnt of endpoints while shiro runs, by base URL and model. */
export interface Learnt {
  /** chat completions were refused: responses from now on */
  readonly switched: ReadonlySet<string>
  /** the thinking parameter was refused: not sent any more */
  readonly thoughtless: ReadonlySet<string>
}
export const nothingLearnt: Learnt = { switched: new Set(), thoughtless: new Set() }

export interface Manner {
  readonly endpoint: Endpoint
  /** null: say nothing of thinking */
  readonly thinking: ThinkingLevel | null
  readonly maxRetries: number
  /** whether a refusal of chat completions there may be answered by responses */
  readonly maySwitch: (host: string) => boolean
  readonly learnt: Ref.Ref<Learnt>
  /** the models of this endpoint by wire; making one costs milliseconds */
  readonly opened: Map<WireName, LanguageModelV3>
  readonly notice: (message: string) => Effect.Effect<void>
}

/** An answer that has begun: its first parts, up to the first content, and where the others come from. */
export interface Begun {
  readonly wire: WireName
  readonly first: ReadonlyArray<LanguageModelV3StreamPart>
  readonly reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>
}

export const learntKey = ({ baseURL, model }: Endpoint) => `${baseURL} ${model}`
const longestWait = 300_000

/** Options of a request besides messages and tools. */
const wireOptions = (wire: Exclude<WireName, "script">, thinking: ThinkingLevel | null, endpoint: Endpoint) => ({
  [optionsKey(wire)]: {
    // Nothing is kept at the provider, so that a history can be cut and resumed freely.
    ...(wire === "openai-responses" ? { store: false } : {}),
    ...(thinking === null ? {} : thinkingOptions(wire, thinking, endpoint.known))
  }
})

/**
 * Anthropic takes a budget only where the answer whose results are sent began with its thinking; an answer without
 * any, or one of another model, has to be gone on with as it is.
 */
const mayThink = (wire: WireName, prompt: LanguageModelV3Prompt): boolean => {
  if (wire !== "anthropic" || prompt.at(-1)?.role !== "tool") return true
  const last = prompt.findLast((message) => message.role === "assistant")
  return last === undefined || last.content[0]?.type === "reasoning" && last.content[0].providerOptions?.["anthropic"] !== undefined
}

const hasContent = (part: LanguageModelV3StreamPart) =>
  part.type !== "stream-start" && part.type !== "response-metadata" && part.type !== "text-start" && part.type !== "reasoning-start"
  && part.type !== "raw"

/** Sends once and waits for the first content, so that what fails before it can be sent again unseen. */
const once = Effect.fnUntraced(function*(model: LanguageModelV3, wire: WireName, options: LanguageModelV3CallOptions) {
  const now = yield* Clock.currentTimeMillis
  const refused = (error: unknown) => refusalOf(error, now)
  const { stream } = yield* Effect.tryPromise({ try: () => Promise.resolve(model.doStream(options)), catch: refused })
  const reader = stream.getReader()
  const first: Array<LanguageModelV3StreamPart> = []
  while (true) {
    const next = yield* Effect.tryPromise({ try: () => reader.read(), catch: refused })
    if (next.done) return yield* Effect.fail<Refusal>({ status: null, said: "the connection was lost", retryAfterMillis: null })
    if (next.value.type === "error") {
      const { error } = next.value
      yield* Effect.promise(() => reader.cancel().catch(() => undefined))
      return yield* Effect.fail(refused(error))
    }
    first.push(next.value)
    if (hasContent(next.value)) return { wire, first, reader } satisfies Begun
  }
})

/** 1, 2, 4, … s with a quarter of chance in it, unless the provider said how long. */
const wait = Effect.fnUntraced(function*(refusal: Refusal, tries: number) {
  const chance = yield* Random.nextRange(0.75, 1)
  return refusal.retryAfterMillis ?? Math.round(Math.min(60_000, 1_000 * 2 ** (tries - 1)) * chance)
})

const seconds = (millis: number) => `${Math.max(1, Math.round(millis / 1_000))} s`
const withKey = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => new Set([...set, key])

/**
 * Asks until an answer begins: again after a passing trouble, without the thinking parameter where that is refused,
 * over responses where OpenAI refuses chat completions. Each change is told once.
 */
export const begin = Effect.fn("Model.request")(function*(manner: Manner, given: LanguageModelV3CallOptions): Effect.fn.Return<Begun, ModelFault> {
  const { endpoint } = manner
  const key = learntKey(endpoint)
  const host = hostOf(endpoint)
  const own = endpoint.preset.wire === "script" ? "openai" : endpoint.preset.wire
  let tries = 0
  while (true) {
    const learnt = yield* Ref.get(manner.learnt)
    const wire = own === "openai" && learnt.switched.has(key) ? "openai-responses" : own
    const thinking = learnt.thoughtless.has(key) ? null : manner.thinking
    const model = manner.opened.get(wire) ?? (yield* open(wire, endpoint))
    manner.opened.set(wire, model)
    const level = thinking !== null && endpoint.known.thinks === "budget" && !mayThink(wire, given.prompt) ? "off" : thinking
    const options = { ...given, providerOptions: wireOptions(wire, level, endpoint) }
    tries += 1
    const attempt = yield* Effect.either(once(model, wire, options))
    if (attempt._tag === "Right") return attempt.right
    const refusal = attempt.left
    if (thinking !== null && (refusal.status === 400 || refusal.status === 422) && namesThinking(refusal.said)) {
      yield* Ref.update(manner.learnt, (before) => ({ ...before, thoughtless: withKey(before.thoughtless, key) }))
      yield* manner.notice(`${endpoint.model} does not take a thinking level; it is left out from now on.`)
      continue
    }
    if (wire === "openai" && manner.maySwitch(host) && isAboutShape(refusal)) {
      yield* Ref.update(manner.learnt, (before) => ({ ...before, switched: withKey(before.switched, key) }))
      yield* manner.notice(`${host} refused chat completions for ${endpoint.model} (${refusal.status}); the responses API is used from now on.`)
      continue
    }
    const pause = yield* wait(refusal, tries)
    if (!isPassing(refusal) || tries > manner.maxRetries || pause > longestWait) return yield* faultOf(refusal, host, tries)
    yield* manner.notice(`${host} ${why(refusal)}; asking again in ${seconds(pause)} (try ${tries + 1} of ${manner.maxRetries + 1}).`)
    yield* Effect.sleep(pause)
  }
})
