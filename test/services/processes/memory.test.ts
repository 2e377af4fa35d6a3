import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { Processes } from "../../../src/services/Processes.js"
import type { Program } from "../../../src/services/processes/memory.js"
import { ProcessesMemory } from "../../../src/services/processes/memory.js"
import { contract } from "./contract.js"

const printing = (text: (args: ReadonlyArray<string>) => string): Program => ({ args, stdout }) =>
  Effect.sync(() => {
    stdout(text(args))
    return 0
  })
const programs: Readonly<Record<string, Program>> = {
  echo: printing((args) => `${args.join(" ")}\n`),
  false: () => Effect.succeed(1),
  cat: ({ stdin, stdout }) =>
    Effect.sync(() => {
      stdout(stdin ?? "")
      return 0
    }),
  printenv: ({ args, env, stdout }) =>
    Effect.sync(() => {
      const value = env[args[0] ?? ""]
      if (value === undefined) return 1
      stdout(`${value}\n`)
      return 0
    }),
  seq: printing(([from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${Number(from) + at}\n`).join("")),
  sleep: ({ args }) => Effect.as(Effect.sleep(Duration.seconds(Number(args[0]))), 0),
  yes: ({ stdout }) => Effect.forever(Effect.zipRight(Effect.sync(() => stdout("y\n".repeat(1_000))), Effect.yieldNow()))
}

contract("in memory", ProcessesMemory(programs))

describe("ProcessesMemory", () => {
  const spec = { args: [], cwd: "/", env: {} }

  it.effect("runs on the test clock", () =>
    Effect.gen(function*() {
      const { run } = yield* Processes
      const fibre = yield* Effect.fork(run({ ...spec, program: "slow" }))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(fibre)).exitCode, 3)
    }).pipe(Effect.provide(ProcessesMemory({ slow: () => Effect.as(Effect.sleep("1 hour"), 3) }))))

  it.effect("keeps what was left running until it is stopped", () => {
    let stopped = false
    const work = Effect.onInterrupt(Effect.never, () => Effect.sync(() => { stopped = true }))
    return Effect.gen(function*() {
      const { run, stop } = yield* Processes
      const { left } = yield* run({ ...spec, program: "server" })
      assert.strictEqual(left.length, 1)
      yield* Effect.yieldNow()
      assert.isFalse(stopped)
      yield* stop(left)
      assert.isTrue(stopped)
    }).pipe(Effect.provide(ProcessesMemory({ server: ({ leave }) => Effect.as(leave(work), 0) })))
  })

  it.effect("decodes characters that come in pieces", () => {
    const bytes = new TextEncoder().encode("a😀b")
    let seen = ""
    return Effect.gen(function*() {
      const { run } = yield* Processes
      yield* run({ ...spec, program: "slicer", onStdout: (text) => { seen += `${text}|` } })
      assert.strictEqual(seen, "a|😀|b|")
    }).pipe(Effect.provide(ProcessesMemory({
      slicer: ({ stdout }) =>
        Effect.sync(() => {
          for (const byte of bytes) stdout(new Uint8Array([byte]))
          return 0
        })
    })))
  })
})
