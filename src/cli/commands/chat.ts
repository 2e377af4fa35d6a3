import * as Effect from "effect/Effect"
import { UsageError } from "../argv.js"
import type { Main } from "../run.js"

/** The interactive mode, loaded only where there is a terminal to draw on. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      return yield* new UsageError({ message: "The interactive mode needs a terminal. Use shiro -p \"…\" for one answer, or pipe the prompt into shiro -p." })
    }
    const { chat } = yield* Effect.promise(() => import("../ui/chat.js"))
    return yield* chat(line)
  })
