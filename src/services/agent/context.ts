import * as Effect from "effect/Effect"
import type { ModelFacts, Usage } from "../Model.js"
import type { Message } from "../model/messages.js"
import { compact, goesTo, lengthOf, lengthOfAll, startsAt } from "./compaction.js"
import { emptyDigest } from "./digest.js"
import { inOrder, openCalls } from "./history.js"
import type { Context } from "./loop.js"

/** Characters of a token, until a provider's count says better. */
const usualRatio = 3.6

export interface Keeping {
  /** what was there before, valid for a provider */
  readonly messages: ReadonlyArray<Message>
  readonly save: (message: Message) => Effect.Effect<void>
  readonly compacted: (before: number, after: number) => Effect.Effect<void>
}

export interface Kept extends Context {
  /** tokens of the next request, as far as known */
  readonly size: Effect.Effect<number>
  /** puts one message in place of all */
  readonly replace: (messages: ReadonlyArray<Message>) => Effect.Effect<void>
  /** compacts at the next request, whatever the size: the provider said it was too long */
  readonly tighten: Effect.Effect<void>
}

/** A conversation in memory: what the model is shown of it, and how long that is. */
export const keepContext = (keeping: Keeping): Kept => {
  let messages = keeping.messages
  let digest = emptyDigest
  let overheadLength = 0
  let ratio = usualRatio
  /** what the provider counted, and what came since */
  let counted: { readonly tokens: number; since: number } | null = null
  let sent = 0
  let tight = false

  const tokens = () => counted === null ? (overheadLength + lengthOfAll(messages)) / ratio : counted.tokens + counted.since / ratio

  const append = (message: Message) =>
    Effect.suspend(() => {
      messages = [...messages, message]
      if (counted !== null && message.role !== "assistant") counted.since += lengthOf(message)
      return keeping.save(message)
    })
  const measured = (usage: Usage) =>
    Effect.sync(() => {
      if (sent > 0 && usage.inputTokens > 100) ratio = Math.min(6, Math.max(1, sent / usage.inputTokens))
      counted = { tokens: usage.inputTokens + usage.outputTokens, since: 0 }
    })
  const fit = (facts: ModelFacts, overhead: number) =>
    Effect.gen(function*() {
      overheadLength = overhead
      messages = inOrder(messages)
      const before = tokens()
      if (before > facts.contextWindow * startsAt || tight) {
        const room = Math.min(facts.contextWindow * goesTo, tight ? before / 2 : Number.POSITIVE_INFINITY) * ratio - overhead
        const smaller = compact(messages, Math.max(2_000, room), digest)
        messages = smaller.messages
        digest = smaller.digest
        counted = null
        tight = false
        yield* keeping.compacted(Math.round(before), Math.round(tokens()))
      }
      sent = overhead + lengthOfAll(messages)
      return messages
    })
  return {
    messages: Effect.sync(() => messages),
    append,
    close: (text) => Effect.suspend(() => Effect.forEach(openCalls(messages, text), append, { discard: true })),
    fit,
    measured,
    size: Effect.sync(() => Math.round(tokens())),
    replace: (others) =>
      Effect.sync(() => {
        messages = others
        digest = emptyDigest
        counted = null
      }),
    tighten: Effect.sync(() => {
      tight = true
    })
  }
}
