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
import type { Painter } from "./painter.js"
import { makePainter } from "./painter.js"
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

/** Ink's `debug` gives every drawing as the plain frame it is; what the terminal gets of it is for the painter. */
const framesTo = (painter: Painter) =>
  new Proxy(process.stdout, {
    get: (stdout, name) => {
      if (name === "write") {
        return (frame: string, done?: () => void) => {
          painter.show(frame)
          done?.()
          return true
        }
      }
      const value: unknown = Reflect.get(stdout, name, stdout)
      return typeof value === "function" ? value.bind(stdout) : value
    }
  })

/** Draws the live part until the scope ends. */
const draw = (controls: Controls, painter: Painter) =>
  Effect.acquireRelease(
    Effect.map(layoutEngine, () => render(createElement(App, { controls }), { stdout: framesTo(painter), debug: true, exitOnCtrlC: false, patchConsole: false })),
    (instance) => Effect.sync(() => {
      instance.unmount()
      painter.stop()
    })
  )

export const chat = (line: Line): Effect.Effect<number, Fault> => {
  const style = line.flags.has("no-color") || (process.env["NO_COLOR"] ?? "") !== "" ? plain : coloured
  const painter = makePainter({
    write: (text) => void process.stdout.write(text),
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 })
  })
  return conduct(line, { style, print: painter.print, keyboard, start: (controls) => Effect.asVoid(draw(controls, painter)) })
}
