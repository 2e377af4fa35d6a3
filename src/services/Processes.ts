import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class ProgramMissing extends Schema.TaggedError<ProgramMissing>()("ProgramMissing", {
  program: Schema.String,
  /** ENOENT, EACCES, E2BIG, … */
  code: Schema.String
}) {
  override get message() {
    return this.code === "ENOENT" ? `${this.program} is not installed or not on PATH.` : `${this.program} could not be started: ${this.code}.`
  }
}
export class ProcessTimedOut extends Schema.TaggedError<ProcessTimedOut>()("ProcessTimedOut", {
  program: Schema.String,
  millis: Schema.Number,
  stdout: Schema.String,
  stderr: Schema.String
}) {
  override get message() {
    return `${this.program} did not end within ${this.millis / 1000} s and was stopped.`
  }
}

export interface ProcessSpec {
  /** Name looked for on PATH, or absolute. Never a shell line. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** absolute */
  readonly cwd: string
  /** The whole environment of the child; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text for standard input; without it the child sees the end at once. */
  readonly stdin?: string
  readonly timeoutMillis?: number
  /** Bytes kept of each pipe, from its head and its tail; what lies between is counted, not kept. Default 50 MB and 0. */
  readonly keepHead?: number
  readonly keepTail?: number
  /** Stop (and kill) once this many bytes of stdout have come; the outcome then has `cut`. */
  readonly stopAfterBytes?: number
  /** Sees stdout while it comes, decoded; not kept then. */
  readonly onStdout?: (text: string) => void
  readonly onStderr?: (text: string) => void
}
/** Text of one pipe: everything, or a head and a tail with `dropped` bytes between. */
export interface Captured {
  readonly head: string
  readonly tail: string
  readonly dropped: number
}
export interface Outcome {
  /** null when a signal ended it */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: Captured
  readonly stderr: Captured
  readonly cut: boolean
  /** pids of its group that still run after it ended and a short grace (they hold the pipes or went on in the background) */
  readonly left: ReadonlyArray<number>
}

/**
 * Runs programs by fixed argument arrays, each in a process group of its own, stdin closed, both pipes drained into
 * bounded buffers. On timeout or interruption the whole tree is killed (TERM, then KILL) before the effect ends.
 */
export class Processes extends Context.Tag("shiro/Processes")<Processes, {
  readonly run: (spec: ProcessSpec) => Effect.Effect<Outcome, ProgramMissing | ProcessTimedOut>
}>() {}
