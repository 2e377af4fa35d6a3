import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BadScript, ScriptEnded, ScriptMismatch } from "./faults.js"
import { Script } from "./scriptSteps.js"
import type { ScriptStep } from "./scriptSteps.js"

export const parseScript = (file: string, text: string): Effect.Effect<Script, BadScript> =>
  Schema.decode(Schema.parseJson(Script))(text, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.mapError((error) =>
      new BadScript({
        file,
        problem: ParseResult.ArrayFormatter.formatErrorSync(error).slice(0, 3).map(({ message, path }) =>
          path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`).join("; ")
      })))

export interface Played {
  readonly parts: ReadonlyArray<LanguageModelV3StreamPart>
  /** milliseconds before each word */
  readonly pace: number
}

/** Where each list of a script stands; lives as long as the process's model. */
export interface Player {
  /** The parts of the next answer to the agent of that label (null for the main one). */
  readonly next: (label: string | null, prompt: LanguageModelV3Prompt) => Effect.Effect<Played, ScriptEnded | ScriptMismatch>
}

const lastResult = (prompt: LanguageModelV3Prompt): string => {
  for (const message of prompt.toReversed()) {
    if (message.role !== "tool") continue
    for (const part of message.content.toReversed()) {
      if (part.type !== "tool-result") continue
      const { output } = part
      if (output.type === "text" || output.type === "error-text") return output.value
      return output.type === "execution-denied" ? output.reason ?? "" : JSON.stringify(output.value)
    }
  }
  return ""
}

const tokens = (text: string) => Math.ceil(text.length / 4)

const parts = (step: ScriptStep, list: string, number: number): ReadonlyArray<LanguageModelV3StreamPart> => {
  const stream: Array<LanguageModelV3StreamPart> = []
  if (step.reasoning !== undefined) {
    stream.push({ type: "reasoning-start", id: "r" }, { type: "reasoning-delta", id: "r", delta: step.reasoning }, { type: "reasoning-end", id: "r" })
  }
  if (step.text !== undefined) {
    stream.push({ type: "text-start", id: "t" })
    // By words, as a provider streams.
    for (const word of step.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [step.text]) stream.push({ type: "text-delta", id: "t", delta: word })
    stream.push({ type: "text-end", id: "t" })
  }
  const tools = step.tools ?? []
  tools.forEach(({ id, input, name }, index) => {
    const callId = id ?? `${list}_${number}_${index + 1}`
    stream.push({ type: "tool-input-start", id: callId, toolName: name }, { type: "tool-input-end", id: callId })
    stream.push({ type: "tool-call", toolCallId: callId, toolName: name, input: typeof input === "string" ? input : JSON.stringify(input ?? {}) })
  })
  const usage = step.usage ?? { inputTokens: 0, outputTokens: tokens((step.text ?? "") + JSON.stringify(tools)) }
  const cached = usage.cachedTokens ?? 0
  stream.push({
    type: "finish",
    finishReason: { unified: tools.length > 0 ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: usage.inputTokens, noCache: usage.inputTokens - cached, cacheRead: cached, cacheWrite: undefined },
      outputTokens: { total: usage.outputTokens, text: usage.outputTokens, reasoning: undefined }
    }
  })
  return stream
}

export const player = (script: Script): Player => {
  const main = "steps" in script ? script.steps : script
  const agents = "steps" in script ? script.agents ?? {} : {}
  const played = new Map<string, number>()
  return {
    next: (label, prompt) =>
      Effect.gen(function*() {
        const own = label === null ? undefined : agents[label]
        const list = own === undefined || label === null ? "call" : `call_${label.replaceAll(/[^A-Za-z0-9]/g, "_")}`
        const steps = own ?? main
        const index = played.get(list) ?? 0
        played.set(list, index + 1)
        const step = steps[index]
        if (step === undefined) return yield* new ScriptEnded({ steps: steps.length, request: index + 1 })
        const expected = step.expect?.lastResultIncludes
        if (expected !== undefined) {
          const last = lastResult(prompt)
          if (!last.includes(expected)) return yield* new ScriptMismatch({ step: index + 1, expected, last: last.slice(0, 500) })
        }
        return { parts: parts(step, list, index + 1), pace: step.pace ?? 0 }
      })
  }
}
