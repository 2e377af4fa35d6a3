import type { LanguageModelV3Prompt, LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider"
import type { Answered, ModelCall, Piece, Usage } from "../Model.js"
import type { JsonSchema } from "../Toolbox.js"
import type { Part } from "./messages.js"

interface Growing {
  readonly type: "text" | "reasoning"
  text: string
  meta: Readonly<Record<string, unknown>> | undefined
}

const usageOf = (usage: LanguageModelV3Usage): Usage => ({
  inputTokens: usage.inputTokens.total ?? 0,
  outputTokens: usage.outputTokens.total ?? 0,
  cachedTokens: usage.inputTokens.cacheRead ?? 0
})

const parsed = (text: string): { readonly input: unknown; readonly problem: string | null } => {
  if (text.trim() === "") return { input: {}, problem: null }
  try {
    return { input: JSON.parse(text), problem: null }
  } catch (error) {
    return { input: {}, problem: error instanceof Error ? error.message : "it does not parse" }
  }
}

/** Ids that the history already holds; some servers number their calls anew in each answer. */
export const callIdsIn = (prompt: LanguageModelV3Prompt): Set<string> => {
  const ids = new Set<string>()
  for (const message of prompt) {
    if (message.role !== "assistant") continue
    for (const part of message.content) if (part.type === "tool-call") ids.add(part.toolCallId)
  }
  return ids
}

/** Gathers one answer from its parts. */
export class Gathering {
  readonly #parts: Array<Growing | Extract<Part, { type: "call" }>> = []
  readonly #open = new Map<string, Growing>()
  readonly #renamed = new Map<string, string>()
  readonly #started = new Set<string>()
  readonly #malformed: Array<{ readonly call: ModelCall; readonly problem: string }> = []
  readonly #taken: Set<string>
  readonly #tools: ReadonlyMap<string, JsonSchema>

  /** `taken`: the ids of earlier calls; `tools`: what is offered, with the expected shape. */
  constructor(taken: Set<string>, tools: ReadonlyMap<string, JsonSchema>) {
    this.#taken = taken
    this.#tools = tools
  }

  #unique(id: string): string {
    const known = this.#renamed.get(id)
    if (known !== undefined) return known
    let unique = id === "" ? "call" : id
    for (let n = 2; this.#taken.has(unique); n++) unique = `${id === "" ? "call" : id}_${n}`
    this.#taken.add(unique)
    this.#renamed.set(id, unique)
    return unique
  }

  #grow(type: Growing["type"], id: string, text: string, meta: Growing["meta"]) {
    const key = `${type} ${id}`
    let growing = this.#open.get(key)
    if (growing === undefined) {
      growing = { type, text: "", meta: undefined }
      this.#open.set(key, growing)
      this.#parts.push(growing)
    }
    growing.text += text
    if (meta !== undefined) growing.meta = { ...growing.meta, ...meta }
  }

  #problem(name: string, problem: string | null): string | null {
    const shape = this.#tools.get(name)
    if (shape === undefined) {
      return `There is no tool ${name}. Nothing was run. The tools are: ${[...this.#tools.keys()].join(", ")}.`
    }
    return problem === null ? null : `The arguments of ${name} are no valid JSON: ${problem}. Nothing was run. Expected an object of this shape: ${JSON.stringify(shape)}`
  }

  /**
   * The part as the SDK shall see it, and what to show of it. Text, reasoning and the pieces of a call's input are
   * gathered here and shown from here; the SDK would only hand them through half a dozen streams and keep them once more.
   */
  take(part: LanguageModelV3StreamPart): { readonly part: LanguageModelV3StreamPart | null; readonly pieces: ReadonlyArray<Piece> } {
    switch (part.type) {
      case "stream-start":
        // The SDK prints warnings; they are about us, not for the user.
        return { part: { ...part, warnings: [] }, pieces: [] }
      case "text-start":
      case "reasoning-start":
        this.#grow(part.type === "text-start" ? "text" : "reasoning", part.id, "", part.providerMetadata)
        return { part: null, pieces: [] }
      case "text-delta":
      case "reasoning-delta": {
        const type = part.type === "text-delta" ? "text" : "reasoning"
        this.#grow(type, part.id, part.delta, part.providerMetadata)
        return { part: null, pieces: part.delta === "" ? [] : [{ type, text: part.delta }] }
      }
      case "text-end":
      case "reasoning-end": {
        const type = part.type === "text-end" ? "text" : "reasoning"
        this.#grow(type, part.id, "", part.providerMetadata)
        this.#open.delete(`${type} ${part.id}`)
        return { part: null, pieces: [] }
      }
      case "tool-input-start": {
        const id = this.#unique(part.id)
        this.#started.add(id)
        return { part: null, pieces: [{ type: "call-start", id, name: part.toolName }] }
      }
      case "tool-input-delta":
      case "tool-input-end":
      case "response-metadata":
      case "raw":
        return { part: null, pieces: [] }
      case "tool-call":
        return this.#call(part)
      default:
        return { part, pieces: [] }
    }
  }

  #call(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>) {
    const id = this.#unique(part.toolCallId)
    const { input, problem } = parsed(part.input)
    const call: ModelCall = { id, name: part.toolName, input }
    const meta = part.providerMetadata
    this.#parts.push({ type: "call", id, name: part.toolName, input, ...(meta === undefined ? {} : { meta }) })
    const trouble = this.#problem(part.toolName, problem)
    if (trouble !== null) this.#malformed.push({ call, problem: trouble })
    const start: ReadonlyArray<Piece> = this.#started.has(id) ? [] : [{ type: "call-start", id, name: part.toolName }]
    return { part: { ...part, toolCallId: id }, pieces: [...start, { type: "call" as const, call }] }
  }

  /** Everything so far, as a message of the history. */
  answered(usage: LanguageModelV3Usage | null, complete: boolean): Answered {
    const parts = this.#parts.flatMap((part): ReadonlyArray<Part> => {
      if (part.type === "call") return [part]
      if (part.text === "" && part.meta === undefined) return []
      return [{ type: part.type, text: part.text, ...(part.meta === undefined ? {} : { meta: part.meta }) }]
    })
    return {
      message: { role: "assistant", parts },
      usage: usage === null ? { inputTokens: 0, outputTokens: 0, cachedTokens: 0 } : usageOf(usage),
      malformed: this.#malformed,
      complete
    }
  }

  /** What may stay of an answer that broke off: its text. Reasoning without its end and calls are no valid history. */
  broken(): Answered {
    const whole = this.answered(null, false)
    return { ...whole, malformed: [], message: { role: "assistant", parts: whole.message.parts.filter((part) => part.type === "text") } }
  }
}
