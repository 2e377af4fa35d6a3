import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { LiveOutput } from "../../../src/services/Call.js"
import { PermissionsMemory } from "../../../src/services/permissions/memory.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { Shell } from "../../../src/services/Shell.js"
import { SnapshotsMemory } from "../../../src/services/Snapshots.js"
import type { Command } from "../../../src/services/shell/memory.js"
import { ShellMemory } from "../../../src/services/shell/memory.js"
import { bash } from "../../../src/tools/core/bash.js"
import { call } from "../../../src/tools/pipeline.js"
import { inputSchema, wireBytes } from "../../../src/tools/Tool.js"

const printing = (stdout: string, stderr = "", code = 0): Command => (_, io) =>
  Effect.sync(() => {
    io.stdout(stdout)
    io.stderr(stderr)
    return code
  })
const given = (commands: Readonly<Record<string, Command>> = {}, secrets: ReadonlyArray<string> = []) =>
  Effect.provide(Layer.mergeAll(ShellMemory(commands), SnapshotsMemory, PermissionsMemory(), SecretsMemory([], secrets)))
const count = (text: string, letter: string) => text.split(letter).length - 1

describe("bash", () => {
  it("costs the model few bytes", () => {
    assert.isAtMost(wireBytes({ ...bash, inputSchema: inputSchema(bash.input) }), 300)
  })

  it.effect("gives exit code, stdout and stderr", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(bash, { command: "both" }), "exit code: 2\nstdout:\n one\ntwo\nstderr:\nthree")
    }).pipe(given({ both: printing(" one\ntwo\n", "three\n", 2) })))

  it.effect("leaves empty blocks out", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(bash, { command: "true" }), "exit code: 0")
      assert.strictEqual(yield* call(bash, { command: "nope" }), "exit code: 127\nstderr:\nbash: line 1: nope: command not found")
    }).pipe(given()))

  it.effect("says what goes on in the background, and that a timeout was lowered", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* call(bash, { command: "serve", timeout: "900000" }),
        "exit code: 0\nstdout:\nup\nStill running in the background: pid 2. Stopped when shiro ends.\ntimeout was lowered to 600000 ms, the maximum."
      )
    }).pipe(given({
      serve: (_, { leave, stdout }) => Effect.as(Effect.zipRight(leave(Effect.never), Effect.sync(() => stdout("up\n"))), 0)
    })))

  it.effect("stops a command at its own limit, with the output so far", () =>
    Effect.gen(function*() {
      const fibre = yield* Effect.fork(Effect.flip(call(bash, { command: "echo early; sleep 1000" })))
      yield* TestClock.adjust("119 seconds")
      assert.isNull(fibre.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(
        (yield* Fiber.join(fibre)).message,
        "The command did not end within 120000 ms and was stopped with everything it started. Its effects are unknown. Give a longer timeout, or have it do less.\nstdout:\nearly\n"
      )
    }).pipe(given()))

  it.effect("lets a command run for the 600 s that are the most", () =>
    Effect.gen(function*() {
      const fibre = yield* Effect.fork(call(bash, { command: "sleep 599", timeout: 600_001 }))
      yield* TestClock.adjust("599 seconds")
      assert.strictEqual(yield* Fiber.join(fibre), "exit code: 0\ntimeout was lowered to 600000 ms, the maximum.")
    }).pipe(given()))

  it.effect("fails when the user interrupts the command", () =>
    Effect.gen(function*() {
      const { interrupt } = yield* Shell
      const fibre = yield* Effect.fork(Effect.flip(call(bash, { command: "echo early; sleep 1000" })))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* interrupt)
      assert.strictEqual(
        (yield* Fiber.join(fibre)).message,
        "The user interrupted this command. It did not finish, so its effects are unknown.\nstdout:\nearly\n"
      )
    }).pipe(given()))

  it.effect("shares the cap: two thirds for stdout, head and tail of each", () =>
    Effect.gen(function*() {
      const text = yield* call(bash, { command: "much" })
      assert.match(text, /^exit code: 0\nstdout:\nstart1x+\n\.\.\. \[truncated 1,980,0\d\d chars\]\nx+end1\nstderr:\nstart2y+\n\.\.\. \[truncated 1,990,0\d\d chars\]\ny+end2$/)
      assert.closeTo(count(text, "x"), 20_000, 50)
      assert.closeTo(count(text, "y"), 10_000, 50)
    }).pipe(given({ much: printing(`start1${"x".repeat(1_999_990)}end1`, `start2${"y".repeat(1_999_990)}end2`) })))

  it.effect("passes an unused share over", () =>
    Effect.gen(function*() {
      const text = yield* call(bash, { command: "one" })
      assert.closeTo(count(text, "x"), 30_000, 60)
      assert.isTrue(text.endsWith("\nstderr:\nfew"))
      assert.closeTo(count(yield* call(bash, { command: "other" }), "y"), 30_000, 60)
    }).pipe(given({ one: printing("x".repeat(200_000), "few"), other: printing("few", "y".repeat(200_000)) })))

  it.effect("keeps an error's output within the cap, its end included", () =>
    Effect.gen(function*() {
      const fibre = yield* Effect.fork(Effect.flip(call(bash, { command: "much; sleep 1000", timeout: 1_000 })))
      yield* TestClock.adjust("1 second")
      const { message } = yield* Fiber.join(fibre)
      assert.match(message, /^The command did not end within 1000 ms.*\nstdout:\nx+\n\.\.\. \[truncated [\d,]+ chars\]\nx+last words$/)
      assert.isAtMost(message.length, 30_000)
    }).pipe(given({ much: printing(`${"x".repeat(500_000)}last words`) })))

  it.effect("masks before it cuts, whatever the cut divides", () => {
    const value = "the-secret-value-of-40-characters-length"
    return Effect.gen(function*() {
      for (const command of ["short", "middling", "long"]) {
        const text = yield* call(bash, { command })
        for (let at = 0; at + 8 <= value.length; at++) assert.notInclude(text, value.slice(at, at + 8), command)
        assert.include(text, "[secret hidden]")
      }
    }).pipe(given({
      short: printing(value),
      middling: printing(`${value} `.repeat(2_500)),
      long: printing(`${"ab".repeat(30_000)}${`${value}${value}`.repeat(20_000)}`)
    }, [value]))
  })

  it.effect("shows no escape sequences", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(bash, { command: "red" }), "exit code: 0\nstdout:\nred text")
    }).pipe(given({ red: printing("\x1b[31mred\x1b[0m \x1b]0;title\x07text\r\n") })))

  it.effect("shows output while it comes, masked, and all of it by the end", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const emit = (text: string) => Effect.sync(() => void seen.push(text))
      const fibre = yield* call(bash, { command: "echo one; sleep 1; echo hush-hush; sleep 1; echo three" }).pipe(
        Effect.provideService(LiveOutput, { emit }),
        Effect.fork
      )
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(seen, ["one\n"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen, ["one\n", "[secret hidden]\n"])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fibre)
      assert.strictEqual(seen.join(""), "one\n[secret hidden]\nthree\n")
    }).pipe(given({}, ["hush-hush"])))

  it.effect("leaves out on the screen what the screen is too slow for, and says so", () =>
    Effect.gen(function*() {
      let seen = ""
      const emit = (text: string) => Effect.sync(() => { seen += text })
      yield* call(bash, { command: "flood" }).pipe(Effect.provideService(LiveOutput, { emit }))
      assert.isBelow(seen.length, 200_000)
      assert.match(seen, /^\.\.\. \[[\d,]+ chars not shown\]\nline \d+\n/)
      assert.isTrue(seen.endsWith("line 99999\n"))
    }).pipe(given({
      flood: (_, { stdout }) =>
        Effect.sync(() => {
          for (let at = 0; at < 100_000; at++) stdout(`line ${at}\n`)
          return 0
        })
    })))

  it.effect("wants a command and a sensible timeout", () =>
    Effect.gen(function*() {
      const problem = (input: unknown) => Effect.map(Effect.flip(call(bash, input)), ({ message }) => message)
      assert.strictEqual(yield* problem({ command: " " }), "Invalid input for bash: command: Expected a command, actual white space. Nothing was run.")
      assert.include(yield* problem({ command: "a\0b" }), "without NUL bytes")
      for (const timeout of [0, -1, 1.5]) assert.include(yield* problem({ command: "true", timeout }), "timeout: Expected a whole number of at least 1")
      assert.strictEqual(yield* call(bash, { command: "true", timeout: null }), "exit code: 0")
    }).pipe(given()))
})
