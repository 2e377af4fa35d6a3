import { render } from "ink"
import Yoga from "yoga-layout"
import { loadYoga } from "yoga-layout/load"
import { createElement } from "react"
import * as Effect from "effect/Effect"
import type { Fault } from "../../services/Fault.js"
import type { Line } from "../argv.js"
import { App } from "./App.js"
import { conduct } from "./conduct.js"
import type { Controls } from "./controls.js"
import type { Key } from "./keys.js"
import { makeKeyReader } from "./keys.js"
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

export const chat = (line: Line): Effect.Effect<number, Fault> => {
  const style = line.flags.has("no-color") || (process.env["NO_COLOR"] ?? "") !== "" ? plain : coloured
  return conduct(line, { style, ...makePrinter(), keyboard, start: (controls) => Effect.asVoid(draw(controls)) })
}
