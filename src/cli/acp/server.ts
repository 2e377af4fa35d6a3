import type { AgentContext, AgentApp, LoadSessionRequest, McpServer, NewSessionRequest, SessionModeState } from "@agentclientprotocol/sdk"
import { agent, methods, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { isAbsolute } from "node:path"
import type { Fault } from "../../services/Fault.js"
import { variants } from "../../services/agent/variants.js"
import { agentNames } from "../../services/config/schema.js"
import { NoSuchSession } from "../../services/Sessions.js"
import { version } from "../../version.js"
import type { Line } from "../argv.js"
import { promptText } from "./given.js"
import type { OpenSession } from "./session.js"
import { openSession } from "./session.js"

interface Held {
  readonly session: OpenSession
  readonly scope: Scope.CloseableScope
}

const said: Readonly<Record<keyof typeof variants, string>> = {
  default: "Reads, edits and runs commands; asks where your rules say so.",
  quick: "Few steps, no thinking.",
  deep: "Many steps, much thinking.",
  plan: "Changes nothing; ends with a plan.",
  review: "Changes nothing; reports findings."
}
const modes = (current: keyof typeof variants): SessionModeState => ({
  currentModeId: current,
  availableModes: agentNames.map((name) => ({ id: name, name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, description: said[name] }))
})

const invalidInput = new Set(["NoWorkspace", "ConfigUnusable"])
const errorOf = (fault: Fault, id: string | null) => {
  if (fault._tag === "NoSuchSession") return new RequestError(-32002, fault.message, { sessionId: id })
  return new RequestError(invalidInput.has(fault._tag) ? -32602 : -32603, fault.message)
}

/** Runs an effect for one request; what fails becomes a JSON-RPC error with the sentence a person reads. */
const answering = (runtime: Runtime.Runtime<never>) => async <A>(effect: Effect.Effect<A, Fault | RequestError>, signal: AbortSignal, id: string | null = null): Promise<A> => {
  const exit = await Runtime.runPromiseExit(runtime)(effect, { signal })
  return Exit.match(exit, {
    onSuccess: (value) => value,
    onFailure: (cause) => {
      if (Cause.isInterruptedOnly(cause)) throw RequestError.requestCancelled()
      throw Option.match(Cause.failureOption(cause), {
        onNone: () => RequestError.internalError(undefined, `shiro has a bug: ${Cause.pretty(cause).split("\n")[0] ?? ""}`),
        onSome: (fault) => fault instanceof RequestError ? fault : errorOf(fault, id)
      })
    }
  })
}

/** What an editor may ask of shiro. Every session lives in a scope below the given one. */
export const makeApp = Effect.fnUntraced(function*(line: Line) {
  const parent = yield* Effect.scope
  const answer = answering(yield* Effect.runtime<never>())
  const held = new Map<string, Held>()

  const close = (id: string) =>
    Effect.suspend(() => {
      const there = held.get(id)
      held.delete(id)
      return there === undefined ? Effect.void : Scope.close(there.scope, Exit.void)
    })
  const open = (client: AgentContext, cwd: string, servers: ReadonlyArray<McpServer>, resume: string | null) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        if (!isAbsolute(cwd)) return yield* Effect.fail(new RequestError(-32602, `cwd must be an absolute path, not "${cwd}".`))
        const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
        const session = yield* restore(openSession({ line, client, cwd, servers, resume })).pipe(
          Effect.provideService(Scope.Scope, scope),
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        held.set(session.id, { session, scope })
        return session
      }))
  const find = (id: string) =>
    Effect.suspend(() => {
      const there = held.get(id)
      return there === undefined
        ? Effect.fail(new RequestError(-32002, `No session "${id}" is open here. Open it with session/new or session/load.`, { sessionId: id }))
        : Effect.succeed(there.session)
    })

  const create = ({ cwd, mcpServers }: NewSessionRequest, client: AgentContext) =>
    Effect.tap(open(client, cwd, mcpServers, null), ({ watch }) => watch)
  const load = ({ cwd, mcpServers, sessionId }: LoadSessionRequest, client: AgentContext) =>
    Effect.gen(function*() {
      yield* close(sessionId)
      const session = yield* open(client, cwd, mcpServers, sessionId)
      // a person may give the beginning of an id, an editor not: it would not know the session again
      if (session.id !== sessionId) {
        yield* close(session.id)
        return yield* new NoSuchSession({ wanted: sessionId, matches: [] })
      }
      yield* session.history
      yield* session.watch
      return session
    })

  const app: AgentApp = agent({ name: "shiro" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "shiro", title: "shiro", version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { close: {} }
      },
      authMethods: []
    }))
    .onRequest(methods.agent.session.new, ({ client, params, signal }) =>
      answer(Effect.map(create(params, client), ({ current, id }) => ({ sessionId: id, modes: modes(current) })), signal))
    .onRequest(methods.agent.session.load, ({ client, params, signal }) =>
      answer(Effect.map(load(params, client), ({ current }) => ({ modes: modes(current) })), signal, params.sessionId))
    .onRequest(methods.agent.session.close, ({ params, signal }) => answer(Effect.as(Effect.zipRight(find(params.sessionId), close(params.sessionId)), {}), signal))
    .onRequest(methods.agent.session.setMode, ({ params, signal }) =>
      answer(Effect.gen(function*() {
        const session = yield* find(params.sessionId)
        const name = agentNames.find((each) => each === params.modeId)
        if (name === undefined) return yield* Effect.fail(new RequestError(-32602, `Unknown mode "${params.modeId}". Available: ${agentNames.join(", ")}`))
        yield* session.choose(name)
        return {}
      }), signal))
    .onRequest(methods.agent.session.prompt, ({ params, signal }) =>
      answer(Effect.gen(function*() {
        const session = yield* find(params.sessionId)
        if (yield* session.busy) return yield* Effect.fail(new RequestError(-32600, "A turn is running in this session. Cancel it first, or wait for its end."))
        return { stopReason: yield* session.prompt(promptText(params.prompt)) }
      }), signal))
    .onNotification(methods.agent.session.cancel, ({ params, signal }) =>
      answer(Effect.flatMap(Effect.either(find(params.sessionId)), (found) => found._tag === "Left" ? Effect.void : found.right.cancel), signal))
  return app
})
