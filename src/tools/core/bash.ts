import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Captured } from "../../services/Processes.js"
import { CommandInterrupted, CommandTimedOut, Shell } from "../../services/Shell.js"
import { Snapshots } from "../../services/Snapshots.js"
import { resultCap } from "../text/cap.js"
import * as Tool from "../Tool.js"
import { commandOutput } from "./commandOutput.js"
import { optionalNumber } from "./fields.js"
import { liveText } from "./liveText.js"

const defaultMillis = 120_000
const longestMillis = 600_000
/** For the looks at the workspace before and after, which have limits of their own. */
const snapshotMillis = 20_000

const block = (name: string, text: string): ReadonlyArray<string> => text === "" ? [] : [`${name}:\n${text.replace(/\n$/, "")}`]
const whole = (text: string): Captured => ({ head: text, tail: "", dropped: 0 })

/** What a failed command printed, shown as a result would show it. */
const shown = Effect.fnUntraced(function*<E extends CommandTimedOut | CommandInterrupted>(
  error: E,
  remake: (output: { readonly stdout: Captured; readonly stderr: Captured }) => E
) {
  const { stderr, stdout } = yield* commandOutput(error, resultCap - 500)
  return yield* Effect.fail(remake({ stdout: whole(stdout), stderr: whole(stderr) }))
})

export const bash = Tool.make({
  name: "bash",
  set: "core",
  description: "Run a bash command in the workspace root; stdin is empty.",
  input: Schema.Struct({
    command: Schema.String.pipe(
      Schema.filter((command) =>
        command.trim() === "" ? "Expected a command, actual white space" : !command.includes("\0") || "Expected a command without NUL bytes")
    ),
    timeout: optionalNumber("ms, default 120000, max 600000")
  }),
  touches: "executes",
  subjects: ({ command }) => [{ command }],
  limit: ({ timeout = defaultMillis }) => Math.min(timeout, longestMillis) + 10_000 + snapshotMillis,
  body: Effect.fn("bash")(function*({ command, timeout = defaultMillis }) {
    const shell = yield* Shell
    const snapshots = yield* Snapshots
    const onOutput = yield* liveText
    const line = shell.run({ command, timeoutMillis: Math.min(timeout, longestMillis), onOutput }).pipe(
      Effect.catchTags({
        CommandTimedOut: (error) => shown(error, (output) => new CommandTimedOut({ millis: error.millis, ...output })),
        CommandInterrupted: (error) => shown(error, (output) => new CommandInterrupted(output))
      })
    )
    const { notes, value: ran } = yield* snapshots.around(command, line)
    const first = `exit code: ${ran.exitCode}`
    const last = [
      ...ran.signal === null ? [] : [`killed by ${ran.signal}`],
      ...ran.notes,
      ...notes,
      ...timeout > longestMillis ? [`timeout was lowered to ${longestMillis} ms, the maximum.`] : []
    ]
    // Beside the labels, each text and each note of a cut brings a newline along.
    const room = resultCap - [first, "stdout:", "stderr:", ...last].join("\n").length - 4
    const { stderr, stdout } = yield* commandOutput(ran, room)
    return [first, ...block("stdout", stdout), ...block("stderr", stderr), ...last].join("\n")
  }, Effect.scoped)
})
