import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import type { Tool as McpToolShape } from "@modelcontextprotocol/sdk/types.js"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import { Answer, Approver } from "../../services/Approver.js"
import type { Question } from "../../services/Approver.js"
import { Call, LiveOutput } from "../../services/Call.js"
import { Ids } from "../../services/Ids.js"
import type { Offered } from "../../services/Toolbox.js"
import { Toolbox } from "../../services/Toolbox.js"
import { version } from "../../version.js"

/** Tools without a set work on the state of an agent, which a client does not have; notes are the exception (decisions.md). */
const served = (tool: Offered) => tool.set !== null || ["remember", "recall", "forget"].includes(tool.name)

const shapeOf = (tool: Offered): McpToolShape => {
  const reads = tool.touches === "reads" || tool.touches === "ownState"
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { type: "object", ...tool.inputSchema },
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && tool.touches !== "network",
      idempotentHint: tool.touches === "reads",
      openWorldHint: tool.touches === "network" || tool.touches === "executes"
    }
  }
}

export const makeServer = () =>
  new Server({ name: "shiro", version }, {
    capabilities: { tools: {} },
    instructions: "Tools on one workspace. Writes and commands ask for approval where you offer elicitation; else the user's permission rules alone decide."
  })

const described = ({ grant, reason, subjects, tool }: Question) =>
  `${tool} wants to run:\n${subjects.join("\n")}\n\n${reason}${grant === null ? "" : `\n"always" allows ${tool} ${grant} until this server ends.`}`

/** Asks the client's user where the client offers elicitation; anything but a clear yes is a no. */
export const approverOf = (server: Server) =>
  Layer.succeed(Approver, Approver.of({
    attended: true,
    ask: (question) =>
      Effect.gen(function*() {
        if (server.getClientCapabilities()?.elicitation === undefined) {
          return Answer.No({ reason: "this client can't ask its user; allow it with a permission rule in shiro's configuration, or start shiro mcp with --yolo" })
        }
        const result = yield* Effect.tryPromise((signal) =>
          server.elicitInput({
            message: described(question),
            requestedSchema: {
              type: "object",
              properties: { decision: { type: "string", title: "Decision", enum: question.grant === null ? ["once", "deny"] : ["once", "always", "deny"] } },
              required: ["decision"]
            }
          }, { signal, timeout: 24 * 60 * 60 * 1000 })
        )
        if (result.action !== "accept") return Answer.No({ reason: null })
        const decision = result.content?.["decision"]
        return decision === "once" ? Answer.Once() : decision === "always" ? Answer.Always() : Answer.No({ reason: null })
      }).pipe(Effect.catchAll(() => Effect.succeed(Answer.No({ reason: "The client could not ask its user." }))))
  }))

/** The workspace the client works in: its first root on this machine, where it tells. */
export const firstRoot = (server: Server): Effect.Effect<string | null> =>
  server.getClientCapabilities()?.roots === undefined
    ? Effect.succeed(null)
    : Effect.tryPromise(() => server.listRoots(undefined, { timeout: 5000 })).pipe(
      Effect.map(({ roots }) => {
        const uri = roots.find((root) => root.uri.startsWith("file://"))?.uri
        return uri === undefined ? null : decodeURIComponent(new URL(uri).pathname)
      }),
      Effect.catchAll(() => Effect.succeed(null))
    )

/**
 * Answers the client's requests from a toolbox that is made once it is known where to work. What is given ends the calls
 * under way: an end of the connection is no word on them.
 */
export const serve = (server: Server, runtime: () => Promise<Runtime.Runtime<Toolbox | Ids>>): Effect.Effect<void> => {
  const ending = new AbortController()
  const underway = new Set<Promise<unknown>>()
  server.setRequestHandler(ListToolsRequestSchema, async () =>
    Runtime.runPromise(await runtime())(Effect.gen(function*() {
      return { tools: (yield* (yield* Toolbox).live).filter(served).map(shapeOf) }
    })))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { _meta, sendNotification, signal }) => {
    const token = _meta?.progressToken
    let progress = 0
    const emit = (message: string) =>
      token === undefined ? Effect.void : Effect.ignore(Effect.tryPromise(() =>
        sendNotification({ method: "notifications/progress", params: { progressToken: token, progress: ++progress, message } })))
    const called = Runtime.runPromiseExit(await runtime())(
      Effect.gen(function*() {
        const tools = (yield* (yield* Toolbox).live).filter(served)
        const tool = tools.find(({ name }) => name === params.name)
        if (tool === undefined) return { text: `Unknown tool "${params.name}". Available: ${tools.map(({ name }) => name).join(", ")}`, isError: true }
        const id = yield* (yield* Ids).next
        return yield* tool.run(params.arguments ?? {}).pipe(
          Effect.match({ onSuccess: (text) => ({ text, isError: false }), onFailure: ({ message }) => ({ text: message, isError: true }) }),
          Effect.provideService(Call, { id, turn: id, worker: null }),
          Effect.provideService(LiveOutput, { emit })
        )
      }),
      { signal: AbortSignal.any([signal, ending.signal]) }
    )
    underway.add(called)
    const exit = await called.finally(() => underway.delete(called))
    const { isError, text } = Exit.match(exit, {
      onSuccess: (result) => result,
      onFailure: (cause) => ({
        isError: true,
        text: Cause.isInterruptedOnly(cause)
          ? "The call was cancelled. What it had done so far stays done."
          : `shiro has a bug: ${Option.match(Cause.dieOption(cause), { onNone: () => "unknown", onSome: String })}`
      })
    })
    return { content: [{ type: "text", text }], isError }
  })
  return Effect.promise(async () => {
    ending.abort()
    await Promise.all(underway)
  })
}
