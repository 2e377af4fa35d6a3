import type * as ContextTag from "effect/Context"
import * as Effect from "effect/Effect"
import type { Usage } from "../Model.js"
import type { ModelFacts } from "../Model.js"
import type { Message } from "../model/messages.js"
import type { Keepers, Session, SessionRecord, SessionTrouble } from "../Sessions.js"
import type { Kept } from "./context.js"
import { keepContext } from "./context.js"
import { costOf } from "./costs.js"
import { openCalls, repaired } from "./history.js"
import type { Spent } from "./costs.js"
import { nothingSpent } from "./costs.js"

/** A session and the conversation in it. */
export interface Conversing {
  readonly session: Session
  readonly context: Kept
  /** used in all turns so far */
  readonly used: () => Spent
  readonly spent: (usage: Usage, facts: ModelFacts) => Effect.Effect<void>
  readonly title: (prompt: string) => Effect.Effect<void>
  /** saves what services keep with the session, where it changed */
  readonly keep: Effect.Effect<void>
  /** `/compact`: the summary in place of all */
  readonly summarise: (text: string) => Effect.Effect<void>
}

const ended = "shiro ended before this call was finished. Its effects are unknown; check before you repeat it."

/** What a session's lines amount to: messages since the last summary, state by name, what was used. */
const restore = (records: ReadonlyArray<SessionRecord>) => {
  let messages: Array<Message> = []
  let used: Spent = nothingSpent
  const states = new Map<string, unknown>()
  for (const record of records) {
    if (record.type === "message") messages.push(record.message)
    if (record.type === "summary") messages = [{ role: "user", text: record.text }]
    if (record.type === "state") states.set(record.name, record.value)
    if (record.type === "usage") {
      used = {
        inputTokens: used.inputTokens + record.inputTokens,
        outputTokens: used.outputTokens + record.outputTokens,
        cachedTokens: used.cachedTokens + record.cachedTokens,
        costUsd: used.costUsd === null || record.costUsd === null ? null : used.costUsd + record.costUsd,
        steps: used.steps + 1
      }
    }
  }
  return { messages, states, used }
}

export interface Reporting {
  readonly compacted: (before: number, after: number) => Effect.Effect<void>
  readonly trouble: (trouble: SessionTrouble) => Effect.Effect<void>
}

/** Takes up a session where its file left it: the history is made valid, services get their state back. */
export const takeUp = Effect.fnUntraced(function*(
  session: Session,
  keepers: ContextTag.Tag.Service<Keepers>,
  reporting: Reporting
) {
  const restored = restore(session.records)
  let used = restored.used
  const saved = new Map([...restored.states].map(([name, value]) => [name, JSON.stringify(value)]))
  const append = (record: SessionRecord) => Effect.catchAll(session.append(record), reporting.trouble)
  for (const keeper of yield* keepers.all) {
    if (restored.states.has(keeper.name)) yield* keeper.restore(restored.states.get(keeper.name))
  }
  const missing = openCalls(restored.messages, ended)
  for (const message of missing) yield* append({ type: "message", message })
  const context = keepContext({
    messages: repaired([...restored.messages, ...missing], ended),
    save: (message) => append({ type: "message", message }),
    compacted: reporting.compacted
  })
  const conversing: Conversing = {
    session,
    context,
    used: () => used,
    spent: (usage, facts) => {
      const costUsd = facts.price === null ? null : costOf(usage, facts.price)
      used = {
        inputTokens: used.inputTokens + usage.inputTokens,
        outputTokens: used.outputTokens + usage.outputTokens,
        cachedTokens: used.cachedTokens + usage.cachedTokens,
        costUsd: used.costUsd === null || costUsd === null ? null : used.costUsd + costUsd,
        steps: used.steps + 1
      }
      return append({ type: "usage", model: facts.model, ...usage, costUsd })
    },
    title: (prompt) => append({ type: "title", title: titleOf(prompt) }),
    keep: Effect.gen(function*() {
      for (const keeper of yield* keepers.all) {
        const value = yield* keeper.current
        const json = JSON.stringify(value)
        if (saved.get(keeper.name) === json || (!saved.has(keeper.name) && json === "[]")) continue
        saved.set(keeper.name, json)
        yield* append({ type: "state", name: keeper.name, value })
      }
    }),
    summarise: (text) => Effect.andThen(append({ type: "summary", text }), context.replace([{ role: "user", text }]))
  }
  return conversing
})

const titleOf = (prompt: string): string => {
  const line = prompt.trim().split("\n")[0]?.trim() ?? ""
  return [...line].length <= 80 ? line : `${[...line].slice(0, 79).join("")}…`
}
