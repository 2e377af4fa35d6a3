import type { AgentContext, McpServer, PlanEntry, SessionUpdate, StopReason } from "@agentclientprotocol/sdk"
import { methods } from "@agentclientprotocol/sdk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { agentLayer } from "../../layers/whole.js"
import type { Stop } from "../../services/Agent.js"
import { Agent, AgentOptions } from "../../services/Agent.js"
import { variants } from "../../services/agent/variants.js"
import { Approver } from "../../services/Approver.js"
import type { Question } from "../../services/Approver.js"
import { Answer } from "../../services/Approver.js"
import { Jail } from "../../services/Jail.js"
import { Sessions } from "../../services/Sessions.js"
import type { Todo } from "../../services/Todos.js"
import { Todos } from "../../services/Todos.js"
import { Toolbox } from "../../services/Toolbox.js"
import type { Line } from "../argv.js"
import { agentOptionsOf, optionsOf } from "../options.js"
import { errLine } from "../output/text.js"
import { serverTroubles, troubles } from "../troubles.js"
import { askEditor } from "./approver.js"
import { makeCalls, replay, tell } from "./calls.js"
import { serversOf } from "./given.js"

export interface Wanted {
  readonly line: Line
  readonly client: AgentContext
  readonly cwd: string
  readonly servers: ReadonlyArray<McpServer>
  /** the saved session to go on with */
  readonly resume: string | null
}

const stopReasons: Readonly<Record<Stop, StopReason>> = {
  end: "end_turn", steps: "max_turn_requests", cost: "max_turn_requests", time: "max_turn_requests", error: "refusal", interrupted: "cancelled"
}
const limits: Readonly<Partial<Record<Stop, string>>> = { steps: "the limit of steps", cost: "the limit of cost", time: "the limit of time" }

const statuses: Readonly<Record<Todo["status"], PlanEntry["status"]>> = {
  pending: "pending", in_progress: "in_progress", done: "completed", blocked: "pending"
}
const planOf = (todos: ReadonlyArray<Todo>): SessionUpdate => ({
  sessionUpdate: "plan",
  entries: todos.map(({ content, note, status }) =>
    ({ content: status === "blocked" ? `${content} (blocked: ${note ?? "no reason given"})` : content, status: statuses[status], priority: "medium" }))
})

/** The services of one session; questions go to whoever is put into `asking` later, since that needs the session's id. */
const layerOf = ({ cwd, line, resume, servers }: Wanted, asking: Deferred.Deferred<(question: Question) => Effect.Effect<Answer>>) => {
  const approver = Layer.succeed(Approver, Approver.of({
    attended: true,
    ask: (question) => Effect.flatMap(Deferred.await(asking), (ask) => ask(question))
  }))
  const options = optionsOf(line, { approver })
  return Layer.provide(
    agentLayer({
      ...options,
      root: cwd,
      config: { ...options.config, mcpServers: serversOf(servers) },
      toolbox: { ...options.toolbox, withheld: { ...options.toolbox?.withheld, ask: "the protocol has no questions" } }
    }),
    Layer.succeed(AgentOptions, { ...agentOptionsOf(line), resume })
  )
}

/** One session of an editor: its own services over its own folder, until its scope ends. */
export const openSession = Effect.fnUntraced(function*(wanted: Wanted) {
  const scope = yield* Effect.scope
  const asking = yield* Deferred.make<(question: Question) => Effect.Effect<Answer>>()
  const services = yield* Layer.buildWithScope(layerOf(wanted, asking), scope)
  return yield* Effect.gen(function*() {
    const agent = yield* Agent
    const toolbox = yield* Toolbox
    const { root } = yield* Jail
    const state = yield* agent.state
    const id = state.session
    const send = (update: SessionUpdate) =>
      Effect.ignore(Effect.tryPromise(() => wanted.client.notify(methods.client.session.update, { sessionId: id, update })))
    const calls = makeCalls(root, (name) => Effect.map(toolbox.live, (live) => live.find((tool) => tool.name === name)?.touches), send)
    yield* Deferred.succeed(asking, askEditor(wanted.client, id, root, calls))
    const found = yield* troubles
    // The editor shows it with the first answer; its log has it at once.
    for (const trouble of found) yield* errLine(`notice: ${trouble}`)
    const untold = yield* Ref.make(found)
    yield* serverTroubles.pipe(
      Effect.tap(Effect.forEach((trouble) => errLine(`notice: ${trouble}`))),
      Effect.flatMap((more) => Ref.update(untold, (before) => [...before, ...more])),
      Effect.forkIn(scope)
    )
    const running = yield* Ref.make<Fiber.RuntimeFiber<Stop, unknown> | null>(null)

    /** From when the editor knows the session: what it has of a task list, and every change. */
    const watch = Effect.gen(function*() {
      let shown = false
      yield* Stream.runForEach((yield* Todos).list.changes, (todos) => {
        const skip = !shown && todos.length === 0
        shown = true
        return skip ? Effect.void : send(planOf(todos))
      })
    }).pipe(Effect.provide(services), Effect.forkIn(scope), Effect.asVoid)

    const turn = Effect.fnUntraced(function*(prompt: string) {
      for (const message of yield* Ref.getAndSet(untold, [])) yield* tell(calls, send)({ type: "notice", message })
      const stop = yield* Ref.make<Stop>("error")
      yield* agent.turn(prompt).pipe(
        Stream.tap((event) => event.type === "done" ? Ref.set(stop, event.stop) : Effect.void),
        Stream.runForEach(tell(calls, send))
      )
      const how = yield* Ref.get(stop)
      const limit = limits[how]
      if (limit !== undefined) yield* send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `\n\nStopped at ${limit}.` } })
      return how
    })

    /** Ends the turn from within where it can, so that the session stays whole. */
    const cancel = Effect.gen(function*() {
      const fiber = yield* Ref.get(running)
      if (fiber === null || (yield* agent.interrupt)) return
      yield* Fiber.interruptFork(fiber)
    })

    return {
      id,
      current: state.agent,
      busy: Effect.map(Ref.get(running), (fiber) => fiber !== null),
      watch,
      cancel,
      choose: (name: keyof typeof variants) => agent.choose({ agent: name }),
      history: Effect.gen(function*() {
        const records = yield* (yield* Sessions).show(id)
        yield* Effect.forEach(records, (record) => record.type === "message" ? replay(calls, send)(record.message) : Effect.void, { discard: true })
        yield* calls.endAll("failed")
      }).pipe(Effect.provide(services)),
      prompt: (text: string) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.forkIn(turn(text), scope)
          yield* Ref.set(running, fiber)
          const exit = yield* Effect.onInterrupt(Fiber.await(fiber), () => Effect.zipRight(cancel, Fiber.await(fiber)))
          if (Exit.isInterrupted(exit)) yield* calls.endAll("failed")
          return Exit.isInterrupted(exit) ? "cancelled" as const : stopReasons[yield* exit]
        }).pipe(Effect.ensuring(Ref.set(running, null)))
    }
  }).pipe(Effect.provide(services), Effect.provideService(Scope.Scope, scope))
})
export type OpenSession = Effect.Effect.Success<ReturnType<typeof openSession>>
