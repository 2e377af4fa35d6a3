import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Fault } from "../../services/Fault.js"

/** cli.md, Exit codes. */
export const exitCode = { done: 0, failed: 1, usage: 2, refused: 3, limit: 4, interrupted: 130 } as const

/** Errors that mean the command or its input was wrong. */
const usageTags: ReadonlyArray<string> = ["UsageError", "InvalidInput", "UnknownTool", "NeedsTurn", "ConfigUnusable", "NoWorkspace", "NoModel", "UnknownProvider", "MissingKey", "MissingBaseUrl", "BadScript", "NoSuchSession"]

export const codeOf = (fault: Fault): number =>
  fault.refused === true ? exitCode.refused : usageTags.includes(fault._tag) ? exitCode.usage : exitCode.failed

/** What a program's end means for the process: its code, and what is left to say on stderr. */
export const verdictOf = (exit: Exit.Exit<number, Fault>): { readonly code: number; readonly say: string | null } => {
  if (Exit.isSuccess(exit)) return { code: exit.value, say: null }
  if (Cause.isInterruptedOnly(exit.cause)) return { code: exitCode.interrupted, say: null }
  return Option.match(Cause.failureOption(exit.cause), {
    onSome: (fault) => ({ code: codeOf(fault), say: fault.message }),
    onNone: () => ({
      code: exitCode.failed,
      say: `shiro has a bug and stopped. Your files are as the last finished call left them. Report this:\n${Cause.pretty(exit.cause)}`
    })
  })
}
