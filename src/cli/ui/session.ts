import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import { Agent } from "../../services/Agent.js"
import { Git } from "../../services/Git.js"
import { Model } from "../../services/Model.js"
import { Shell } from "../../services/Shell.js"
import { Todos } from "../../services/Todos.js"
import type { Walker } from "../../services/Walker.js"
import type { Controls } from "./controls.js"
import type { Feed } from "./feed.js"
import { wrap } from "./fit.js"
import { promptHistory } from "./history.js"
import type { Key } from "./keys.js"
import { makeMarkdown } from "./markdown.js"
import { pathCompletions } from "./paths.js"
import type { People } from "./people.js"
import { setUp } from "./setup.js"
import type { SlashServices } from "./slash/command.js"
import { slashCommands } from "./slash/commands.js"
import type { Screen, Store } from "./state.js"
import type { Style } from "./style.js"

/** A second ctrl-c within so many milliseconds leaves. */
const twice = 2000

export interface Table {
  readonly screen: Store<Screen>
  readonly style: Style
  readonly feed: Feed
  readonly people: People
  readonly width: () => number
  readonly onKey: (listener: (key: Key) => void) => () => void
}

const refresh = Effect.fnUntraced(function*({ screen }: Table) {
  const agent = yield* Effect.either((yield* Agent).state)
  const facts = yield* Effect.either((yield* Model).current)
  const branch = yield* (yield* Git).currentBranch.pipe(Effect.map(({ head }) => head.branch ?? `detached at ${head.commit ?? "nothing"}`), Effect.catchAll(() => Effect.succeed("")))
  screen.update((before) => ({
    ...before,
    status: {
      ...before.status,
      branch,
      ...facts._tag === "Right" ? { model: `${facts.right.provider}/${facts.right.model}` } : { model: "no model" },
      ...agent._tag === "Right"
        ? {
          agent: agent.right.agent, thinking: agent.right.thinking, contextTokens: agent.right.contextTokens, contextWindow: agent.right.contextWindow,
          tokens: agent.right.inputTokens + agent.right.outputTokens, costUsd: agent.right.costUsd
        }
        : {}
    }
  }))
})

/** Lines of a long prompt that are printed. */
const mostAsked = 10

const asked = ({ style, width }: Table, prompt: string): ReadonlyArray<string> => {
  const lines = prompt.split("\n")
  const more = lines.length - mostAsked
  return [
    ...lines.slice(0, mostAsked).flatMap((line) => wrap(line, width() - 2)).map((line, at) => `${at === 0 ? style.cyan("› ") : "  "}${style.bold(line)}`),
    ...more > 0 ? [style.dim(`  … ${more} more ${more === 1 ? "line" : "lines"}`)] : []
  ]
}

const runTurn = (table: Table, prompt: string) =>
  Effect.gen(function*() {
    const agent = yield* Agent
    table.feed.say("", ...asked(table, prompt))
    table.feed.change({ working: true, since: performance.now() })
    yield* agent.turn(prompt).pipe(
      Stream.runForEach((event) => Effect.sync(() => table.feed.take(event))),
      // the stream has told it as an event already
      Effect.catchAll(() => Effect.void),
      Effect.ensuring(Effect.sync(() => table.feed.change({ working: false, calls: [] })))
    )
    yield* refresh(table)
  })

const runSlash = Effect.fnUntraced(function*(table: Table, text: string, tools: { readonly prompt: (text: string) => Effect.Effect<void>; readonly exit: Effect.Effect<void> }) {
  const [name = "", ...words] = text.slice(1).split(/\s+/)
  const command = slashCommands.find((each) => each.name === name)
  const said = command === undefined
    ? `Unknown command /${name}. /help lists them.`
    : yield* command.run({ words: words.join(" ").trim(), people: table.people, ...tools }).pipe(Effect.catchAll(({ message }) => Effect.succeed(message)))
  const markdown = makeMarkdown(table.style, table.width)
  if (said !== "") table.feed.say("", `${table.style.cyan("› ")}${table.style.bold(text)}`, "", ...markdown.push(`${said}\n`), ...markdown.end())
  yield* refresh(table)
})

/** The session at the terminal: a queue of lines worked off in order, and what keys do meanwhile. Ends when the user leaves. */
export const runSession = Effect.fnUntraced(function*(table: Table, first: string | undefined, start: (controls: Controls) => Effect.Effect<void>) {
  const { feed, people, screen } = table
  const runtime = yield* Effect.runtime<SlashServices | Agent | Git | Model | Shell | Todos | Walker>()
  const fork = Runtime.runFork(runtime)
  const lines = yield* Queue.unbounded<string>()
  const left = yield* Deferred.make<void>()
  const history = yield* promptHistory
  const completePath = yield* pathCompletions
  let running: Fiber.RuntimeFiber<void> | null = null
  let warned = -Infinity

  const enqueue = (text: string) => {
    screen.update((before) => ({ ...before, queue: [...before.queue, text], hint: "" }))
    Queue.unsafeOffer(lines, text)
  }
  const tools = { prompt: (text: string) => Effect.sync(() => enqueue(text)), exit: Effect.asVoid(Deferred.succeed(left, undefined)) }
  const leave = () => void fork(tools.exit)
  const controls: Controls = {
    screen,
    style: table.style,
    onKey: table.onKey,
    past: history.past,
    answer: people.answer,
    choose: people.choose,
    submit: (text) => {
      void fork(history.add(text))
      enqueue(text)
    },
    interrupt: () => {
      void fork(Effect.gen(function*() {
        if (yield* (yield* Shell).interrupt) return
        const now = performance.now()
        if (!screen.get().working || now - warned < twice) return leave()
        warned = now
        screen.update((before) => ({ ...before, hint: "ctrl-c again leaves; esc aborts the turn" }))
      }))
    },
    abort: () => {
      void fork(Queue.takeAll(lines))
      screen.update((before) => ({ ...before, queue: [], hint: "" }))
      void fork(Effect.flatMap(Agent, ({ interrupt }) => interrupt))
    },
    completions: (kind, word) =>
      kind === "path"
        ? Runtime.runPromise(runtime)(completePath(word))
        : Promise.resolve(slashCommands.filter(({ name }) => name.startsWith(word)).map(({ about, name }) => ({ value: `/${name} `, about })))
  }

  yield* start(controls)
  yield* Effect.forkScoped(Stream.runForEach((yield* Todos).list.changes, (todos) =>
    Effect.sync(() => screen.update((before) => ({ ...before, todos: todos.every(({ status }) => status === "done") ? [] : todos })))))
  yield* refresh(table)
  const facts = yield* Effect.either((yield* Model).current)
  if (facts._tag === "Left") {
    feed.say("", ...wrap(facts.left.message, table.width()).map(table.style.yellow))
    feed.say("", yield* setUp(people).pipe(Effect.catchAll(({ message }) => Effect.succeed(message))))
    yield* refresh(table)
  }
  if (first !== undefined) enqueue(first)
  const worker = Effect.gen(function*() {
    const text = yield* Queue.take(lines)
    screen.update((before) => ({ ...before, queue: before.queue.slice(1) }))
    const work = text.startsWith("/") && !text.startsWith("//") ? runSlash(table, text, tools) : runTurn(table, text)
    running = yield* Effect.fork(work)
    yield* Fiber.await(running)
    running = null
  })
  yield* Effect.raceFirst(Effect.forever(worker), Deferred.await(left))
  feed.flush()
})
