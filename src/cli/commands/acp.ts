import { ndJsonStream } from "@agentclientprotocol/sdk"
import * as Effect from "effect/Effect"
import { makeApp } from "../acp/server.js"
import { exitCode } from "../output/exitCode.js"
import type { Main } from "../run.js"

/** Standard input until its end. */
const input = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      process.stdin.on("data", (chunk: Buffer) => controller.enqueue(chunk))
      process.stdin.once("end", () => controller.close())
      process.stdin.once("error", (error) => controller.error(error))
    }
  })
const output = () =>
  new WritableStream<Uint8Array>({
    write: (chunk) => new Promise((resolve) => void process.stdout.write(chunk, () => resolve()))
  })

/** `shiro acp`: until the editor closes its end. Nothing but the protocol goes to stdout, whatever a library prints. */
export const main: Main = (line) =>
  Effect.scoped(Effect.gen(function*() {
    Object.assign(console, { log: console.error, info: console.error, debug: console.error })
    const app = yield* makeApp(line)
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() => app.connect(ndJsonStream(output(), input()))),
      (open) => Effect.sync(() => open.close())
    )
    yield* Effect.promise(() => connection.closed)
    return exitCode.done
  }))
