import type { ModelFacts, Price, Usage } from "../Model.js"

/** What a turn has used so far, its sub-agents included. */
export interface Spent extends Usage {
  readonly steps: number
  /** null once something was used whose price is not known */
  readonly costUsd: number | null
}
export const nothingSpent: Spent = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, steps: 0, costUsd: 0 }

export const costOf = (usage: Usage, price: Price): number =>
  ((usage.inputTokens - usage.cachedTokens) * price.input + usage.cachedTokens * (price.cached ?? price.input) + usage.outputTokens * price.output)
  / 1_000_000

export const spend = (before: Spent, usage: Usage, facts: ModelFacts, steps: number): Spent => ({
  inputTokens: before.inputTokens + usage.inputTokens,
  outputTokens: before.outputTokens + usage.outputTokens,
  cachedTokens: before.cachedTokens + usage.cachedTokens,
  steps: before.steps + steps,
  costUsd: facts.price === null || before.costUsd === null ? null : before.costUsd + costOf(usage, facts.price)
})
