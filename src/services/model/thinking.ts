import type { ThinkingLevel, WireName } from "../Model.js"
import type { KnownModel } from "./table.js"

const efforts = { off: "none", low: "low", medium: "medium", high: "high", max: "xhigh" } as const
const adaptive = { low: "low", medium: "medium", high: "high", max: "max" } as const
const budgets = { low: 6_000, medium: 16_000, high: 38_000 } as const
/** Room for the answer itself below the model's output limit. */
const answerRoom = 4_096

type Json = string | number | boolean | { readonly [key: string]: Json }
/** The SDK's options of one provider, as plain JSON. */
export type WireOptions = Readonly<Record<string, Json>>

const anthropic = (level: ThinkingLevel, model: KnownModel): WireOptions => {
  if (level === "off") return { thinking: { type: "disabled" } }
  if (model.thinks === "adaptive") return { thinking: { type: "adaptive" }, effort: adaptive[level] }
  const most = Math.max(1_024, model.maxOutput - answerRoom)
  return { thinking: { type: "enabled", budgetTokens: level === "max" ? most : Math.min(budgets[level], most) } }
}

/** What a thinking level becomes on a wire, in the SDK's words; `scripted` answers think as they like. */
export const thinkingOptions = (wire: WireName, level: ThinkingLevel, model: KnownModel): WireOptions => {
  switch (wire) {
    case "openai":
      return { reasoningEffort: efforts[level] }
    case "openai-responses":
      return { reasoningEffort: efforts[level], forceReasoning: true }
    case "anthropic":
      return anthropic(level, model)
    case "script":
      return {}
  }
}

/** Whether a refusal is about how much to think. */
export const namesThinking = (said: string): boolean =>
  /reasoning[_. ]?effort|reasoning\.|['"`]reasoning['"`]|\bthinking\b|budget_tokens|output_config|\beffort\b/i.test(said)
