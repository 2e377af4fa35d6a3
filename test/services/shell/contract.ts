import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Shell } from "../../../src/services/Shell.js"

const often = Schedule.spaced("10 millis")
const all = (head: string) => ({ head, tail: "", dropped: 0 })

/** What holds for every layer of `Shell`. */
export const contract = <E>(name: string, layer: Layer.Layer<Shell, E>) => {
  const run = (command: string, timeoutMillis = 60_000, onOutput: (text: string) => void = () => {}) =>
    Effect.flatMap(Shell, (shell) => shell.run({ command, timeoutMillis, onOutput }))

  describe(`Shell, ${name}`, () => {
    it.live("gives exit code and both outputs; a failing command is no error", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* run("echo 'a  b' c; false"), {
          exitCode: 1,
          signal: null,
          stdout: all("a  b c\n"),
          stderr: all(""),
          notes: []
        })
        const missing = yield* run("no-such-command")
        assert.deepStrictEqual([missing.exitCode, missing.stderr.head], [127, "bash: line 1: no-such-command: command not found\n"])
        assert.strictEqual((yield* run("false || exit 3; echo no")).exitCode, 3)
      }).pipe(Effect.provide(layer)))

    it.live("shows output while it comes", () =>
      Effect.gen(function*() {
        let seen = ""
        const fibre = yield* Effect.fork(run("echo first; sleep 300", 60_000, (text) => { seen += text }))
        yield* Effect.sync(() => seen).pipe(Effect.repeat({ until: (text) => text === "first\n", schedule: often }))
        yield* Fiber.interrupt(fibre)
      }).pipe(Effect.provide(layer)))

    it.live("fails at the time limit with the output so far", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(run("echo first; sleep 300", 1_500))
        assert.strictEqual(
          error.message,
          "The command did not end within 1500 ms and was stopped with everything it started. Its effects are unknown. Give a longer timeout, or have it do less.\nstdout:\nfirst\n"
        )
      }).pipe(Effect.provide(layer)))

    it.live("interrupts every command that runs, each failing with its output so far, and none later", () =>
      Effect.gen(function*() {
        const { interrupt } = yield* Shell
        assert.isFalse(yield* interrupt)
        let seen = ""
        const listen = (text: string) => { seen += text }
        const fibres = yield* Effect.forEach(["echo one; sleep 300", "echo two; sleep 300"], (line) => Effect.fork(run(line, 60_000, listen)))
        yield* Effect.sync(() => seen.length).pipe(Effect.repeat({ until: (length) => length === 8, schedule: often }))
        assert.isTrue(yield* interrupt)
        const errors = yield* Effect.forEach(fibres, (fibre) => Effect.flip(Fiber.join(fibre)))
        assert.deepStrictEqual(errors.map(({ message }) => message), ["one", "two"].map((word) =>
          `The user interrupted this command. It did not finish, so its effects are unknown.\nstdout:\n${word}\n`))
        assert.isFalse(yield* interrupt)
        assert.strictEqual((yield* run("echo after")).stdout.head, "after\n")
      }).pipe(Effect.provide(layer)))
  })
}
