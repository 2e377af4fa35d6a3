import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { lives } from "../services/shell/workspace.js"

const command = resolve("dist/cli/main.js")

/** The built command running one `bash` call in an empty workspace. */
const start = (line: string) =>
  Effect.gen(function*() {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-e2e-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const root = join(folder, "ws")
    mkdirSync(root)
    const child = spawn(process.execPath, [command, "tool", "bash", JSON.stringify({ command: line }), "--yolo"], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: folder, SHIRO_HOME: join(folder, "shiro") },
      stdio: ["ignore", "pipe", "pipe"]
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    const seen = { stdout: "", stderr: "", peakKb: 0 }
    child.stdout.on("data", (chunk) => { seen.stdout += String(chunk) })
    child.stderr.on("data", (chunk) => { seen.stderr += String(chunk) })
    const ended = Effect.async<number | null>((resume) => {
      if (child.exitCode !== null) resume(Effect.succeed(child.exitCode))
      else child.once("close", (code) => resume(Effect.succeed(code)))
    })
    return { root, child, seen, ended }
  })

const often = Schedule.spaced("20 millis")
const pidsIn = (root: string, names: ReadonlyArray<string>) => {
  const look = Effect.sync(() => names.map((name) => existsSync(join(root, name)) ? Number(readFileSync(join(root, name), "utf8")) : 0))
  return Effect.zipRight(Effect.repeat(look, { until: (pids) => pids.every((pid) => pid > 0), schedule: often }), look)
}

describe("shiro tool bash", () => {
  it.scopedLive("leaves no child when it is interrupted", () =>
    Effect.gen(function*() {
      const { child, ended, root } = yield* start("(setsid bash -c 'trap \"\" TERM; echo $$ > far; while :; do sleep 0.1; done' &); echo $$ > near; sleep 300")
      const pids = yield* pidsIn(root, ["near", "far"])
      assert.deepStrictEqual(pids.map(lives), [true, true])
      child.kill("SIGINT")
      assert.strictEqual(yield* ended, 130)
      assert.deepStrictEqual(pids.map(lives), [false, false])
    }))

  it.scopedLive("returns though something goes on in the background, which it leaves and names", () =>
    Effect.gen(function*() {
      const { ended, root, seen } = yield* start("sleep 300 & echo $! > pid; echo hi")
      assert.strictEqual(yield* ended, 0, seen.stderr)
      const [pid = 0] = yield* pidsIn(root, ["pid"])
      assert.isTrue(lives(pid))
      process.kill(pid)
      assert.include(seen.stdout, `exit code: 0\nstdout:\nhi\nStill running in the background: pid ${pid}. Goes on after shiro has ended`)
    }))

  it.scopedLive("needs little memory for much output", () =>
    Effect.gen(function*() {
      const { child, ended, seen } = yield* start("yes | head -c 200000000")
      const look = Effect.sync(() => {
        const file = `/proc/${child.pid ?? 0}/status`
        const peak = existsSync(file) ? /VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1] : undefined
        seen.peakKb = Math.max(seen.peakKb, Number(peak ?? 0))
      })
      yield* Effect.forkScoped(Effect.repeat(look, often))
      assert.strictEqual(yield* ended, 0, seen.stderr)
      assert.match(seen.stdout, /\.\.\. \[truncated 199,97\d,\d{3} chars\]/)
      assert.isBelow(seen.peakKb, 200_000)
    }))
})
