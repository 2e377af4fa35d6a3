import * as Effect from "effect/Effect"
import { GitFailed } from "../Git.js"
import type { ProcessTimedOut, ProgramMissing } from "../Processes.js"
import { Processes } from "../Processes.js"

export type Trouble = GitFailed | ProgramMissing | ProcessTimedOut

export interface Answer {
  readonly code: number | null
  readonly out: string
  /** its messages, without warnings and hints */
  readonly said: string
  /** stdout was longer than asked for; git was stopped */
  readonly cut: boolean
}
export interface How {
  readonly stdin?: string
  readonly stopAfterBytes?: number
}
/** git as a program: fixed arguments, an environment of its own, whatever its exit code. */
export type Program = (
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  args: ReadonlyArray<string>,
  how?: How
) => Effect.Effect<Answer, ProgramMissing | ProcessTimedOut>

const timeoutMillis = 60_000

const words = (stderr: string) =>
  stderr.split("\n").filter((line) => !/^(?:warning|hint): /.test(line)).join("\n").trim()

export const failed = (args: ReadonlyArray<string>, { code, said }: Answer) =>
  new GitFailed({ said: said === "" ? `git ${args[0] ?? ""} ended with exit code ${code ?? "none"} and said nothing.` : said })

/** A program named git below `root` is never run. */
export const makeProgram = (root: string): Effect.Effect<Program, never, Processes> =>
  Effect.map(Processes, (processes): Program => (cwd, env, args, how = {}) =>
    Effect.map(
      processes.run({ program: "git", outside: root, args: ["--no-pager", ...args], cwd, env, timeoutMillis, ...how }),
      ({ cut, exitCode, stderr, stdout }) => ({ code: exitCode, out: stdout.head, said: words(stderr.head), cut })
    ))
