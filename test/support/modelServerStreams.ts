/** Answers as the three services stream them. Everything is cut into small pieces, as they do. */

export interface ReplyTool {
  readonly id?: string
  readonly name: string
  readonly input: unknown
}
export interface Reply {
  readonly reasoning?: string
  readonly text?: string
  readonly tools?: ReadonlyArray<ReplyTool>
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly cachedTokens?: number }
  /** an answer with this status instead of a stream */
  readonly status?: number
  /** the error's sentence, with `status` or `breaks: "error"` */
  readonly message?: string
  readonly param?: string
  /** seconds */
  readonly retryAfter?: number
  /** what happens once the content is out: an error in the stream, the connection cut, the end without a word, or nothing ever */
  readonly breaks?: "error" | "drop" | "end" | "hang"
  /** the answer was cut at the length limit */
  readonly cut?: boolean
  /** between the pieces */
  readonly pauseMillis?: number
  /** before the first piece */
  readonly waitMillis?: number
}

/** One piece of a stream as it goes over the wire. */
export type Frame = string

/** What the server gave out and wants back unchanged. */
export interface Issued {
  /** reasoning item id or signature -> what belongs to it */
  readonly reasoning: Map<string, string>
  /** message or call item id -> the reasoning item that led to it */
  readonly ledTo: Map<string, string>
}

export const pieces = (text: string, size = 7): ReadonlyArray<string> =>
  text === "" ? [] : Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

interface Told {
  readonly number: number
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly issued: Issued
}

const callId = (tool: ReplyTool, told: Told, index: number, prefix: string) => tool.id ?? `${prefix}_${told.number}_${index + 1}`
const data = (value: unknown): Frame => `data: ${JSON.stringify(value)}\n\n`
const event = (type: string, fields: object): Frame => `event: ${type}\n${data({ type, ...fields })}`

export const chatFrames = (reply: Reply, told: Told): ReadonlyArray<Frame> => {
  const chunk = (delta: unknown, finish: string | null = null) =>
    data({ id: `chatcmpl-${told.number}`, object: "chat.completion.chunk", created: 1, model: told.model, choices: [{ index: 0, delta, finish_reason: finish }] })
  const tools = reply.tools ?? []
  const starts = tools.map((tool, index) =>
    chunk({ tool_calls: [{ index, id: callId(tool, told, index, "call"), type: "function", function: { name: tool.name, arguments: "" } }] }))
  const inputs = tools.map((tool) => pieces(typeof tool.input === "string" ? tool.input : JSON.stringify(tool.input)))
  // Calls of one answer are told piece by piece in turn.
  const rounds = Math.max(0, ...inputs.map((each) => each.length))
  const argumentsOf = Array.from({ length: rounds }, (_, round) => inputs.flatMap((each, index) => {
    const piece = each[round]
    return piece === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: piece } }] })]
  })).flat()
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(reply.reasoning ?? "").map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(reply.text ?? "").map((piece) => chunk({ content: piece })),
    ...starts,
    ...argumentsOf,
    ...(reply.breaks === "error" ? [data({ error: { message: reply.message ?? "The server had an error", type: "server_error" } })] : []),
    ...(reply.breaks === undefined
      ? [
        chunk({}, reply.cut === true ? "length" : tools.length > 0 ? "tool_calls" : "stop"),
        data({
          id: `chatcmpl-${told.number}`, object: "chat.completion.chunk", created: 1, model: told.model, choices: [],
          usage: {
            prompt_tokens: told.inputTokens, completion_tokens: told.outputTokens, total_tokens: told.inputTokens + told.outputTokens,
            prompt_tokens_details: { cached_tokens: told.cachedTokens }
          }
        }),
        "data: [DONE]\n\n"
      ]
      : [])
  ]
}

export const responsesFrames = (reply: Reply, told: Told): ReadonlyArray<Frame> => {
  let sequence = 0
  const send = (type: string, fields: object) => event(type, { sequence_number: sequence++, ...fields })
  const response = { id: `resp_${told.number}`, object: "response", created_at: 1, model: told.model, output: [] }
  const frames: Array<Frame> = [send("response.created", { response: { ...response, status: "in_progress" } })]
  let output = 0
  const reasoningId = reply.reasoning === undefined ? null : `rs_${told.number}`
  if (reasoningId !== null) {
    const secret = `encrypted-${told.number}`
    told.issued.reasoning.set(reasoningId, secret)
    const item = { id: reasoningId, type: "reasoning", summary: [] }
    frames.push(
      send("response.output_item.added", { output_index: output, item: { ...item, encrypted_content: null } }),
      send("response.reasoning_summary_part.added", { item_id: reasoningId, output_index: output, summary_index: 0, part: { type: "summary_text", text: "" } }),
      ...pieces(reply.reasoning ?? "").map((delta) => send("response.reasoning_summary_text.delta", { item_id: reasoningId, output_index: output, summary_index: 0, delta })),
      send("response.reasoning_summary_part.done", { item_id: reasoningId, output_index: output, summary_index: 0, part: { type: "summary_text", text: reply.reasoning } }),
      send("response.output_item.done", { output_index: output, item: { ...item, summary: [{ type: "summary_text", text: reply.reasoning }], encrypted_content: secret } })
    )
    output += 1
  }
  if (reply.text !== undefined) {
    const id = `msg_${told.number}`
    if (reasoningId !== null) told.issued.ledTo.set(id, reasoningId)
    const part = { type: "output_text", text: "", annotations: [] }
    frames.push(
      send("response.output_item.added", { output_index: output, item: { id, type: "message", status: "in_progress", role: "assistant", content: [] } }),
      send("response.content_part.added", { item_id: id, output_index: output, content_index: 0, part }),
      ...pieces(reply.text).map((delta) => send("response.output_text.delta", { item_id: id, output_index: output, content_index: 0, delta, logprobs: [] })),
      send("response.output_item.done", { output_index: output, item: { id, type: "message", status: "completed", role: "assistant", content: [{ ...part, text: reply.text }] } })
    )
    output += 1
  }
  for (const [index, tool] of (reply.tools ?? []).entries()) {
    const id = `fc_${told.number}_${index + 1}`
    const call = { id, type: "function_call", call_id: callId(tool, told, index, "call"), name: tool.name }
    const input = typeof tool.input === "string" ? tool.input : JSON.stringify(tool.input)
    frames.push(
      send("response.output_item.added", { output_index: output, item: { ...call, arguments: "", status: "in_progress" } }),
      ...pieces(input).map((delta) => send("response.function_call_arguments.delta", { item_id: id, output_index: output, delta })),
      send("response.function_call_arguments.done", { item_id: id, output_index: output, arguments: input }),
      send("response.output_item.done", { output_index: output, item: { ...call, arguments: input, status: "completed" } })
    )
    output += 1
  }
  const usage = {
    input_tokens: told.inputTokens, input_tokens_details: { cached_tokens: told.cachedTokens },
    output_tokens: told.outputTokens, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: told.inputTokens + told.outputTokens
  }
  if (reply.breaks === "error") frames.push(send("error", { code: "server_error", message: reply.message ?? "The server had an error", param: null }))
  if (reply.breaks === undefined) {
    frames.push(reply.cut === true
      ? send("response.incomplete", { response: { ...response, status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, usage } })
      : send("response.completed", { response: { ...response, status: "completed", incomplete_details: null, usage } }))
  }
  return frames
}

export const anthropicFrames = (reply: Reply, told: Told): ReadonlyArray<Frame> => {
  const frames: Array<Frame> = [event("message_start", {
      message: {
        id: `msg_${told.number}`, type: "message", role: "assistant", model: told.model, content: [], stop_reason: null, stop_sequence: null,
        usage: { input_tokens: told.inputTokens - told.cachedTokens, cache_read_input_tokens: told.cachedTokens, cache_creation_input_tokens: 0, output_tokens: 1 }
      }
  })]
  let block = 0
  const add = (start: unknown, deltas: ReadonlyArray<unknown>) => {
    const index = block++
    frames.push(
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index })
    )
  }
  if (reply.reasoning !== undefined) {
    const signature = `signature-${told.number}`
    told.issued.reasoning.set(signature, reply.reasoning)
    add({ type: "thinking", thinking: "", signature: "" }, [
      ...pieces(reply.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature }
    ])
  }
  if (reply.text !== undefined) add({ type: "text", text: "" }, pieces(reply.text).map((text) => ({ type: "text_delta", text })))
  for (const [index, tool] of (reply.tools ?? []).entries()) {
    const input = typeof tool.input === "string" ? tool.input : JSON.stringify(tool.input)
    add({ type: "tool_use", id: callId(tool, told, index, "toolu"), name: tool.name, input: {} }, pieces(input).map((partial_json) => ({ type: "input_json_delta", partial_json })))
  }
  if (reply.breaks === "error") frames.push(event("error", { error: { type: "overloaded_error", message: reply.message ?? "Overloaded" } }))
  if (reply.breaks === undefined) {
    frames.push(
      event("message_delta", {
          delta: { stop_reason: reply.cut === true ? "max_tokens" : (reply.tools ?? []).length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
          usage: { output_tokens: told.outputTokens }
      }),
      event("message_stop", {})
    )
  }
  return frames
}
