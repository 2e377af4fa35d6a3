import type { Price } from "../Model.js"

/** How a model is told how much to think: by an effort word, by a token budget, or it does not think. */
export type Thinks = "effort" | "budget" | "adaptive" | "no"

export interface KnownModel {
  /** tokens */
  readonly contextWindow: number
  /** tokens of one answer; only where a budget has to fit below it */
  readonly maxOutput: number
  readonly thinks: Thinks
  readonly price: Price | null
}

/** When the prices below were looked up; `pricing` in the configuration overrides them. */
export const pricesAsOf = "2026-01"
export const unknownModel: KnownModel = { contextWindow: 120_000, maxOutput: 32_000, thinks: "no", price: null }

const model = (window: number, thinks: Thinks, price: readonly [number, number, number?] | null, maxOutput = 32_000): KnownModel => ({
  contextWindow: window,
  maxOutput,
  thinks,
  price: price === null
    ? null
    : { input: price[0], output: price[1], ...(price[2] === undefined ? {} : { cached: price[2] }) }
})

/** By the beginning of the name; the longest match counts. */
const known: ReadonlyArray<readonly [string, KnownModel]> = [
  ["gpt-6", model(400_000, "effort", null)],
  ["gpt-5", model(400_000, "effort", [1.25, 10, 0.125])],
  ["gpt-5-mini", model(400_000, "effort", [0.25, 2, 0.025])],
  ["gpt-5-nano", model(400_000, "effort", [0.05, 0.4, 0.005])],
  ["gpt-5-pro", model(400_000, "effort", [15, 120])],
  ["gpt-5-chat", model(128_000, "no", [1.25, 10, 0.125])],
  ["gpt-5.1", model(400_000, "effort", [1.25, 10, 0.125])],
  ["gpt-5.1-codex-mini", model(400_000, "effort", [0.25, 2, 0.025])],
  ["gpt-5.2", model(400_000, "effort", [1.75, 14, 0.175])],
  ["gpt-5.3", model(400_000, "effort", null)],
  ["gpt-5.4", model(400_000, "effort", null)],
  ["gpt-4.1", model(1_047_576, "no", [2, 8, 0.5])],
  ["gpt-4.1-mini", model(1_047_576, "no", [0.4, 1.6, 0.1])],
  ["gpt-4.1-nano", model(1_047_576, "no", [0.1, 0.4, 0.025])],
  ["gpt-4o", model(128_000, "no", [2.5, 10, 1.25])],
  ["gpt-4o-mini", model(128_000, "no", [0.15, 0.6, 0.075])],
  ["gpt-oss-120b", model(131_072, "effort", [0.15, 0.6])],
  ["gpt-oss-20b", model(131_072, "effort", [0.075, 0.3])],
  ["o1", model(200_000, "effort", [15, 60, 7.5])],
  ["o3", model(200_000, "effort", [2, 8, 0.5])],
  ["o3-mini", model(200_000, "effort", [1.1, 4.4, 0.55])],
  ["o4-mini", model(200_000, "effort", [1.1, 4.4, 0.275])],
  ["claude-", model(200_000, "adaptive", null, 128_000)],
  ["claude-3-haiku", model(200_000, "no", [0.25, 1.25, 0.03], 4_096)],
  ["claude-3-5-haiku", model(200_000, "no", [0.8, 4, 0.08], 8_192)],
  ["claude-3-5-sonnet", model(200_000, "no", [3, 15, 0.3], 8_192)],
  ["claude-3-7-sonnet", model(200_000, "budget", [3, 15, 0.3], 64_000)],
  ["claude-haiku-4-5", model(200_000, "budget", [1, 5, 0.1], 64_000)],
  ["claude-sonnet-4", model(200_000, "budget", [3, 15, 0.3], 64_000)],
  ["claude-sonnet-4-6", model(200_000, "budget", [3, 15, 0.3], 128_000)],
  ["claude-opus-4", model(200_000, "budget", [15, 75, 1.5], 32_000)],
  ["claude-opus-4-5", model(200_000, "budget", [5, 25, 0.5], 64_000)],
  ["claude-opus-4-6", model(200_000, "budget", [5, 25, 0.5], 128_000)],
  ["claude-opus-4-7", model(200_000, "adaptive", null, 128_000)],
  ["claude-opus-4-8", model(200_000, "adaptive", null, 128_000)],
  ["deepseek-chat", model(128_000, "no", [0.28, 0.42, 0.028])],
  ["deepseek-reasoner", model(128_000, "no", [0.28, 0.42, 0.028])],
  ["grok-3-mini", model(131_072, "effort", [0.3, 0.5, 0.075])],
  ["grok-4", model(256_000, "no", [3, 15, 0.75])],
  ["grok-4-fast", model(2_000_000, "no", [0.2, 0.5, 0.05])],
  ["grok-code-fast", model(256_000, "no", [0.2, 1.5, 0.02])],
  ["mistral-large", model(256_000, "no", [0.5, 1.5])],
  ["mistral-medium", model(128_000, "no", [0.4, 2])],
  ["codestral", model(256_000, "no", [0.3, 0.9])],
  ["devstral", model(256_000, "no", [0.4, 2])],
  ["gemini-2.5-pro", model(1_048_576, "effort", [1.25, 10, 0.125])],
  ["gemini-2.5-flash", model(1_048_576, "effort", [0.3, 2.5, 0.03])],
  ["gemini-2.5-flash-lite", model(1_048_576, "effort", [0.1, 0.4, 0.01])],
  ["gemini-3-pro", model(1_048_576, "effort", [2, 12, 0.2])],
  ["gemini-3-flash", model(1_048_576, "effort", [0.5, 3, 0.05])],
  ["llama-3.3-70b", model(131_072, "no", [0.59, 0.79])],
  ["qwen3-32b", model(131_072, "no", [0.29, 0.59])],
  ["kimi-k2", model(262_144, "no", [1, 3])],
  ["glm-4.6", model(200_000, "no", [0.6, 2.2])]
]

/** `anthropic/claude-sonnet-4.5` and `claude-sonnet-4-5` are one model. */
const plain = (name: string) => {
  const tail = name.slice(name.lastIndexOf("/") + 1).toLowerCase()
  return tail.startsWith("claude-") ? tail.replaceAll(".", "-") : tail
}

/** What the table knows of a model; null where it knows nothing. */
export const lookUp = (name: string): KnownModel | null => {
  const wanted = plain(name)
  let best: readonly [string, KnownModel] | null = null
  for (const entry of known) {
    if (wanted.startsWith(entry[0]) && (best === null || entry[0].length > best[0].length)) best = entry
  }
  return best === null ? null : best[1]
}
