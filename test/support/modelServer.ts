import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import { anthropicFaults, chatFaults, isRecord, responsesFaults } from "./modelServerRules.js"
import type { Strictness } from "./modelServerRules.js"
import { anthropicFrames, chatFrames, responsesFrames } from "./modelServerStreams.js"
import type { Frame, Issued, Reply } from "./modelServerStreams.js"

export type { Reply } from "./modelServerStreams.js"
export type Wire = "chat" | "responses" | "anthropic" | "models"

/** A request as it came. */
export interface Seen {
  readonly wire: Wire
  readonly headers: IncomingMessage["headers"]
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
  /** milliseconds, of when it was there and when its answer was out */
  readonly came: number
  answered: number
  /** the client closed before the answer was out */
  aborted: boolean
  /** what the real service would refuse */
  readonly faults: ReadonlyArray<string>
}

export interface Serving {
  /** ends in `/v1` */
  readonly url: string
  readonly requests: ReadonlyArray<Seen>
  /** faults of all requests */
  readonly faults: () => ReadonlyArray<string>
  /** open answers now, and the most there ever were at once */
  readonly open: () => { readonly now: number; readonly most: number }
  /** resolves when a client has closed a request early */
  readonly aborted: Promise<void>
  readonly close: () => Promise<void>
}

/** Answers by list, one for each request, or by what was asked. */
export type Answers = ReadonlyArray<Reply> | ((request: Pick<Seen, "body" | "wire" | "text">, number: number) => Reply)

export interface Options extends Partial<Strictness> {
  readonly models?: ReadonlyArray<string>
  readonly port?: number
}

const wireOf = (path: string): Wire | null =>
  path.endsWith("/chat/completions") ? "chat" : path.endsWith("/responses") ? "responses" : path.endsWith("/messages") ? "anthropic" : path.endsWith("/models") ? "models" : null

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const errorBody = (wire: Wire, status: number, message: string, param: string | undefined) =>
  wire === "anthropic"
    ? { type: "error", error: { type: status === 429 ? "rate_limit_error" : status >= 500 ? "api_error" : "invalid_request_error", message } }
    : { error: { message, type: "invalid_request_error", param: param ?? null, code: null } }

const framesOf = (wire: Wire, reply: Reply, seen: Seen, number: number, issued: Issued): ReadonlyArray<Frame> => {
  const made = (reply.text ?? "").length + JSON.stringify(reply.tools ?? []).length + (reply.reasoning ?? "").length
  const told = {
    number,
    model: typeof seen.body["model"] === "string" ? seen.body["model"] : "model",
    inputTokens: reply.usage?.inputTokens ?? Math.ceil(seen.text.length / 4),
    outputTokens: reply.usage?.outputTokens ?? Math.ceil(made / 4),
    cachedTokens: reply.usage?.cachedTokens ?? 0,
    issued
  }
  return wire === "chat" ? chatFrames(reply, told) : wire === "responses" ? responsesFrames(reply, told) : anthropicFrames(reply, told)
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** A loopback server that speaks chat completions, responses and messages, and refuses what the real ones refuse. */
export const startModelServer = async (answers: Answers, options: Options = {}): Promise<Serving> => {
  const requests: Array<Seen> = []
  const issued: Issued = { reasoning: new Map(), ledTo: new Map() }
  const strictness = { thinks: options.thinks ?? true, echoesReasoning: options.echoesReasoning ?? false }
  const open = { now: 0, most: 0 }
  let number = 0
  let sayAborted = () => {}
  const aborted = new Promise<void>((resolve) => {
    sayAborted = resolve
  })

  const stream = async (response: ServerResponse, frames: ReadonlyArray<Frame>, reply: Reply) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    await pause(reply.waitMillis ?? 0)
    if (reply.pauseMillis === undefined) response.write(frames.join(""))
    else for (const frame of frames) {
      if (response.destroyed) return
      response.write(frame)
      await pause(reply.pauseMillis)
    }
    if (reply.breaks === "hang") return
    if (reply.breaks === "drop") {
      await pause(20)
      response.destroy()
      return
    }
    response.end()
  }

  const faultsOf = (wire: Wire, body: Seen["body"], headers: Seen["headers"]) => {
    switch (wire) {
      case "chat":
        return chatFaults(body, strictness)
      case "responses":
        return responsesFaults(body, strictness, issued)
      case "anthropic":
        return [
          ...(headers["x-api-key"] === undefined ? ["x-api-key header is required"] : []),
          ...(headers["anthropic-version"] === undefined ? ["anthropic-version header is required"] : []),
          ...anthropicFaults(body, strictness, issued)
        ]
      case "models":
        return []
    }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const wire = wireOf(request.url ?? "")
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify(body))
    }
    if (wire === null) return json(404, { error: { message: `Unknown address ${request.url}` } })
    if (wire === "models") return json(200, { object: "list", data: (options.models ?? ["model-a", "model-b"]).map((id) => ({ id, object: "model" })) })
    const text = await bodyOf(request)
    const parsed: unknown = JSON.parse(text)
    const body = isRecord(parsed) ? parsed : {}
    const seen: Seen = { wire, headers: request.headers, body, text, came: performance.now(), answered: 0, aborted: false, faults: faultsOf(wire, body, request.headers) }
    requests.push(seen)
    open.now += 1
    open.most = Math.max(open.most, open.now)
    response.on("close", () => {
      open.now -= 1
      seen.answered = performance.now()
      if (response.writableEnded) return
      seen.aborted = true
      sayAborted()
    })
    const index = number++
    const reply = typeof answers === "function" ? answers(seen, index) : answers[index]
    if (reply === undefined) return json(500, errorBody(wire, 500, `The test's server has no answer for request ${index + 1}`, undefined))
    if (reply.status !== undefined) {
      return json(reply.status, errorBody(wire, reply.status, reply.message ?? `status ${reply.status}`, reply.param),
        reply.retryAfter === undefined ? {} : { "retry-after": String(reply.retryAfter) })
    }
    if (seen.faults.length > 0) return json(400, errorBody(wire, 400, seen.faults.join("; "), undefined))
    await stream(response, framesOf(wire, reply, seen, index + 1, issued), reply)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    faults: () => requests.flatMap(({ faults }) => faults),
    open: () => ({ ...open }),
    aborted,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** The server for the length of a test. */
export const modelServer = (answers: Answers, options: Options = {}) =>
  Effect.acquireRelease(Effect.promise(() => startModelServer(answers, options)), (serving) => Effect.promise(() => serving.close()))
