import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type { Fault } from "../services/Fault.js"
import type { Line } from "./argv.js"
import { readLine } from "./argv.js"
import { verdictOf } from "./output/exitCode.js"
import { version } from "../version.js"

/** What a command's module exports: the whole command, giving the process's exit code. */
export type Main = (line: Line) => Effect.Effect<number, Fault>

const load = async (line: Line): Promise<Main> => {
  switch (line.command[0]) {
    case "tool":
      return (await import("./commands/tool.js")).main
    case "tools":
      return (await import("./commands/tools.js")).main
    case "config":
      return (await import("./commands/config.js")).main
    case "doctor":
      return (await import("./commands/doctor.js")).main
    case "undo":
      return (await import("./commands/undo.js")).main
    case "sessions":
      return (await import("./commands/sessions.js")).main
    case "mcp":
      return (await import("./commands/mcp.js")).main
    case "acp":
      return (await import("./commands/acp.js")).main
    case "demo":
      return (await import("./commands/demo.js")).main
    default:
      return line.flags.has("print") ? (await import("./commands/print.js")).main : (await import("./commands/chat.js")).main
  }
}
const dispatch: Main = (line) => Effect.flatMap(Effect.promise(() => load(line)), (main) => main(line))

/** A reader that went away (`| head -1`) ends the run quietly. */
const endOnClosedPipe = () => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.emit("SIGTERM")
    })
  }
}

/** OpenTelemetry's own variables say whether and where to (docs/configuration.md). */
const traced: (program: Effect.Effect<number, Fault>) => Effect.Effect<number, Fault> = (program) => {
  const { env } = process
  const isOff = env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none"
  if (isOff || !(env["OTEL_EXPORTER_OTLP_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])) return program
  return Effect.flatMap(Effect.promise(() => import("./telemetry.js")), ({ telling }) => telling(env, version)(program))
}

const asksForLibrary = (argv: ReadonlyArray<string>) => {
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv
  return own.some((word) => word === "-h" || word === "--version" || word === "--wizard" || /^--(help|completions|log-level)(=|$)/.test(word))
}

/** Runs one command line to its end and sets the exit code. Signals interrupt it: children are killed, files left whole. */
export const run = async (argv: ReadonlyArray<string>): Promise<void> => {
  endOnClosedPipe()
  const program: Effect.Effect<number, Fault> = Effect.gen(function*() {
    if (asksForLibrary(argv)) {
      const { help } = yield* Effect.promise(() => import("./help.js"))
      return yield* help(argv, dispatch)
    }
    const line = yield* Either.match(readLine(argv), { onLeft: Effect.fail, onRight: Effect.succeed })
    return yield* dispatch(line)
  })
  const fiber = Effect.runFork(traced(program))
  const stop = () => void Effect.runFork(Fiber.interruptFork(fiber))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  const { code, say } = verdictOf(exit)
  if (say !== null) await new Promise<void>((resolve) => process.stderr.write(`${say}\n`, () => resolve()))
  process.exit(code)
}
