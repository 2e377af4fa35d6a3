import * as Effect from "effect/Effect"
import { UsageError } from "../argv.js"
import type { Main } from "../run.js"

/** Ink asks once, while it is loaded, whether this is a build machine, and then draws nothing; but here is a terminal. */
const drawn = <A>(load: () => Promise<A>) =>
  Effect.promise(async () => {
    const { CI, CONTINUOUS_INTEGRATION } = process.env
    Object.assign(process.env, { CI: "false", CONTINUOUS_INTEGRATION: "false" })
    try {
      return await load()
    } finally {
      for (const [name, value] of Object.entries({ CI, CONTINUOUS_INTEGRATION })) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })

/** The interactive mode, loaded only where there is a terminal to draw on. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      return yield* new UsageError({ message: "The interactive mode needs a terminal. Use shiro -p \"…\" for one answer, or pipe the prompt into shiro -p." })
    }
    const { chat } = process.env["TERM"] === "dumb" ? yield* Effect.promise(() => import("../ui/plainChat.js")) : yield* drawn(() => import("../ui/chat.js"))
    return yield* chat(line)
  })
