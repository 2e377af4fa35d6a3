import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HostLive } from "../../../src/services/host/live.js"
import type { ProcessSpec } from "../../../src/services/Processes.js"
import { Processes } from "../../../src/services/Processes.js"
import { ProcessesLive } from "../../../src/services/processes/live.js"
import { contract } from "./contract.js"

const live = ProcessesLive.pipe(Layer.provide(HostLive))
contract("live", live)

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-processes-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
const path = "/usr/local/bin:/usr/bin:/bin"
const bash = (script: string, more: Partial<ProcessSpec> = {}) =>
  Effect.flatMap(Processes, (processes) =>
    processes.run({ program: "bash", args: ["-c", script], cwd: "/", env: { PATH: path }, ...more }))

const lives = (pid: number) => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return false
  }
}
const pidIn = (file: string) => Number(readFileSync(file, "utf8"))
const appears = (file: string) =>
  Effect.sync(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n")).pipe(
    Effect.repeat({ until: (there) => there, schedule: Schedule.spaced("10 millis") })
  )

/** Ways to outlive a polite request; each writes the pid of what must be gone to `./pid`. */
const stubborn: ReadonlyArray<readonly [string, string]> = [
  ["a child that ignores TERM", `bash -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done'`],
  ["a shell that ignores TERM", `trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done`],
  ["a child in a session of its own", `setsid bash -c 'echo $$ > pid; exec sleep 300' & wait`],
  ["a child in a session of its own that ignores TERM", `setsid bash -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done' & wait`],
  ["a double fork", `(setsid bash -c 'sleep 300 & echo $! > pid' & ) ; sleep 300`],
  ["a daemon without pipes", `(setsid bash -c 'echo $$ > pid; exec sleep 300' < /dev/null > /dev/null 2>&1 & ) ; sleep 300`],
  ["a child with an environment of its own", `env -i PATH=$PATH setsid bash -c 'echo $$ > pid; exec sleep 300' & wait`],
  ["a stopped child", `sleep 300 & kill -STOP $!; echo $! > pid; wait`]
]

describe("ProcessesLive", () => {
  for (const [what, script] of stubborn) {
    it.scopedLive(`has killed ${what} when an interruption ends`, () =>
      Effect.gen(function*() {
        const folder = yield* temporary
        const fibre = yield* Effect.fork(bash(script, { cwd: folder }))
        yield* appears(join(folder, "pid"))
        yield* Fiber.interrupt(fibre)
        assert.isFalse(lives(pidIn(join(folder, "pid"))))
      }).pipe(Effect.provide(live)))
  }

  it.scopedLive("has killed everything when the time is over, and carries the output so far", () =>
    Effect.gen(function*() {
      const script = `trap "" TERM; setsid sleep 300 & echo $!; echo err >&2; while :; do sleep 0.05; done`
      const error = yield* Effect.flip(bash(script, { timeoutMillis: 1_000 }))
      assert.isTrue(error._tag === "ProcessTimedOut" && error.stderr === "err\n" && !lives(Number(error.stdout)))
    }).pipe(Effect.provide(live)))

  it.live("keeps its time limit where nothing can be interrupted", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Effect.uninterruptible(bash("sleep 300", { timeoutMillis: 50 })))
      assert.strictEqual(error._tag, "ProcessTimedOut")
    }).pipe(Effect.provide(live)))

  it.scopedLive("returns although a background child holds the pipes, and names it", () =>
    Effect.gen(function*() {
      const { exitCode, left, stdout } = yield* bash("sleep 300 & echo $!")
      assert.strictEqual(exitCode, 0)
      assert.deepStrictEqual(left, [Number(stdout.head)])
      yield* Effect.flatMap(Processes, ({ stop }) => stop(left))
      assert.isFalse(lives(Number(stdout.head)))
    }).pipe(Effect.provide(live)))

  it.scopedLive("names a daemon in a session of its own to who asks for it", () =>
    Effect.gen(function*() {
      const daemon = "setsid sleep 300 < /dev/null > /dev/null 2>&1 & echo $!"
      const { stop } = yield* Processes
      const asked = yield* bash(daemon, { background: true })
      assert.deepStrictEqual(asked.left, [Number(asked.stdout.head)])
      yield* stop(asked.left)
      assert.isFalse(lives(Number(asked.stdout.head)))
    }).pipe(Effect.provide(live)))

  it.scopedLive("lets a background child print on after the program has ended", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      const script = `bash -c 'sleep 0.5; for i in $(seq 20000); do echo $i; done; echo done > pid' & :`
      const { left } = yield* bash(script, { cwd: folder })
      assert.isAbove(left.length, 0)
      yield* appears(join(folder, "pid"))
    }).pipe(Effect.provide(live)))

  it.scopedLive("drains both pipes at once", () =>
    Effect.gen(function*() {
      const script = `for i in $(seq 40); do head -c 50000 /dev/zero >&2; head -c 50000 /dev/zero; done`
      const { stderr, stdout } = yield* bash(script)
      assert.deepStrictEqual([stdout.head.length, stderr.head.length], [2_000_000, 2_000_000])
    }).pipe(Effect.provide(live)))

  it.scopedLive("needs little memory for much output", () =>
    Effect.gen(function*() {
      const before = process.memoryUsage().rss
      let peak = 0
      let seen = 0
      yield* bash("yes | head -c 200000000", {
        onStdout: (text) => {
          seen += text.length
          peak = Math.max(peak, process.memoryUsage.rss())
        }
      })
      assert.strictEqual(seen, 200_000_000)
      assert.isBelow(peak - before, 150_000_000)
    }).pipe(Effect.provide(live)))

  it.scopedLive("takes what is no UTF-8 for what it is", () =>
    Effect.gen(function*() {
      const { stdout } = yield* bash(String.raw`printf 'a\xff\xc3(\xe2\x82\xacz'`)
      assert.strictEqual(stdout.head, "a��(€z")
    }).pipe(Effect.provide(live)))

  it.scopedLive("passes on a listener's bug and stops the program", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      const cause = yield* Effect.flip(Effect.sandbox(bash("echo $$ > pid; echo hi; sleep 300", {
        cwd: folder,
        onStdout: () => {
          throw new Error("a bug")
        }
      })))
      assert.include(Cause.pretty(cause), "a bug")
      assert.isFalse(lives(pidIn(join(folder, "pid"))))
    }).pipe(Effect.provide(live)))

  it.scopedLive("names the signal that ended a program", () =>
    Effect.gen(function*() {
      const { exitCode, signal } = yield* bash("kill -KILL $$")
      assert.deepStrictEqual([exitCode, signal], [null, "SIGKILL"])
    }).pipe(Effect.provide(live)))

  it.scopedLive("says that the folder is gone, that arguments are too long", () =>
    Effect.gen(function*() {
      const gone = yield* Effect.flip(bash("true", { cwd: "/no/such/folder" }))
      assert.strictEqual(gone.message, "bash could not be started: the folder to run it in does not exist.")
      const long = yield* Effect.flip(bash(`: ${"x".repeat(200_000)}`))
      assert.strictEqual(long.message, "bash could not be started: its arguments are too long (E2BIG). Put long text into a file first.")
    }).pipe(Effect.provide(live)))

  it.scopedLive("takes no program from a relative entry of PATH, nor from the folder it must stay out of", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      const program = (file: string) => {
        writeFileSync(file, "#!/bin/sh\necho planted\n")
        chmodSync(file, 0o755)
      }
      mkdirSync(join(folder, "ws/bin"), { recursive: true })
      program(join(folder, "ws/seq"))
      program(join(folder, "ws/bin/seq"))
      symlinkSync(join(folder, "ws/bin"), join(folder, "linked"))
      const { run } = yield* Processes
      const seq = (entries: string) =>
        run({ program: "seq", args: ["1", "1"], cwd: join(folder, "ws"), outside: join(folder, "ws"), env: { PATH: `${entries}:${path}` } })
      for (const entries of [".", "", "bin", join(folder, "ws/bin"), join(folder, "linked")]) {
        assert.strictEqual((yield* seq(entries)).stdout.head, "1\n", entries)
      }
      const inherited = yield* bash("seq 1 1; echo $PATH", { outside: join(folder, "ws"), env: { PATH: `${join(folder, "linked")}:.:${path}` } })
      assert.strictEqual(inherited.stdout.head, `1\n${path}\n`)
      const direct = yield* Effect.flip(run({ program: join(folder, "ws/seq"), args: [], cwd: "/", outside: join(folder, "ws"), env: {} }))
      assert.strictEqual(direct._tag, "ProgramMissing")
    }).pipe(Effect.provide(live)))
})
