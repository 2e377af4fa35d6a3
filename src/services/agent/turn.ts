import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { AgentFault } from "../Agent.js"
import type { Model, ModelFault, Usage } from "../Model.js"
import type { Done, Stop } from "./events.js"
import type { Spent } from "./costs.js"
import { nothingSpent, spend } from "./costs.js"
import type { Kept } from "./context.js"
import type { Holder } from "./loop.js"
import { loop } from "./loop.js"

export interface Limits {
  readonly steps: number
  readonly costUsd: number | null
  readonly millis: number | null
}

/** What a turn and its helpers have used, and whether that is enough. */
export const makeMeter = Effect.fnUntraced(function*(limits: Limits) {
  const spent = yield* Ref.make<Spent>(nothingSpent)
  const began = yield* Clock.currentTimeMillis
  return {
    spent: Ref.get(spent),
    add: (usage: Usage, facts: Holder["facts"], steps: number) => Ref.update(spent, (before) => spend(before, usage, facts, steps)),
    limit: Effect.gen(function*(): Effect.fn.Return<Stop | null> {
      const { costUsd, steps } = yield* Ref.get(spent)
      if (limits.costUsd !== null && costUsd !== null && costUsd >= limits.costUsd) return "cost"
      if (limits.millis !== null && (yield* Clock.currentTimeMillis) - began >= limits.millis) return "time"
      return steps >= limits.steps ? "steps" : null
    })
  }
})
export type Meter = Effect.Effect.Success<ReturnType<typeof makeMeter>>

export const doneEvent = (spent: Spent, stop: Stop): Done => ({
  type: "done",
  inputTokens: spent.inputTokens,
  outputTokens: spent.outputTokens,
  cachedTokens: spent.cachedTokens,
  costUsd: spent.costUsd === null ? null : Math.round(spent.costUsd * 1_000_000) / 1_000_000,
  steps: spent.steps,
  stop
})

/** The provider may count otherwise than we do: once, the history is made much smaller and sent again. */
const shrinking = (context: Kept, holder: Holder, run: Effect.Effect<void, ModelFault>): Effect.Effect<void, ModelFault> =>
  Effect.catchTag(run, "Rejected", (fault) =>
    fault.tooLong
      ? holder.emit({ type: "notice", message: "The model says that the conversation is too long; it is shortened and sent again." }).pipe(
        Effect.andThen(context.tighten),
        Effect.andThen(run)
      )
      : Effect.fail(fault))

/** Runs the loop until it ends, a limit stops it, its time is up, or somebody says stop. */
export const runLoop = Effect.fnUntraced(function*(
  model: Context.Tag.Service<Model>,
  holder: Holder,
  context: Kept,
  until: { readonly millis: number | null; readonly interrupt: Deferred.Deferred<void> | null }
): Effect.fn.Return<Stop, AgentFault> {
  const { conversation, settleDown, stop } = loop(holder)
  const conversing = Effect.zipRight(shrinking(context, holder, model.converse(conversation)), stop)
  const timed = until.millis === null ? conversing : Effect.raceFirst(conversing, Effect.as(Effect.sleep(until.millis), "time" as const))
  const interruptible = until.interrupt === null
    ? timed
    : Effect.raceFirst(timed, Effect.as(Deferred.await(until.interrupt), "interrupted" as const))
  return yield* Effect.onExit(interruptible, settleDown)
})
