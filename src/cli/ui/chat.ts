import { render } from "ink"
import Yoga from "yoga-layout"
import { loadYoga } from "yoga-layout/load"
import * as Scope from "effect/Scope"
import { createElement } from "react"
import * as Effect from "effect/Effect"
import type { Fault } from "../../services/Fault.js"
import { AgentOptions } from "../../services/Agent.js"
import type { Line } from "../argv.js"
import { wholeAgent } from "../layers.js"
import { agentOptionsOf } from "../options.js"
import { exitCode } from "../output/exitCode.js"
import { App } from "./App.js"
import type { Controls } from "./controls.js"
import { makeFeed } from "./feed.js"
import { headerLines } from "./header.js"
import type { Key } from "./keys.js"
import { makeKeyReader } from "./keys.js"
import { makeMarkdown } from "./markdown.js"
import { makePeople } from "./people.js"
import { runSession } from "./session.js"
import { firstScreen, makeStore } from "./state.js"
import { coloured, plain } from "./style.js"

/** Raw keys from the terminal, with pastes bracketed, for as long as the scope lasts. */
const keyboard = Effect.acquireRelease(
  Effect.sync(() => {
    const listeners = new Set<(key: Key) => void>()
    const read = makeKeyReader()
    const onData = (chunk: string) => {
      for (const key of read(chunk)) for (const listener of Array.from(listeners)) listener(key)
    }
    process.stdin.setEncoding("utf8")
    process.stdin.setRawMode(true)
    process.stdin.on("data", onData)
    process.stdout.write("\x1b[?2004h")
    return {
      onKey: (listener: (key: Key) => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      stop: () => {
        process.stdin.off("data", onData)
        process.stdin.setRawMode(false)
        process.stdin.pause()
        process.stdout.write("\x1b[?2004l")
      }
    }
  }),
  ({ stop }) => Effect.sync(stop)
)

/** In the bundle the layout engine is empty until it is filled in here (scripts/build.mjs). */
const layoutEngine = Effect.promise(async () => Object.assign(Yoga, await loadYoga()))

/** Draws the live part until the scope ends; waits until there is a way to print above it. */
const draw = (controls: Controls) =>
  Effect.acquireRelease(
    Effect.map(layoutEngine, () => render(createElement(App, { controls }), { exitOnCtrlC: false, patchConsole: false })),
    (instance) => Effect.sync(() => instance.unmount())
  )

/** Output before the live part is on the screen waits for it. */
const makePrinter = () => {
  let write: ((text: string) => void) | null = null
  let early = ""
  return {
    attach: (given: (text: string) => void) => {
      write = given
      if (early !== "") given(early)
      early = ""
    },
    print: (text: string) => {
      if (write === null) early += text
      else write(text)
    }
  }
}

export const chat = (line: Line): Effect.Effect<number, Fault> =>
  Effect.scoped(Effect.gen(function*() {
    const style = line.flags.has("no-color") || (process.env["NO_COLOR"] ?? "") !== "" ? plain : coloured
    const width = () => process.stdout.columns || 80
    const screen = makeStore(firstScreen)
    const { attach, print } = makePrinter()
    const feed = makeFeed(screen, makeMarkdown(style, width), style, print)
    const people = yield* makePeople(screen, style)
    const scope = yield* Effect.scope
    yield* Effect.gen(function*() {
      const { onKey } = yield* keyboard
      feed.say(...yield* headerLines(style))
      yield* runSession({ screen, style, feed, people, width, onKey, attach }, line.positionals[0], (controls) =>
        Effect.asVoid(draw(controls)).pipe(Effect.provideService(Scope.Scope, scope)))
    }).pipe(
      Effect.provide(wholeAgent(line, { approver: people.approver, asker: people.asker })),
      Effect.provideService(AgentOptions, agentOptionsOf(line))
    )
    return exitCode.done
  }))
