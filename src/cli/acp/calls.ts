import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk"
import * as Effect from "effect/Effect"
import type { AgentEvent } from "../../services/Agent.js"
import type { Message } from "../../services/Model.js"
import type { Touches } from "../../services/Permissions.js"
import { callLine } from "../output/events.js"
import { diffsIn, kindOf, locationsOf, textContent } from "./shape.js"

export type Send = (update: SessionUpdate) => Effect.Effect<void>

/** Longest tail of a running command that is sent, and how often, in milliseconds. */
const mostTail = 4000
const pause = 100

interface Shown {
  readonly name: string
  readonly diffs: ReadonlyArray<ToolCallContent>
  readonly tail: string
  readonly told: number
}

/**
 * The calls of one session as the editor knows them. Questions and events come by different ways: whichever is first
 * makes the call known, the other adds to it.
 */
export const makeCalls = (root: string, touches: (name: string) => Effect.Effect<Touches | undefined>, send: Send) => {
  const open = new Map<string, Shown>()
  const announce = Effect.fnUntraced(function*(id: string, name: string, input: unknown, diffs: ReadonlyArray<ToolCallContent>) {
    const known = open.get(id)
    const all = diffs.length > 0 ? diffs : known !== undefined && known.diffs.length > 0 ? known.diffs : diffsIn(input, root)
    open.set(id, { name, diffs: all, tail: known?.tail ?? "", told: known?.told ?? 0 })
    const call = {
      toolCallId: id,
      title: callLine(name, input),
      kind: kindOf(name, yield* touches(name)),
      locations: locationsOf(input, root),
      content: [...all],
      rawInput: input
    }
    yield* send(known === undefined ? { sessionUpdate: "tool_call", status: "pending", ...call } : { sessionUpdate: "tool_call_update", ...call })
    return call
  })
  const end = (id: string, status: "completed" | "failed", text: string) => {
    const known = open.get(id)
    open.delete(id)
    const name = known?.name ?? ""
    const diffs = status === "completed" ? known?.diffs ?? [] : []
    return send({
      sessionUpdate: "tool_call_update",
      toolCallId: id,
      status,
      content: diffs.length > 0 ? [...diffs] : textContent(name, text),
      rawOutput: text
    })
  }
  const output = (id: string, text: string) => {
    const known = open.get(id)
    if (known === undefined) return Effect.void
    const now = performance.now()
    const tail = (known.tail + text).slice(-mostTail)
    const due = now - known.told >= pause
    open.set(id, { ...known, tail, told: due ? now : known.told })
    return due ? send({ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress", content: textContent(known.name, tail) }) : Effect.void
  }
  return {
    announce,
    begun: (id: string) => send({ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress" }),
    end,
    output,
    /** What never told its end: a helper's calls, and whatever an interruption cut off. */
    endAll: (status: "completed" | "failed") => Effect.forEach([...open.keys()], (id) => end(id, status, ""), { discard: true })
  }
}
export type Calls = ReturnType<typeof makeCalls>

const chunk = (sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate =>
  ({ sessionUpdate, content: { type: "text", text } })

/** Tells an event of a turn to the editor. */
export const tell = (calls: Calls, send: Send) => (event: AgentEvent): Effect.Effect<void> => {
  switch (event.type) {
    case "text":
      return event.text === "" ? Effect.void : send(chunk("agent_message_chunk", event.text))
    case "reasoning":
      return event.text === "" ? Effect.void : send(chunk("agent_thought_chunk", event.text))
    case "tool-call":
      return Effect.zipRight(calls.announce(event.id, event.name, event.input, []), calls.begun(event.id))
    case "tool-output":
      return calls.output(event.id, event.text)
    case "tool-result":
      return calls.end(event.id, "completed", event.output)
    case "tool-error":
      return calls.end(event.id, "failed", event.message)
    case "tool-denied":
      return calls.end(event.id, "failed", `Not run: ${event.reason}`)
    case "compacted":
      return send(chunk("agent_thought_chunk", `Context compacted from ${event.before} to ${event.after} tokens.\n`))
    case "notice":
      return send(chunk("agent_thought_chunk", `${event.message}\n`))
    case "done":
      return calls.endAll(event.stop === "end" ? "completed" : "failed")
    case "session":
    case "tool-start":
    case "error":
      return Effect.void
  }
}

/** Tells a saved conversation once more. */
export const replay = (calls: Calls, send: Send) => (message: Message): Effect.Effect<void> => {
  switch (message.role) {
    case "user":
      return send(chunk("user_message_chunk", message.text))
    case "assistant":
      return Effect.forEach(message.parts, (part) =>
        part.type === "call"
          ? Effect.asVoid(calls.announce(part.id, part.name, part.input, []))
          : part.text === "" ? Effect.void : send(chunk(part.type === "text" ? "agent_message_chunk" : "agent_thought_chunk", part.text)), { discard: true })
    case "result":
      return calls.end(message.id, message.outcome === "ok" ? "completed" : "failed", message.text)
  }
}
