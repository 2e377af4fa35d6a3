/** What the real services refuse: roles, pairing of calls and results, ids, reasoning. Each rule gives a sentence. */
import type { Issued } from "./modelServerStreams.js"

type Json = Readonly<Record<string, unknown>>
export const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const list = (value: unknown): ReadonlyArray<Json> => Array.isArray(value) ? value.filter(isRecord) : []
const text = (value: unknown): string => typeof value === "string" ? value : ""

const isJsonObject = (value: unknown) => {
  try {
    return isRecord(JSON.parse(text(value)))
  } catch {
    return false
  }
}
const unknownKeys = (value: Json, allowed: ReadonlyArray<string>) => Object.keys(value).filter((key) => !allowed.includes(key) && value[key] !== undefined)

const toolFaults = (tools: ReadonlyArray<{ readonly name: unknown; readonly schema: unknown }>, longest: number) => {
  const names = new Set<string>()
  return tools.flatMap(({ name, schema }) => {
    const faults: Array<string> = []
    const given = text(name)
    if (!new RegExp(`^[a-zA-Z0-9_-]{1,${longest}}$`).test(given)) faults.push(`tool name '${given}' does not match the pattern`)
    if (names.has(given)) faults.push(`tool names must be unique: ${given}`)
    names.add(given)
    if (!isRecord(schema) || schema["type"] !== "object") faults.push(`schema of tool ${given} must have type 'object'`)
    else if (!isRecord(schema["properties"])) faults.push(`schema of tool ${given}: object schema missing properties`)
    return faults
  })
}

export interface Strictness {
  /** the model takes a thinking parameter */
  readonly thinks: boolean
  /** chat completions there take `reasoning_content` back */
  readonly echoesReasoning: boolean
}

export const chatFaults = (body: Json, strictness: Strictness): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const extra = unknownKeys(body, ["model", "messages", "tools", "tool_choice", "stream", "stream_options", "reasoning_effort", "temperature"])
  if (extra.length > 0) faults.push(`Unrecognized request arguments supplied: ${extra.join(", ")}`)
  if (body["reasoning_effort"] !== undefined) {
    if (!strictness.thinks) faults.push("Unrecognized request argument supplied: reasoning_effort")
    if (!["none", "low", "medium", "high", "xhigh"].includes(text(body["reasoning_effort"]))) faults.push("Invalid value for reasoning_effort")
  }
  faults.push(...toolFaults(list(body["tools"]).map((tool) => {
    const made = isRecord(tool["function"]) ? tool["function"] : {}
    return { name: made["name"], schema: made["parameters"] }
  }), 64))
  const messages = list(body["messages"])
  if (messages.length === 0) faults.push("messages must not be empty")
  let open = new Set<string>()
  const seen = new Set<string>()
  messages.forEach((message, index) => {
    const role = text(message["role"])
    const at = `messages[${index}]`
    if (role !== "tool" && open.size > 0) {
      faults.push(`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(", ")}`)
      open = new Set()
    }
    switch (role) {
      case "system":
      case "developer":
      case "user":
        if (text(message["content"]) === "" && !Array.isArray(message["content"])) faults.push(`${at}: content must be a non-empty string`)
        break
      case "assistant": {
        const allowed = ["role", "content", "tool_calls", ...(strictness.echoesReasoning ? ["reasoning_content"] : [])]
        const more = unknownKeys(message, allowed)
        if (more.length > 0) faults.push(`${at}: additional properties are not allowed: ${more.join(", ")}`)
        const calls = list(message["tool_calls"])
        if (calls.length === 0 && typeof message["content"] !== "string") faults.push(`${at}: content must be a string`)
        for (const call of calls) {
          const made = isRecord(call["function"]) ? call["function"] : {}
          const id = text(call["id"])
          if (id === "") faults.push(`${at}: tool_calls need an id`)
          if (seen.has(id)) faults.push(`${at}: duplicate tool call id ${id}`)
          if (call["type"] !== "function") faults.push(`${at}: tool_calls[].type must be 'function'`)
          if (!isJsonObject(made["arguments"])) faults.push(`${at}: arguments of ${id} are no JSON object`)
          seen.add(id)
          open.add(id)
        }
        break
      }
      case "tool": {
        const id = text(message["tool_call_id"])
        if (!open.delete(id)) faults.push(`${at}: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${id})`)
        if (typeof message["content"] !== "string") faults.push(`${at}: content must be a string`)
        break
      }
      default:
        faults.push(`${at}: invalid role '${role}'`)
    }
  })
  if (open.size > 0) faults.push(`tool_call_ids did not have response messages: ${[...open].join(", ")}`)
  if (messages.at(-1)?.["role"] === "assistant") faults.push("the last message must be the user's or a tool's")
  return faults
}

export const responsesFaults = (body: Json, strictness: Strictness, issued: Issued): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const extra = unknownKeys(body, ["model", "input", "tools", "tool_choice", "stream", "store", "include", "reasoning", "text"])
  if (extra.length > 0) faults.push(`Unknown parameter: ${extra.join(", ")}`)
  if (body["reasoning"] !== undefined) {
    const effort = isRecord(body["reasoning"]) ? text(body["reasoning"]["effort"]) : ""
    if (!strictness.thinks) faults.push("Unsupported parameter: 'reasoning.effort' is not supported with this model.")
    if (!["none", "low", "medium", "high", "xhigh"].includes(effort)) faults.push(`Invalid value for reasoning.effort: '${effort}'`)
  }
  faults.push(...toolFaults(list(body["tools"]).map((tool) => ({ name: tool["name"], schema: tool["parameters"] })), 64))
  const stored = body["store"] !== false
  const calls = new Map<string, boolean>()
  const input = list(body["input"])
  if (input.length === 0) faults.push("input must not be empty")
  let reasoning: string | null = null
  input.forEach((item, index) => {
    const at = `input[${index}]`
    const type = text(item["type"])
    const id = text(item["id"])
    const wanted = issued.ledTo.get(id)
    if (wanted !== undefined && wanted !== reasoning) faults.push(`Item '${id}' was provided without its required 'reasoning' item: '${wanted}'.`)
    if (reasoning !== null && (type === "function_call_output" || item["role"] === "user")) {
      faults.push(`Item '${reasoning}' of type 'reasoning' was provided without its required following item.`)
    }
    switch (type) {
      case "reasoning":
        reasoning = id
        if (!stored && issued.reasoning.get(id) !== text(item["encrypted_content"])) faults.push(`${at}: the encrypted content for item ${id} could not be verified`)
        if (!Array.isArray(item["summary"])) faults.push(`${at}: missing required parameter: 'summary'`)
        return
      case "function_call": {
        const call = text(item["call_id"])
        if (call === "" || calls.has(call)) faults.push(`${at}: duplicate or missing call_id '${call}'`)
        if (!isJsonObject(item["arguments"])) faults.push(`${at}: arguments of ${call} are no JSON object`)
        calls.set(call, false)
        break
      }
      case "function_call_output": {
        const call = text(item["call_id"])
        if (calls.get(call) !== false) faults.push(`No tool call found for function call output with call_id ${call}.`)
        calls.set(call, true)
        break
      }
      case "item_reference":
        if (!stored) faults.push(`${at}: Item with id '${id}' not found. Items are not persisted when 'store' is set to false.`)
        break
      case "":
      case "message": {
        const role = text(item["role"])
        if (!["system", "developer", "user", "assistant"].includes(role)) faults.push(`${at}: invalid role '${role}'`)
        if (role === "user") {
          for (const [call, answered] of calls) if (!answered) faults.push(`No tool output found for function call ${call}.`)
        }
        const content = item["content"]
        if (typeof content !== "string" && list(content).some((part) => text(part["text"]) === "")) faults.push(`${at}: empty content`)
        break
      }
      default:
        faults.push(`${at}: invalid type '${type}'`)
    }
    reasoning = null
  })
  if (reasoning !== null) faults.push(`Item '${String(reasoning)}' of type 'reasoning' was provided without its required following item.`)
  for (const [call, answered] of calls) if (!answered) faults.push(`No tool output found for function call ${call}.`)
  return [...new Set(faults)]
}

const anthropicBlocks = (message: Json) => typeof message["content"] === "string" ? [{ type: "text", text: message["content"] }] : list(message["content"])

export const anthropicFaults = (body: Json, strictness: Strictness, issued: Issued): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const extra = unknownKeys(body, ["model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream", "thinking", "output_config"])
  if (extra.length > 0) faults.push(`${extra.join(", ")}: Extra inputs are not permitted`)
  const most = typeof body["max_tokens"] === "number" ? body["max_tokens"] : 0
  if (most < 1) faults.push("max_tokens: Field required")
  const thinking = isRecord(body["thinking"]) ? body["thinking"] : null
  const budget = thinking !== null && typeof thinking["budget_tokens"] === "number" ? thinking["budget_tokens"] : 0
  if (thinking !== null && !strictness.thinks) faults.push("thinking: this model does not support thinking")
  if (thinking?.["type"] === "enabled" && (budget < 1024 || budget >= most)) faults.push(`max_tokens (${most}) must be greater than thinking.budget_tokens (${budget}), which is at least 1024`)
  faults.push(...toolFaults(list(body["tools"]).map((tool) => ({ name: tool["name"], schema: tool["input_schema"] })), 128))
  const messages = list(body["messages"])
  const marks = JSON.stringify([body["system"], body["messages"], body["tools"]]).match(/"cache_control":\{/g)?.length ?? 0
  if (marks > 4) faults.push(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
  for (const block of list(body["system"])) if (text(block["text"]) === "") faults.push("system: text content blocks must be non-empty")
  if (messages[0]?.["role"] !== "user") faults.push("messages: first message must use the \"user\" role")
  const seen = new Set<string>()
  let open: ReadonlyArray<string> = []
  let used = false
  messages.forEach((message, index) => {
    const at = `messages.${index}`
    const role = text(message["role"])
    const blocks = anthropicBlocks(message)
    if (index > 0 && messages[index - 1]?.["role"] === role) faults.push(`${at}: roles must alternate`)
    if (blocks.length === 0) faults.push(`${at}: content must not be empty`)
    const results = blocks.filter((block) => block["type"] === "tool_result")
    const answered = results.map((block) => text(block["tool_use_id"]))
    if (role === "user") {
      const missing = open.filter((id) => !answered.includes(id))
      if (missing.length > 0) faults.push(`${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`)
      for (const id of answered) if (!open.includes(id)) faults.push(`${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`)
      if (new Set(answered).size !== answered.length) faults.push(`${at}: each tool_use must have a single result`)
      if (blocks.findLastIndex((block) => block["type"] === "tool_result") >= results.length) faults.push(`${at}: tool_result blocks must come first`)
      open = []
    }
    for (const block of blocks) {
      switch (block["type"]) {
        case "text":
          if (text(block["text"]).trim() === "") faults.push(`${at}: text content blocks must be non-empty`)
          break
        case "thinking":
          if (issued.reasoning.get(text(block["signature"])) !== block["thinking"]) faults.push(`${at}: Invalid \`signature\` in \`thinking\` block`)
          break
        case "tool_use": {
          const id = text(block["id"])
          used = true
          if (!/^[a-zA-Z0-9_-]+$/.test(id)) faults.push(`${at}: tool_use id '${id}' does not match the pattern`)
          if (seen.has(id)) faults.push(`${at}: \`tool_use\` ids must be unique: ${id}`)
          if (!isRecord(block["input"])) faults.push(`${at}: tool_use.input: Input should be a valid dictionary`)
          seen.add(id)
          break
        }
        case "tool_result":
          break
        default:
          faults.push(`${at}: unknown block ${text(block["type"])}`)
      }
    }
    if (role === "assistant") {
      open = blocks.filter((block) => block["type"] === "tool_use").map((block) => text(block["id"]))
      if (blocks.at(-1)?.["type"] === "thinking") faults.push(`${at}: the final block in an assistant message cannot be \`thinking\``)
      const inLoop = index === messages.length - 2 && open.length > 0
      if (thinking?.["type"] === "enabled" && inLoop && blocks[0]?.["type"] !== "thinking") {
        faults.push(`${at}: Expected \`thinking\` or \`redacted_thinking\`, but found \`${text(blocks[0]?.["type"])}\``)
      }
    }
  })
  if (used && list(body["tools"]).length === 0) faults.push("Requests which include `tool_use` or `tool_result` blocks must define tools.")
  if (messages.at(-1)?.["role"] !== "user") faults.push("the conversation must end with a user message")
  return faults
}
