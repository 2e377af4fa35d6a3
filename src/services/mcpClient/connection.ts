import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Tool as ServerTool } from "@modelcontextprotocol/sdk/types.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Runtime from "effect/Runtime"
import { version } from "../../version.js"
import { McpServerGone, McpToolFailed } from "../McpClient.js"
import { resultText } from "./content.js"
import type { ServerConfig } from "./transport.js"
import { openTransport } from "./transport.js"

/** A server has so long to start and to say what it offers. */
const startMillis = 10_000
/** The pipeline's limit is shorter; this only keeps the SDK's own, shorter one away. */
const callMillis = 24 * 60 * 60 * 1000

interface State {
  readonly phase: "starting" | "ready" | "failed"
  readonly why: string | null
  readonly tools: ReadonlyArray<ServerTool>
  readonly client: Client | null
  readonly restarts: number
}

export interface Connection {
  readonly name: string
  /** waits until the server has answered or failed for the first time */
  readonly state: Effect.Effect<State>
  readonly now: Effect.Effect<State>
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Effect.Effect<string, McpServerGone | McpToolFailed>
}

/** One line, with the reason behind it where there is one: `fetch failed` alone tells nobody what to mend. */
const wordsOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause).split("\n")[0] ?? ""
  const said = cause.message.split("\n")[0] ?? ""
  const absent = /^spawn (.*) ENOENT$/.exec(said)?.[1]
  if (absent !== undefined) return `there is no program ${absent} (ENOENT)`
  const { code, message } = cause.cause instanceof Error ? { code: "", ...cause.cause, message: cause.cause.message } : { code: "", message: "" }
  const behind = message === "" ? String(code) : message.split("\n")[0] ?? ""
  return behind === "" || said.includes(behind) ? said : `${said}: ${behind}`
}

const listTools = async (client: Client): Promise<ReadonlyArray<ServerTool>> => {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const tools: Array<ServerTool> = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: startMillis })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined && tools.length < 2000)
  return tools
}

const start = async (config: ServerConfig, root: string, env: Readonly<Record<string, string | undefined>>, signal: AbortSignal, on: {
  readonly closed: (words: string) => void
  readonly changed: (client: Client) => void
}) => {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js")
  const { ListRootsRequestSchema, ToolListChangedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js")
  const client = new Client({ name: "shiro", version }, { capabilities: { roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${encodeURI(root)}`, name: "workspace" }] }))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => on.changed(client))
  const { lastWords, transport } = await openTransport(config, root, env)
  signal.addEventListener("abort", () => void client.close().catch(() => undefined), { once: true })
  try {
    await client.connect(transport, { timeout: startMillis, signal })
    const tools = await listTools(client)
    client.onclose = () => on.closed(lastWords())
    return { client, tools }
  } catch (cause) {
    await client.close().catch(() => undefined)
    const last = lastWords()
    throw new Error(last === "" ? wordsOf(cause) : `${wordsOf(cause)}; it wrote: ${last.split("\n").at(-1) ?? ""}`)
  }
}

/** Keeps one server: starts it, notices when it changes its list, restarts it once when it dies. */
export const connect = Effect.fnUntraced(function*(
  name: string,
  config: ServerConfig,
  root: string,
  env: Readonly<Record<string, string | undefined>>
) {
  const state = yield* Ref.make<State>({ phase: "starting", why: null, tools: [], client: null, restarts: 0 })
  const first = yield* Deferred.make<void>()
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  const relist = (client: Client) =>
    Effect.tryPromise(() => listTools(client)).pipe(
      Effect.flatMap((tools) => Ref.update(state, (before) => before.client === client ? { ...before, tools } : before)),
      Effect.catchAll(() => Effect.void)
    )
  const begin: Effect.Effect<void> = Effect.tryPromise({
    try: (signal) => start(config, root, env, signal, {
      closed: (words) => void fork(died(words)),
      changed: (client) => void fork(relist(client))
    }),
    catch: wordsOf
  }).pipe(
    Effect.timeoutFail({ duration: startMillis, onTimeout: () => `it did not start within ${startMillis / 1000} s` }),
    Effect.matchEffect({
      onSuccess: ({ client, tools }) => Ref.update(state, (before): State => ({ ...before, phase: "ready", why: null, client, tools })),
      onFailure: (why) => Ref.update(state, (before): State => ({ ...before, phase: "failed", why, client: null, tools: [] }))
    }),
    Effect.ensuring(Deferred.succeed(first, undefined))
  )
  const died = (words: string): Effect.Effect<void> =>
    Effect.flatMap(
      Ref.modify(state, (before): readonly [boolean, State] => {
        const again = before.phase === "ready" && before.restarts === 0
        const why = `it ended${words === "" ? "" : `; it wrote: ${words.split("\n").at(-1) ?? ""}`}`
        return [again, { ...before, phase: again ? "starting" : "failed", why, client: null, restarts: before.restarts + 1, tools: again ? before.tools : [] }]
      }),
      (again) => again ? begin : Effect.void
    )
  yield* Effect.forkScoped(begin)
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(Ref.getAndUpdate(state, (before): State => ({ ...before, phase: "failed", client: null })), ({ client }) =>
      client === null ? Effect.void : Effect.promise(() => client.close().catch(() => undefined))))
  const connection: Connection = {
    name,
    now: Ref.get(state),
    state: Effect.zipRight(Deferred.await(first), Ref.get(state)),
    call: Effect.fnUntraced(function*(tool, input) {
      const { client, why } = yield* Ref.get(state)
      if (client === null) return yield* new McpServerGone({ server: name, tool, why: why ?? "it is not running" })
      const result = yield* Effect.tryPromise({
        try: (signal) => client.callTool({ name: tool, arguments: { ...input } }, undefined, { signal, timeout: callMillis }),
        catch: (cause) => new McpServerGone({ server: name, tool, why: wordsOf(cause) })
      })
      const content = Array.isArray(result.content) ? result.content : []
      const text = resultText({ content, ...result.structuredContent === undefined ? {} : { structuredContent: record(result.structuredContent) } })
      if (result.isError === true) return yield* new McpToolFailed({ server: name, tool, said: text })
      return text === "" ? "(no output)" : text
    })
  }
  return connection
})

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}
