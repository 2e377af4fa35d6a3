import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ProcessTimedOut } from "../Processes.js"
import { Shell } from "../Shell.js"
import type { Line, LineEnd, Port } from "./make.js"
import { make } from "./make.js"

export interface CommandIo {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Goes on in the background until the shell's scope ends. */
  readonly leave: (work: Effect.Effect<unknown>) => Effect.Effect<void>
}
/** Gives its exit code. Interrupted when it is killed. */
export type Command = (args: ReadonlyArray<string>, io: CommandIo) => Effect.Effect<number>

interface Step {
  readonly words: ReadonlyArray<string>
  /** only after success (`&&`), only after failure (`||`), or in any case (`;`) */
  readonly when: "success" | "failure" | "always"
}

/** `a 'b c' "d"; e && f || g`, one list of plain commands; the rest of the shell's grammar is not known here. */
const stepsOf = (line: string): ReadonlyArray<Step> => {
  const steps: Array<{ words: Array<string>; when: Step["when"] }> = [{ words: [], when: "always" }]
  for (const [token] of line.matchAll(/&&|\|\||[;\n]|(?:'[^']*'|"[^"]*"|\\.|[^\s;&|'"\\])+/g)) {
    const when = token === "&&" ? "success" : token === "||" ? "failure" : token === ";" || token === "\n" ? "always" : null
    if (when !== null) steps.push({ words: [], when })
    else steps.at(-1)?.words.push(token.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, "$1$2$3"))
  }
  return steps.filter(({ words }) => words.length > 0)
}

const builtIns: Readonly<Record<string, Command>> = {
  echo: (args, { stdout }) => Effect.as(Effect.sync(() => stdout(`${args.join(" ")}\n`)), 0),
  sleep: ([seconds]) => Effect.as(Effect.sleep(Number(seconds) * 1_000), 0),
  true: () => Effect.succeed(0),
  false: () => Effect.succeed(1)
}

/** A shell whose commands are functions, on Effect's clock. `echo sleep true false exit` are there from the start. */
export const ShellMemory = (commands: Readonly<Record<string, Command>> = {}) =>
  Layer.scoped(Shell, Effect.suspend(() => {
    const known = new Map(Object.entries({ ...builtIns, ...commands }))
    const background = new Map<number, Fiber.RuntimeFiber<unknown>>()
    let lastPid = 1

    const play = Effect.fnUntraced(function*(line: Line, started: Array<number>) {
      const io: CommandIo = {
        stdout: line.onStdout,
        stderr: line.onStderr,
        leave: (work) =>
          Effect.map(Effect.forkDaemon(work), (fiber) => {
            started.push(++lastPid)
            background.set(lastPid, fiber)
          })
      }
      let code = 0
      for (const { when, words: [name = "", ...args] } of stepsOf(line.command)) {
        if ((when === "success" && code !== 0) || (when === "failure" && code === 0)) continue
        if (name === "exit") return args[0] === undefined ? code : Number(args[0])
        const command = known.get(name)
        if (command === undefined) line.onStderr(`bash: line 1: ${name}: command not found\n`)
        code = command === undefined ? 127 : yield* command(args, io)
      }
      return code
    })

    const stop: Port["stop"] = (left) =>
      Fiber.interruptAll(left.map((pid) => background.get(pid)).filter((fiber) => fiber !== undefined))
    const start: Port["start"] = Effect.fnUntraced(function*(line) {
      const started: Array<number> = []
      const code = yield* play(line, started).pipe(
        Effect.onInterrupt(() => stop(started)),
        Effect.timeoutOption(line.timeoutMillis)
      )
      if (Option.isNone(code)) {
        return yield* new ProcessTimedOut({ program: "bash", millis: line.timeoutMillis, stdout: "", stderr: "" })
      }
      const left = started.filter((pid) => background.get(pid)?.unsafePoll() === null)
      const end: LineEnd = { exitCode: code.value, signal: null, left, notes: [] }
      return end
    })
    return make({ start, stop }, "end with shiro")
  }))
