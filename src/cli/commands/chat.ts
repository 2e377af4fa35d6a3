import * as Effect from "effect/Effect"
import { UsageError } from "../argv.js"
import type { Main } from "../run.js"

export const main: Main = () =>
  Effect.gen(function*() {
    return yield* new UsageError({ message: "The interactive mode needs a terminal. Use shiro -p \"…\" for one answer." })
  })
