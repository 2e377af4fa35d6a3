import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Captured, ProgramMissing } from "./Processes.js"

const Output = Schema.Struct({ head: Schema.String, tail: Schema.String, dropped: Schema.Number })

const textOf = ({ dropped, head, tail }: Captured) => dropped === 0 ? head + tail : `${head}\n... [${dropped} chars]\n${tail}`
const soFar = (stdout: Captured, stderr: Captured) =>
  [["stdout", textOf(stdout)], ["stderr", textOf(stderr)]].map(([name, text]) => text === "" ? "" : `\n${name}:\n${text}`).join("")

export class CommandTimedOut extends Schema.TaggedError<CommandTimedOut>()("CommandTimedOut", {
  millis: Schema.Number,
  stdout: Output,
  stderr: Output
}) {
  override get message() {
    return `The command did not end within ${this.millis} ms and was stopped with everything it started. Its effects are unknown. Give a longer timeout, or have it do less.${soFar(this.stdout, this.stderr)}`
  }
}
export class CommandInterrupted extends Schema.TaggedError<CommandInterrupted>()("CommandInterrupted", {
  stdout: Output,
  stderr: Output
}) {
  override get message() {
    return `The user interrupted this command. It did not finish, so its effects are unknown.${soFar(this.stdout, this.stderr)}`
  }
}
export class SandboxMissing extends Data.TaggedError("SandboxMissing")<{
  readonly why: string
  /** what the user can do about it, a sentence */
  readonly advice: string
}> {
  readonly refused = true
  override get message() {
    return `The sandbox was asked for, but ${this.why}. Nothing was run. ${this.advice}`
  }
}

export interface Ran {
  /** 128 and the signal's number where a signal ended the shell */
  readonly exitCode: number
  readonly signal: string | null
  /** `dropped` in UTF-16 units */
  readonly stdout: Captured
  readonly stderr: Captured
  /** sentences, such as the one about a process that goes on in the background */
  readonly notes: ReadonlyArray<string>
}

/** One shell line at a time in the workspace root: `bash -lc`, or `cmd /c` on Windows. */
export class Shell extends Context.Tag("shiro/Shell")<Shell, {
  readonly run: (line: {
    readonly command: string
    readonly timeoutMillis: number
    /** sees both pipes while they come */
    readonly onOutput: (text: string) => void
  }) => Effect.Effect<Ran, CommandTimedOut | CommandInterrupted | SandboxMissing | ProgramMissing>
  /** ctrl-c: kills the commands that run now; their calls fail, the turn goes on. Gives whether there were any. */
  readonly interrupt: Effect.Effect<boolean>
}>() {}
