import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Outcome, ProcessSpec } from "../Processes.js"
import { Processes, ProcessTimedOut, ProgramMissing } from "../Processes.js"
import { collector } from "./collector.js"

/** What a registered program sees and can do. */
export interface Started {
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** null: closed */
  readonly stdin: string | null
  readonly stdout: (output: string | Uint8Array) => void
  readonly stderr: (output: string | Uint8Array) => void
  /** Goes on after the program has ended, until `Processes.stop`. */
  readonly leave: (work: Effect.Effect<unknown>) => Effect.Effect<void>
}
/** Gives its exit code, or the name of the signal that ended it. Interrupted when it is killed. */
export type Program = (started: Started) => Effect.Effect<number | `SIG${string}`>

const bytes = (output: string | Uint8Array) => Buffer.from(output)

/** Programs by name (or absolute path), run in this process on Effect's clock. */
export const ProcessesMemory = (programs: Readonly<Record<string, Program>> = {}) =>
  Layer.effect(Processes, Effect.gen(function*() {
    const background = new Map<number, Fiber.RuntimeFiber<unknown>>()
    let lastPid = 1

    const prepare = (spec: ProcessSpec, program: Program) => {
      const stdout = collector(spec, spec.onStdout)
      const stderr = collector(spec, spec.onStderr)
      const full = Deferred.unsafeMake<null>(FiberId.none)
      const left: Array<number> = []
      const work = program({
        args: spec.args,
        cwd: spec.cwd,
        env: spec.env,
        stdin: spec.stdin ?? null,
        stdout: (output) => {
          if (spec.stopAfterBytes !== undefined && stdout.total() >= spec.stopAfterBytes) return
          stdout.push(bytes(output))
          if (spec.stopAfterBytes !== undefined && stdout.total() >= spec.stopAfterBytes) {
            Deferred.unsafeDone(full, Effect.succeed(null))
          }
        },
        stderr: (output) => stderr.push(bytes(output)),
        leave: (effect) =>
          Effect.map(Effect.forkDaemon(effect), (fiber) => {
            left.push(++lastPid)
            background.set(lastPid, fiber)
          })
      })
      return { stdout, stderr, full, left, work }
    }

    const stop = Effect.fn("Processes.stop")(function*(left: ReadonlyArray<number>) {
      yield* Fiber.interruptAll(left.map((pid) => background.get(pid)).filter((fiber) => fiber !== undefined))
    })
    const run = Effect.fn("Processes.run")(function*(spec: ProcessSpec) {
      const program = programs[spec.program]
      if (program === undefined) return yield* new ProgramMissing({ program: spec.program, code: "ENOENT" })
      const { full, left, stderr, stdout, work } = prepare(spec, program)
      const ended = Effect.raceFirst(work, Deferred.await(full)).pipe(Effect.onInterrupt(() => stop(left)))
      const end = yield* spec.timeoutMillis === undefined ? Effect.asSome(ended) : Effect.timeoutOption(ended, spec.timeoutMillis)
      stdout.end()
      stderr.end()
      const captured = { stdout: stdout.captured(), stderr: stderr.captured() }
      if (Option.isNone(end)) {
        return yield* new ProcessTimedOut({
          program: spec.program,
          millis: spec.timeoutMillis ?? 0,
          stdout: captured.stdout.head + captured.stdout.tail,
          stderr: captured.stderr.head + captured.stderr.tail
        })
      }
      const code = end.value ?? "SIGTERM"
      const outcome: Outcome = {
        exitCode: typeof code === "number" ? code : null,
        signal: typeof code === "string" ? code : null,
        ...captured,
        cut: end.value === null,
        left: left.filter((pid) => background.get(pid)?.unsafePoll() === null)
      }
      return outcome
    })

    return Processes.of({ run, stop })
  }))
