import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ProgramMissing, Captured } from "./Processes.js"

const soFar = (stdout: string, stderr: string) =>
  `${stdout === "" ? "" : `\nstdout:\n${stdout}`}${stderr === "" ? "" : `\nstderr:\n${stderr}`}`

export class CommandTimedOut extends Schema.TaggedError<CommandTimedOut>()("CommandTimedOut", {
  millis: Schema.Number,
  stdout: Schema.String,
  stderr: Schema.String
}) {
  override get message() {
    return `The command did not end within ${this.millis} ms and was stopped with everything it started. Its effects are unknown.${soFar(this.stdout, this.stderr)}`
  }
}
export class CommandInterrupted extends Schema.TaggedError<CommandInterrupted>()("CommandInterrupted", {
  stdout: Schema.String,
  stderr: Schema.String
}) {
  override get message() {
    return `The user interrupted this command. It did not finish, so its effects are unknown.${soFar(this.stdout, this.stderr)}`
  }
}
export class SandboxMissing extends Schema.TaggedError<SandboxMissing>()("SandboxMissing", { why: Schema.String }) {
  readonly refused = true
  override get message() {
    return `The sandbox was asked for, but ${this.why}. The command was not run. Install bubblewrap (Debian: apt-get install bubblewrap), or switch the sandbox off.`
  }
}

export interface Ran {
  readonly exitCode: number | null
  readonly signal: string | null
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
