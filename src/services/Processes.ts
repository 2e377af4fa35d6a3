import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const said = (program: string, code: string) => {
  if (code === "ENOENT") return `${program} is not installed or not on PATH.`
  if (code === "ENOCWD") return `${program} could not be started: the folder to run it in does not exist.`
  if (code === "E2BIG") return `${program} could not be started: its arguments are too long (E2BIG). Put long text into a file first.`
  return `${program} could not be started: ${code}.`
}

export class ProgramMissing extends Schema.TaggedError<ProgramMissing>()("ProgramMissing", {
  program: Schema.String,
  /** ENOENT, EACCES, E2BIG, …; ENOCWD where the folder to run in is gone */
  code: Schema.String,
  /** what to do about it, a sentence */
  advice: Schema.optionalWith(Schema.String, { exact: true })
}) {
  override get message() {
    return this.advice === undefined ? said(this.program, this.code) : `${said(this.program, this.code)} ${this.advice}`
  }
}
export class ProcessTimedOut extends Data.TaggedError("ProcessTimedOut")<{
  readonly program: string
  readonly millis: number
  readonly stdout: string
  readonly stderr: string
}> {
  override get message() {
    return `${this.program} did not end within ${this.millis / 1000} s and was stopped.`
  }
}

export interface ProcessSpec {
  /** Name looked for in the absolute folders of `env`'s PATH, or an absolute path. Never a shell line. */
  readonly program: string
  /**
   * A folder (the workspace) that no program is taken from, whatever PATH says and wherever its links lead; the child's
   * own PATH is without such entries, too.
   */
  readonly outside?: string
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
  /** Also look for what it left running in sessions of their own; costs a look at every process of the machine. */
  readonly background?: boolean
  /** Windows: hand the arguments over as they are, without quoting. */
  readonly verbatim?: boolean
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
  /** pids that it left running: still there a short grace after it ended (they hold the pipes or went on in the background) */
  readonly left: ReadonlyArray<number>
}

/**
 * Runs programs by fixed argument arrays, each in a process group of its own, stdin closed, both pipes drained into
 * bounded buffers. On timeout or interruption the whole tree is killed (TERM, then KILL) before the effect ends.
 */
export class Processes extends Context.Tag("shiro/Processes")<Processes, {
  readonly run: (spec: ProcessSpec) => Effect.Effect<Outcome, ProgramMissing | ProcessTimedOut>
  /** Ends processes that an outcome named as left, and what they started; those that are gone already are no error. */
  readonly stop: (left: ReadonlyArray<number>) => Effect.Effect<void>
}>() {}
