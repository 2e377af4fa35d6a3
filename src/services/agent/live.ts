import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { AgentFault } from "../Agent.js"
import { Agent, AgentOptions } from "../Agent.js"
import { Approver } from "../Approver.js"
import { Config } from "../Config.js"
import { Host } from "../Host.js"
import { Ids } from "../Ids.js"
import { Jail } from "../Jail.js"
import { Model } from "../Model.js"
import type { ThinkingLevel } from "../Model.js"
import { tellAfterTurn } from "../plugins/around.js"
import { Plugins } from "../Plugins.js"
import { PromptParts } from "../PromptParts.js"
import type { Session } from "../Sessions.js"
import { Keepers, Sessions } from "../Sessions.js"
import { spanned, tokens } from "../spans.js"
import { NoTurn, Subagents } from "../Subagents.js"
import { Toolbox } from "../Toolbox.js"
import type { Offered } from "../Toolbox.js"
import type { Conversing } from "./conversation.js"
import { takeUp } from "./conversation.js"
import { nothingSpent } from "./costs.js"
import { pathsIn } from "./digest.js"
import type { AgentEvent, Stop } from "./events.js"
import type { Parent } from "./helpers.js"
import { runHelper } from "./helpers.js"
import { makeInstructions } from "./instructions.js"
import type { Holder } from "./loop.js"
import { basePrompt } from "./prompt.js"
import { assemble } from "./sections.js"
import { summaryOf } from "./summary.js"
import { doneEvent, makeMeter, runLoop } from "./turn.js"
import type { AgentName } from "./variants.js"
import { toolsFor, variants, withoutWorker } from "./variants.js"

type Emit = (event: AgentEvent) => Effect.Effect<void>

/** What a turn is run with; each service by its own name. */
const gather = Effect.gen(function*() {
  return {
    model: yield* Model,
    toolbox: yield* Toolbox,
    config: yield* Config,
    ids: yield* Ids,
    sessions: yield* Sessions,
    keepers: yield* Keepers,
    parts: yield* PromptParts,
    plugins: (yield* Plugins).all,
    approver: yield* Approver,
    host: yield* Host,
    jail: yield* Jail,
    subagents: yield* Subagents,
    options: yield* AgentOptions,
    instructions: yield* makeInstructions
  }
})
type Services = Effect.Effect.Success<typeof gather>

/** Tools as they go on the wire, each made once, so that it is the same object for every request. */
const wiring = (mayWork: boolean) => {
  const made = new WeakMap<Offered["inputSchema"], Offered["inputSchema"]>()
  return ({ description, inputSchema, name }: Offered) => {
    if (name !== "task" || mayWork) return { name, description, inputSchema }
    const schema = made.get(inputSchema) ?? withoutWorker(inputSchema)
    made.set(inputSchema, schema)
    return { name, description, inputSchema: schema }
  }
}

const mcpList = (names: ReadonlyArray<string>) =>
  names.length === 0 ? [] : [`# MCP tools\nNot loaded yet; load_tools brings them in: ${names.join(", ")}`]

/** What the user chose for the next turns. */
interface Chosen {
  readonly agent: AgentName
  /** null: the variant's own */
  readonly thinking: ThinkingLevel | null
}

/** The holder of one turn of the main conversation, and what its helpers need of it. */
const arrange = Effect.fnUntraced(function*(services: Services, chosen: Chosen, conversing: Conversing, emit: Emit) {
  const { approver, config, host, instructions, jail, model, options, parts, toolbox } = services
  const { values } = config
  const variant = variants[chosen.agent]
  const facts = yield* model.current
  const turn = yield* services.ids.next
  const meter = yield* makeMeter({
    steps: values.maxSteps ?? variant.steps,
    costUsd: values.maxCostUsd ?? null,
    millis: options.maxMillis
  })
  if (options.instructions) yield* instructions.refresh
  const scene = { cwd: jail.root, platform: host.platform, attended: approver.attended }
  const mayWork = !variant.readOnly && approver.attended
  const thinking = chosen.thinking ?? variant.thinking
  const root = options.instructions ? instructions.root : Effect.succeed("")
  const holder: Holder = {
    context: conversing.context,
    facts,
    thinking,
    insists: chosen.thinking !== null,
    label: null,
    turn,
    prefix: "",
    tools: Effect.map(toolbox.live, (tools) => toolsFor(tools, { readOnly: variant.readOnly, attended: approver.attended })),
    onWire: wiring(mayWork),
    sections: assemble({
      scene,
      base: (each) => basePrompt(each, variant),
      parts,
      // Servers' tools are withheld from read-only agents, so nothing is said of them.
      keeps: (part) => !variant.readOnly || part.name !== "mcp",
      instructions: root,
      changing: Effect.zipWith(instructions.nested, variant.readOnly ? Effect.succeed([]) : toolbox.deferred, (nested, deferred) =>
        [nested, ...mcpList(deferred)])
    }),
    emit,
    spent: (usage) => Effect.zipRight(meter.add(usage, facts, 1), conversing.spent(usage, facts)),
    after: (call) =>
      Effect.andThen(options.instructions ? instructions.touched(pathsIn(call.input)) : Effect.void, conversing.keep),
    limit: meter.limit
  }
  const parent: Parent = {
    model, toolbox, parts, scene, instructions: root, meter, turn, thinking, mayWork, facts,
    insists: chosen.thinking !== null,
    taskModel: values.taskModel
  }
  return { holder, parent, meter }
})

interface Current {
  readonly parent: Parent
  readonly stop: Deferred.Deferred<void>
}

/** The one session that is open, taken up when it is first needed. */
const holding = Effect.fnUntraced(function*(services: Services, tell: Emit) {
  const { keepers, options, sessions } = services
  const held = yield* Ref.make<Conversing | null>(null)
  const troubled = yield* Ref.make(false)
  const take = (session: Session) =>
    takeUp(session, keepers, {
      compacted: (before, after) => tell({ type: "compacted", before, after }),
      trouble: (trouble) =>
        Effect.flatMap(Ref.getAndSet(troubled, true), (told) => told ? Effect.void : tell({ type: "notice", message: trouble.message }))
    })
  const created = Effect.map(sessions.create, (session): Session => options.saves ? session : { ...session, append: () => Effect.void })
  const wanted: Effect.Effect<Session, AgentFault> = Effect.gen(function*() {
    if (options.resume === null) return yield* created
    if (options.resume !== "newest") return yield* sessions.open(options.resume)
    return yield* sessions.open(Option.getOrElse(yield* sessions.newest, () => ""))
  })
  const put = Effect.fnUntraced(function*(session: Session) {
    const before = yield* Ref.get(held)
    if (before !== null) yield* before.session.close
    const fresh = yield* take(session)
    yield* Ref.set(held, fresh)
    return fresh
  })
  const conversing = Effect.flatMap(Ref.get(held), (there) => there === null ? Effect.flatMap(wanted, put) : Effect.succeed(there))
  yield* Effect.addFinalizer(() => Effect.flatMap(Ref.get(held), (there) => there === null ? Effect.void : there.session.close))
  return { conversing, created, put }
})

const noPrice = (model: string): AgentEvent => ({
  type: "notice",
  message: `No price is known for ${model}, so the cost limit cannot be kept. Set \`pricing\` in the configuration.`
})

const make = Effect.gen(function*() {
  const services = yield* gather
  const { config, model, options, sessions, subagents } = services
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const chosen = yield* Ref.make<Chosen>({ agent: config.values.agent ?? "default", thinking: config.values.thinking ?? null })
  const current = yield* Ref.make<Current | null>(null)
  const emitter = yield* Ref.make<Emit>(() => Effect.void)
  const { conversing, created, put } = yield* holding(services, (event) => Effect.flatMap(Ref.get(emitter), (emit) => emit(event)))
  yield* subagents.bind((task) =>
    Effect.flatMap(Ref.get(current), (running) => running === null ? new NoTurn() : runHelper(running.parent, task)))

  const runTurn = Effect.fnUntraced(function*(prompt: string, emit: Emit) {
    let spent = Effect.succeed(nothingSpent)
    let ended: Stop = "interrupted"
    const run = Effect.gen(function*(): Effect.fn.Return<Stop, AgentFault> {
      yield* Ref.set(emitter, emit)
      const conversation = yield* conversing
      const { holder, meter, parent } = yield* arrange(services, yield* Ref.get(chosen), conversation, emit)
      spent = meter.spent
      yield* emit({ type: "session", id: conversation.session.id, cwd: parent.scene.cwd, model: holder.facts.model })
      if (config.values.maxCostUsd !== undefined && holder.facts.price === null) yield* emit(noPrice(holder.facts.model))
      if ((yield* conversation.context.messages).length === 0) yield* conversation.title(prompt)
      yield* conversation.context.append({ role: "user", text: prompt })
      const stop = yield* Deferred.make<void>()
      yield* Ref.set(current, { parent, stop })
      return yield* runLoop(model, holder, conversation.context, { millis: options.maxMillis, interrupt: stop })
    }).pipe(
      Effect.ensuring(Ref.set(current, null)),
      Effect.tapError((fault) => Effect.andThen(emit({ type: "error", message: fault.message }), tellDone("error")))
    )
    const tellDone = (stop: Stop) =>
      Effect.gen(function*() {
        ended = stop
        const all = yield* spent
        const broken = yield* tellAfterTurn(services.plugins, { prompt, stop, steps: all.steps })
        for (const message of broken) yield* emit({ type: "notice", message })
        yield* emit(doneEvent(all, stop))
      })
    const { agent } = yield* Ref.get(chosen)
    yield* spanned(
      { kind: "invoke_agent", of: agent, facts: { "gen_ai.agent.name": agent } },
      Effect.flatMap(run, tellDone),
      Effect.map(Effect.suspend(() => spent), (all) => ({ ...tokens(all), "shiro.steps": all.steps, "shiro.stop": ended }))
    )
  }, oneAtATime.withPermits(1))

  const turn = (prompt: string) =>
    Stream.unwrapScoped(Effect.gen(function*() {
      const mailbox = yield* Mailbox.make<AgentEvent, AgentFault>()
      const telling = runTurn(prompt, (event) => Effect.asVoid(mailbox.offer(event)))
      yield* Effect.forkScoped(Effect.onExit(telling, (exit) => mailbox.done(exit)))
      return Mailbox.toStream(mailbox)
    }))

  const state = Effect.gen(function*() {
    const { context, session, used } = yield* conversing
    const { contextWindow } = yield* model.current
    const { agent, thinking } = yield* Ref.get(chosen)
    const { costUsd, inputTokens, outputTokens, cachedTokens } = used()
    return {
      session: session.id, agent, thinking: thinking ?? variants[agent].thinking,
      contextTokens: yield* context.size, contextWindow, inputTokens, outputTokens, cachedTokens, costUsd
    }
  })
  const compact = Effect.gen(function*() {
    const { context, summarise } = yield* conversing
    const before = yield* context.size
    yield* summarise(yield* summaryOf(model, yield* context.messages))
    return { before, after: yield* context.size }
  }).pipe(oneAtATime.withPermits(1))

  return Agent.of({
    turn,
    state,
    compact,
    interrupt: Effect.flatMap(Ref.get(current), (running) => running === null ? Effect.succeed(false) : Deferred.succeed(running.stop, undefined)),
    messages: Effect.flatMap(conversing, ({ context }) => context.messages),
    choose: ({ agent, thinking }) =>
      Ref.update(chosen, (before) => ({ agent: agent ?? before.agent, thinking: thinking ?? before.thinking })),
    resume: (id) => Effect.flatMap(sessions.open(id), put).pipe(Effect.asVoid, oneAtATime.withPermits(1)),
    clear: Effect.flatMap(created, put).pipe(Effect.asVoid, oneAtATime.withPermits(1))
  })
})

export const AgentLive = Layer.scoped(Agent, make)
