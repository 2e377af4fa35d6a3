import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { Files } from "../../../../src/services/Files.js"
import { SecretsMemory } from "../../../../src/services/secrets/memory.js"
import { filesIn as layerIn, plantAt, temporaryFolder } from "../support.js"
import { builtChild, everythingIn, openIn, runChild } from "./processes.js"

/** Every tenth of the blows in the ordinary run; `SHIRO_SWEEP=all` for every one. */
const stride = process.env["SHIRO_SWEEP"] === "all" ? 1 : 10
const hasStrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0

const calls = ["rename", "link", "unlink", "fsync", "pwrite64", "mkdir", "fchmod"]
const blows = ["signal=KILL", "error=ENOSPC", "error=EIO"]

const old = { edit: "old\n", gone: "gone\n", moved: "moved\n" }
const changed = { edit: "new\n", new: "/", "new/place": "moved\n", "new/file": "fresh\n" }
const workspace = Effect.tap(temporaryFolder, (parent) =>
  Effect.sync(() => {
    plantAt(`${parent}/ws`, old)
    fs.mkdirSync(`${parent}/home`, { mode: 0o700 })
  }))
const startAgain = (parent: string) => Effect.asVoid(Files).pipe(Effect.provide(layerIn(parent)), Effect.provide(SecretsMemory()))

/** How often a run makes each call; one worker thread, so that every call has its number. */
const countIn = (child: string, parent: string, what: string) => {
  const log = `${parent}/log`
  runChild(child, [parent, what], { through: ["strace", "-f", "-qq", "-o", log, "-e", `trace=${calls.join(",")}`], threads: 1 })
  const lines = fs.readFileSync(log, "utf8").split("\n")
  return (call: string) => lines.filter((line) => new RegExp(`^\\d+ +${call}\\(`).test(line)).length
}

describe("A transaction, at every system call that changes something", () => {
  it.scopedLive("is all old or all new after KILL, ENOSPC and EIO there", () =>
    Effect.gen(function*() {
      if (!hasStrace) return console.log("strace is not there, so the sweep of system calls was not run.")
      const child = yield* builtChild
      const idle = countIn(child, yield* workspace, "nothing")
      const busy = countIn(child, yield* workspace, "small")
      const all = calls.flatMap((call) =>
        Array.from({ length: busy(call) - idle(call) }, (_, index) => blows.map((blow) => ({ call, blow, when: idle(call) + index + 1 }))).flat())
      assert.isAbove(all.length, 60)
      const outcomes = { old: 0, new: 0 }
      for (const { blow, call, when } of all.filter((_, index) => index % stride === 0)) {
        const title = `${call} ${when} ${blow}`
        const parent = yield* workspace
        const through = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:${blow}:when=${when}`]
        const { stdout } = runChild(child, [parent, "small"], { through, threads: 1 })
        const atOnce = everythingIn(`${parent}/ws`)
        yield* startAgain(parent)
        const found = everythingIn(`${parent}/ws`)
        const isOld = found["edit"] === old.edit
        assert.deepStrictEqual(found, isOld ? old : changed, title)
        assert.deepStrictEqual(openIn(`${parent}/home`), [], title)
        // What lived to say something has said what is the case, without waiting for the next start.
        if (stdout.includes("failed")) assert.deepStrictEqual(atOnce, old, `${title}: ${stdout}`)
        if (stdout.includes("done")) assert.deepStrictEqual(atOnce, changed, title)
        outcomes[isOld ? "old" : "new"] += 1
      }
      if (stride === 1) console.log(`${all.length} blows: ${outcomes.old} all old, ${outcomes.new} all new`)
    }), 900_000)
})
