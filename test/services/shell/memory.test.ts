import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { Shell } from "../../../src/services/Shell.js"
import { ShellMemory } from "../../../src/services/shell/memory.js"
import { contract } from "./contract.js"

contract("in memory", ShellMemory())

describe("ShellMemory", () => {
  const run = (command: string) =>
    Effect.flatMap(Shell, (shell) => shell.run({ command, timeoutMillis: 1_000, onOutput: () => {} }))

  it.effect("runs registered commands with their words", () =>
    Effect.gen(function*() {
      const { exitCode, stdout } = yield* run(`words a 'b c' "d;e" f\\ g && echo yes || echo no`)
      assert.deepStrictEqual([exitCode, stdout.head], [0, `["a","b c","d;e","f g"]yes\n`])
    }).pipe(Effect.provide(ShellMemory({
      words: (args, { stdout }) => Effect.as(Effect.sync(() => stdout(JSON.stringify(args))), 0)
    }))))

  it.effect("keeps time on the test clock", () =>
    Effect.gen(function*() {
      const fibre = yield* Effect.fork(Effect.flip(run("sleep 3")))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fibre))._tag, "CommandTimedOut")
    }).pipe(Effect.provide(ShellMemory())))

  it.effect("names what goes on in the background, and ends it with the scope", () => {
    let stopped = false
    const server = Effect.onInterrupt(Effect.never, () => Effect.sync(() => { stopped = true }))
    return Effect.gen(function*() {
      yield* Effect.gen(function*() {
        const { notes } = yield* run("serve")
        assert.deepStrictEqual(notes, ["Still running in the background: pid 2. Stopped when shiro ends."])
        assert.isFalse(stopped)
      }).pipe(Effect.provide(ShellMemory({ serve: (_, { leave }) => Effect.as(leave(server), 0) })))
      assert.isTrue(stopped)
    })
  })
})
