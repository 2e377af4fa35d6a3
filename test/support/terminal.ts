import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

const command = resolve("dist/cli/main.js")

export interface Opening {
  readonly args?: ReadonlyArray<string>
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

/** What keys send. */
export const keys = { enter: "\r", escape: "\x1b", ctrlC: "\x03", ctrlR: "\x12", up: "\x1b[A", down: "\x1b[B", pageDown: "\x1b[6~", tab: "\t", backspace: "\x7f" } as const
export const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`

/** A folder with an empty home and a workspace of these files, for the length of a test. */
export const desk = (files: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "shiro-terminal-"))
      const root = join(folder, "ws")
      mkdirSync(root)
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true })
        writeFileSync(join(root, name), text)
      }
      return { folder, root, home: join(folder, "shiro") }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  )
export type Desk = Effect.Effect.Success<ReturnType<typeof desk>>

/** What the command is given beside the desk to play this script. */
export const scripted = ({ folder }: Desk, script: unknown, more: Opening = {}): Opening => {
  const file = join(folder, "script.json")
  writeFileSync(file, JSON.stringify(script))
  return { ...more, args: ["--provider", "script", ...more.args ?? []], env: { SHIRO_SCRIPT: file, ...more.env } }
}

/** The built command in a pseudo-terminal of its own, its screen read as a terminal would show it. */
export const openTerminal = ({ folder, home, root }: Desk, { args = [], columns = 80, env = {}, rows = 24 }: Opening = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const shown = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true })
      const child = spawn(process.execPath, [command, ...args], {
        cwd: root,
        cols: columns,
        rows,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder, SHIRO_HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8", CI: "true", ...env }
      })
      const state: { written: string; code: number | null } = { written: "", code: null }
      child.onData((chunk) => {
        state.written += chunk
        shown.write(chunk)
      })
      // what a terminal answers by itself, such as where its cursor is
      shown.onData((answer) => child.write(answer))
      child.onExit(({ exitCode }) => {
        state.code = exitCode
      })
      return { shown, child, state }
    }),
    ({ child, shown, state }) =>
      Effect.async<void>((resume) => {
        shown.dispose()
        if (state.code !== null) return resume(Effect.void)
        child.onExit(() => resume(Effect.void))
        child.kill("SIGKILL")
      })
  ).pipe(Effect.map(({ child, shown, state }) => {
    /** Rows of the screen as text; a line that the terminal has broken is one again. */
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => {
        const row = shown.buffer.active.getLine(from + at)
        const whole = shown.buffer.active.getLine(from + at + 1)?.isWrapped === true
        return (row?.translateToString(!whole) ?? "") + (whole ? "" : "\n")
      }).join("").trimEnd()
    /** What the screen shows now. */
    const screen = () => lines(shown.buffer.active.baseY, shown.buffer.active.baseY + shown.rows)
    /** The screen and everything that has been scrolled out of it. */
    const whole = () => lines(0, shown.buffer.active.length)
    const until = (what: string, holds: () => boolean) =>
      Effect.sync(holds).pipe(
        Effect.repeat({ until: (done) => done, schedule: Schedule.spaced("15 millis") }),
        Effect.timeoutFailCause({ duration: "60 seconds", onTimeout: () => Cause.die(new Error(`Never came: ${what}. The screen:\n${screen()}`)) })
      )
    return {
      pid: child.pid,
      shown,
      screen,
      whole,
      /** every byte that was written to the terminal */
      written: () => state.written,
      type: (text: string) => Effect.sync(() => child.write(text)),
      /** Waits until the text stands on the screen, or the screen is as asked for. */
      see: (wanted: string | RegExp) => until(String(wanted), () => typeof wanted === "string" ? screen().includes(wanted) : wanted.test(screen())),
      /** Waits until the screen does not show the text any more. */
      gone: (text: string) => until(`${text} going away`, () => !screen().includes(text)),
      until,
      resize: (wide: number, high: number) =>
        Effect.sync(() => {
          shown.resize(wide, high)
          child.resize(wide, high)
        }),
      /** Closes the terminal's window. */
      close: Effect.sync(() => child.kill("SIGHUP")),
      ended: Effect.map(until("its end", () => state.code !== null), () => state.code)
    }
  }))
export type Terminal = Effect.Effect.Success<ReturnType<typeof openTerminal>>
