import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { Change, Files } from "../../../../src/services/Files.js"
import { SecretsMemory } from "../../../../src/services/secrets/memory.js"
import { filesIn as layerIn, plantAt, temporaryFolder } from "../support.js"
import { everythingIn } from "./processes.js"

/** Swaps folder `d` for a link out of the workspace and back, and file `f` too, as fast as it can. */
const swapper = `
  const fs = require("node:fs")
  process.chdir(process.argv[1])
  const swap = (name) => {
    try { fs.renameSync(name, name + "-kept"); fs.renameSync(name + "-link", name); fs.renameSync(name, name + "-link"); fs.renameSync(name + "-kept", name) } catch {}
  }
  process.stdout.write("ready\\n")
  for (let n = 1; ; n++) { swap("d"); swap("f"); if (n % 500 === 0) process.stdout.write(".") }
`
const swapping = (ws: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly child: ReturnType<typeof spawn>; readonly swaps: () => number }>((resume) => {
      const child = spawn(process.execPath, ["-e", swapper, ws], { stdio: ["ignore", "pipe", "inherit"] })
      let swaps = 0
      child.stdout.on("data", (part: Buffer) => {
        swaps += 1_000 * part.toString("utf8").split(".").length - 1_000
        resume(Effect.succeed({ child, swaps: () => swaps }))
      })
    }),
    ({ child }) => Effect.async<void>((resume) => {
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
  )

describe("While a folder is swapped for a link out of the workspace", () => {
  it.scopedLive("nothing outside is read or written, over ten thousand swaps", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/outside`, { x: "SECRET", y: "SECRET" })
      plantAt(`${parent}/ws`, {
        "d/x": "inside", f: "inside", "d-link": { link: "../outside" }, "f-link": { link: "../outside/x" }
      })
      const outside = everythingIn(`${parent}/outside`)
      const { swaps } = yield* swapping(`${parent}/ws`)
      const seen = { inside: 0, refused: 0, escapes: 0 }
      const note = <A, E extends { readonly message: string }, R>(run: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.either(run), (outcome) => {
          assert.notInclude(JSON.stringify(outcome), "SECRET")
          if (outcome._tag === "Right") seen.inside += 1
          else seen[outcome.left.message.startsWith("Path escapes") ? "escapes" : "refused"] += 1
        })
      yield* Effect.gen(function*() {
        const files = yield* Files
        for (let round = 0; round < 250 || swaps() < 10_000; round += 1) {
          // The other process tells how far it is.
          if (round % 50 === 49) yield* Effect.sleep("1 millis")
          yield* note(files.read("d/x"))
          yield* note(files.window("f", { offset: 1, limit: 10 }))
          yield* note(files.stat("d/x"))
          yield* note(files.bytes("d/y", 10))
          if (round % 10 !== 0) continue
          yield* note(files.overwrite("d/new", `round ${round}`))
          yield* note(files.overwrite("f", "inside"))
          yield* note(files.transact([`d/made${round}`, `d/moved${round}`], () =>
            Effect.succeed({ value: null, changes: [Change.Create({ path: `d/made${round}`, text: "x" })] })))
        }
      }).pipe(Effect.provide(layerIn(parent)), Effect.provide(SecretsMemory()))
      assert.deepStrictEqual(everythingIn(`${parent}/outside`), outside)
      assert.isAbove(seen.inside, 0)
      assert.isAbove(seen.escapes, 0)
    }), 120_000)

  it.scopedLive("a pipe is refused at once, and a device outside", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { null: { link: "/dev/null" } })
      const made = spawn("mkfifo", [`${parent}/ws/pipe`])
      yield* Effect.async<void>((resume) => void made.on("exit", () => resume(Effect.void)))
      const said = yield* Effect.gen(function*() {
        const files = yield* Files
        return yield* Effect.forEach(["pipe", "null"], (path) =>
          Effect.all([
            Effect.flip(Effect.asVoid(files.read(path))), Effect.flip(Effect.asVoid(files.overwrite(path, "x")))
          ]).pipe(Effect.map((errors) => errors.map(({ message }) => message))))
      }).pipe(Effect.provide(layerIn(parent)), Effect.provide(SecretsMemory()))
      assert.deepStrictEqual(said, [
        ["pipe is a named pipe. Only regular files can be read.", "pipe is a named pipe. Only regular files can be changed. Nothing was changed."],
        ["Path escapes workspace: null", "Path escapes workspace: null"]
      ])
      assert.isTrue(fs.lstatSync(`${parent}/ws/pipe`).isFIFO())
    }))
})
