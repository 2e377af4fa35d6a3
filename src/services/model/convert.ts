import type { AssistantModelMessage, ModelMessage, SystemModelMessage, ToolModelMessage } from "ai"
import type { WireName } from "../Model.js"
import type { AssistantMessage, Message, Part, ResultMessage } from "./messages.js"

type Content = Exclude<AssistantModelMessage["content"], string>
type Options = NonNullable<AssistantModelMessage["providerOptions"]>
type Results = ToolModelMessage["content"]

/** What a provider attached came in as JSON and goes back as it came. */
const isOptions = (meta: unknown): meta is Options => typeof meta === "object" && meta !== null
const options = (meta: unknown): { readonly providerOptions?: Options } => isOptions(meta) ? { providerOptions: meta } : {}

const part = (each: Part, keepsReasoning: boolean): Content => {
  switch (each.type) {
    case "text":
      return each.text === "" ? [] : [{ type: "text", text: each.text, ...options(each.meta) }]
    case "reasoning":
      return keepsReasoning ? [{ type: "reasoning", text: each.text, ...options(each.meta) }] : []
    case "call":
      return [{ type: "tool-call", toolCallId: each.id, toolName: each.name, input: each.input, ...options(each.meta) }]
  }
}

export const assistant = (message: AssistantMessage, keepsReasoning: boolean): Content => {
  const content = message.parts.flatMap((each) => part(each, keepsReasoning))
  // Reasoning alone is no message to any provider.
  return content.some((each) => each.type !== "reasoning") ? content : []
}

export const result = (message: ResultMessage): Results[number] => ({
  type: "tool-result",
  toolCallId: message.id,
  toolName: message.name,
  output: message.outcome === "denied"
    ? { type: "execution-denied", reason: message.text }
    : { type: message.outcome === "error" ? "error-text" : "text", value: message.text === "" ? "(nothing)" : message.text }
})

/** Cache marks: Anthropic keeps what stands before one of at most four. */
const mark: { readonly providerOptions: Options } = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }

/** How a history looks to a wire: who gets reasoning back, who wants cache marks. */
export interface Manner {
  readonly wire: WireName
  readonly echoesReasoning: boolean
}

/** Chat completions take reasoning back only where asked for, and then only that of the running turn. */
const reasoningFrom = (messages: ReadonlyArray<Message>, manner: Manner): number => {
  if (manner.wire !== "openai") return 0
  return manner.echoesReasoning ? messages.findLastIndex((message) => message.role === "user") : messages.length
}

export const history = (messages: ReadonlyArray<Message>, manner: Manner): Array<ModelMessage> => {
  const from = reasoningFrom(messages, manner)
  const converted: Array<ModelMessage> = []
  messages.forEach((message, index) => {
    switch (message.role) {
      case "user":
        converted.push({ role: "user", content: message.text === "" ? "(nothing)" : message.text })
        return
      case "assistant": {
        const content = assistant(message, index >= from)
        if (content.length > 0) converted.push({ role: "assistant", content })
        return
      }
      case "result": {
        const last = converted.at(-1)
        if (last?.role === "tool") last.content.push(result(message))
        else converted.push({ role: "tool", content: [result(message)] })
      }
    }
  })
  if (manner.wire !== "anthropic") return converted
  const marked = converted.flatMap((message, index) => message.role === "assistant" ? [] : [index]).slice(-2)
  return converted.map((message, index) => marked.includes(index) ? { ...message, ...mark } : message)
}

/** One text for most; for Anthropic the sections, with a cache mark after the stable one and after the last. */
export const systemOf = (sections: ReadonlyArray<string>, wire: WireName): string | Array<SystemModelMessage> => {
  const filled = sections.filter((section) => section !== "")
  if (wire !== "anthropic") return filled.join("\n\n")
  return filled.map((content, index): SystemModelMessage =>
    index === 0 || index === filled.length - 1 ? { role: "system", content, ...mark } : { role: "system", content })
}
