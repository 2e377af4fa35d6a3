import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import type { ProcessSpec } from "../../../src/services/Processes.js"
import { Processes } from "../../../src/services/Processes.js"

const path = "/usr/local/bin:/usr/bin:/bin"
const run = (program: string, args: ReadonlyArray<string>, more: Partial<ProcessSpec> = {}) =>
  Effect.flatMap(Processes, (processes) => processes.run({ program, args, cwd: "/", env: { PATH: path }, ...more }))

/** What holds for every layer of `Processes` that knows `echo false cat printenv seq sleep yes`. */
export const contract = (name: string, layer: Layer.Layer<Processes>) =>
  describe(`Processes, ${name}`, () => {
    it.live("gives what a program prints and how it ended", () =>
      Effect.gen(function*() {
        const { cut, exitCode, left, signal, stderr, stdout } = yield* run("echo", ["a b", "$HOME", "*"])
        assert.deepStrictEqual({ cut, exitCode, left, signal, stderr, stdout }, {
          cut: false,
          exitCode: 0,
          left: [],
          signal: null,
          stderr: { head: "", tail: "", dropped: 0 },
          stdout: { head: "a b $HOME *\n", tail: "", dropped: 0 }
        })
        assert.strictEqual((yield* run("false", [])).exitCode, 1)
      }).pipe(Effect.provide(layer)))

    it.live("closes standard input, or gives the text for it", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* run("cat", [])).stdout.head, "")
        assert.strictEqual((yield* run("cat", [], { stdin: "über\n" })).stdout.head, "über\n")
      }).pipe(Effect.provide(layer)))

    it.live("shows a program its given environment and no other", () =>
      Effect.gen(function*() {
        const { exitCode, stdout } = yield* run("printenv", ["COLOUR"], { env: { PATH: path, COLOUR: "red" } })
        assert.deepStrictEqual([exitCode, stdout.head], [0, "red\n"])
        assert.strictEqual((yield* run("printenv", ["HOME"])).exitCode, 1)
      }).pipe(Effect.provide(layer)))

    it.live("says that a program is missing", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(run("no-such-program", []))
        assert.strictEqual(error.message, "no-such-program is not installed or not on PATH.")
      }).pipe(Effect.provide(layer)))

    it.live("keeps the head and the tail of much output and counts the rest", () =>
      Effect.gen(function*() {
        const { stdout } = yield* run("seq", ["1", "100000"], { keepHead: 6, keepTail: 7 })
        assert.deepStrictEqual(stdout, { head: "1\n2\n3\n", tail: "100000\n", dropped: 588_895 - 13 })
      }).pipe(Effect.provide(layer)))

    it.live("hands output on as it comes, and does not keep it then", () =>
      Effect.gen(function*() {
        let seen = ""
        const { stdout } = yield* run("seq", ["1", "20000"], { onStdout: (text) => { seen += text } })
        assert.strictEqual(seen.length, 108_894)
        assert.strictEqual(stdout.head, "")
      }).pipe(Effect.provide(layer)))

    it.live("stops a program that has printed enough", () =>
      Effect.gen(function*() {
        const { cut, stdout } = yield* run("yes", [], { stopAfterBytes: 10_000, keepHead: 4 })
        assert.isTrue(cut)
        assert.strictEqual(stdout.head, "y\ny\n")
      }).pipe(Effect.provide(layer)))

    it.live("stops a program at its time limit", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(run("sleep", ["300"], { timeoutMillis: 50 }))
        assert.strictEqual(error.message, "sleep did not end within 0.05 s and was stopped.")
      }).pipe(Effect.provide(layer)))

    it.live("ends a program when its fibre is interrupted", () =>
      Effect.gen(function*() {
        const fibre = yield* Effect.fork(run("sleep", ["300"]))
        yield* Effect.sleep(20)
        yield* Fiber.interrupt(fibre)
      }).pipe(Effect.provide(layer)))
  })
