// The built command in a pseudo-terminal, its screen read as a terminal would show it.
import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import { resolve } from "node:path"

const pause = (millis) => new Promise((done) => setTimeout(done, millis))
/** Milliseconds for which a screen must not change before it is kept: less than a paced word takes. */
const quiet = 500

/** What differs from run to run, in a fixed form of the same width. */
const settled = (text, project) =>
  text
    .replaceAll(project, "~/project")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.replace(/[0-9a-f]/g, "0"))
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-01-01 12:00")
    .replace(/working (\d+ min )?\d+ s/, "working 3 s")

export const openTerminal = ({ args, columns, env, project, rows }) => {
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true })
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), ...args], { cwd: project, cols: columns, rows, env })
  child.onData((chunk) => screen.write(chunk))
  // what a terminal answers by itself, such as where its cursor is
  screen.onData((answer) => child.write(answer))
  const ended = new Promise((done) => child.onExit(done))
  const line = (row) => screen.buffer.active.getLine(screen.buffer.active.baseY + row)
  const text = () =>
    settled(Array.from({ length: rows }, (_, row) => (line(row)?.translateToString(true) ?? "").trimEnd()).join("\n").trimEnd(), project)
  return {
    columns,
    rows,
    ended,
    line,
    text,
    settled: (part) => settled(part, project),
    type: (keys) => child.write(keys),
    kill: () => child.kill("SIGKILL"),
    /** Waits until the screen shows the text, or is as asked for, and has come to rest. */
    see: async (wanted) => {
      const shows = () => typeof wanted === "string" ? text().includes(wanted) : typeof wanted === "function" ? wanted(text()) : wanted.test(text())
      const until = performance.now() + 60_000
      let last = ""
      for (let since = performance.now(); !shows() || performance.now() - since < quiet; await pause(15)) {
        if (performance.now() > until) throw new Error(`${wanted} never came at ${columns}x${rows}. The screen:\n${text()}`)
        if (text() !== last) since = performance.now()
        last = text()
      }
    }
  }
}
