import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ProcessTimedOut, ProgramMissing } from "../Processes.js"
import type { Ran, SandboxMissing } from "../Shell.js"
import { CommandInterrupted, CommandTimedOut, Shell } from "../Shell.js"
import { boundedText } from "./boundedText.js"

/** How one line is run; all that the layers differ in. */
export interface Line {
  readonly command: string
  readonly timeoutMillis: number
  readonly onStdout: (text: string) => void
  readonly onStderr: (text: string) => void
}
export interface LineEnd {
  readonly exitCode: number
  readonly signal: string | null
  /** pids that go on in the background */
  readonly left: ReadonlyArray<number>
  readonly notes: ReadonlyArray<string>
}
export interface Port {
  /** Interrupting it kills everything that the line started. */
  readonly start: (line: Line) => Effect.Effect<LineEnd, ProcessTimedOut | ProgramMissing | SandboxMissing>
  readonly stop: (left: ReadonlyArray<number>) => Effect.Effect<void>
}
/** What becomes of background processes at the end of the service's scope. */
export type Background = "end with shiro" | "stay"

const backgroundNote = (left: ReadonlyArray<number>, background: Background): string => {
  const pids = `Still running in the background: pid ${left.join(", ")}.`
  return background === "stay"
    ? `${pids} Goes on after shiro has ended, which closes its output unless that goes to a file.`
    : `${pids} Stopped when shiro ends.`
}

export const make = Effect.fnUntraced(function*(port: Port, background: Background) {
  const running = new Set<Deferred.Deferred<void>>()
  const left = new Set<number>()
  if (background === "end with shiro") yield* Effect.addFinalizer(() => port.stop([...left]))

  const run = Effect.fn("Shell.run")(function*({ command, onOutput, timeoutMillis }: {
    readonly command: string
    readonly timeoutMillis: number
    readonly onOutput: (text: string) => void
  }) {
    const [stdout, stderr] = [boundedText(), boundedText()]
    const soFar = () => ({ stdout: stdout.captured(), stderr: stderr.captured() })
    const seenBy = (kept: typeof stdout) => (text: string) => {
      kept.push(text)
      onOutput(text)
    }
    const line = port.start({ command, timeoutMillis, onStdout: seenBy(stdout), onStderr: seenBy(stderr) }).pipe(
      Effect.catchTag("ProcessTimedOut", () => new CommandTimedOut({ millis: timeoutMillis, ...soFar() }))
    )
    const interrupted = yield* Deferred.make<void>()
    const end = yield* Effect.acquireUseRelease(
      Effect.sync(() => running.add(interrupted)),
      () => Effect.raceFirst(line, Effect.as(Deferred.await(interrupted), null)),
      () => Effect.sync(() => running.delete(interrupted))
    )
    // Here the race has ended, so the line is dead and has said its last words.
    if (end === null) return yield* new CommandInterrupted(soFar())
    for (const pid of end.left) left.add(pid)
    const ran: Ran = {
      exitCode: end.exitCode,
      signal: end.signal,
      ...soFar(),
      notes: end.left.length === 0 ? end.notes : [...end.notes, backgroundNote(end.left, background)]
    }
    return ran
  })

  const interrupt = Effect.suspend(() => {
    const now = [...running]
    return Effect.as(Effect.forEach(now, (one) => Deferred.succeed(one, undefined), { discard: true }), now.length > 0)
  }).pipe(Effect.withSpan("Shell.interrupt"))

  return Shell.of({ run, interrupt })
})
