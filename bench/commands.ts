// What undo's snapshots cost a turn with ordinary commands, in a repository of 5,000 files: bench/run.mjs calls it.
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { servicesLayer } from "../src/layers/whole.js"
import { Call } from "../src/services/Call.js"
import { HostLive } from "../src/services/host/live.js"
import { Snapshots } from "../src/services/Snapshots.js"
import { bash } from "../src/tools/core/bash.js"
import { editFile } from "../src/tools/core/editFile.js"
import { grep } from "../src/tools/core/grep.js"
import { readFile } from "../src/tools/core/readFile.js"
import { call } from "../src/tools/pipeline.js"

const [scratch = "", times = "3"] = process.argv.slice(2)
const repeat = Number(times)
const median = (values: ReadonlyArray<number>) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const root = join(scratch, "commands")
const git = (...args: ReadonlyArray<string>) => spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root })

for (let n = 0; n < 5_000; n++) {
  const place = join(root, `p${Math.floor(n / 2500)}`, `m${Math.floor(n / 50)}`)
  if (n % 50 === 0) mkdirSync(place, { recursive: true })
  writeFileSync(join(place, `f${n}.ts`), `export const value${n} = ${n}\n${"// plain words that fill the file\n".repeat(20)}`)
}
writeFileSync(join(root, ".gitignore"), "out/\n")
git("init", "-q")
git("add", "-A")
git("commit", "-qm", "x")

/** No model: 20 calls one after the other. Five commands of 13.5 s in all may write, and are looked at; two only read. */
const turn = (id: string, n: number) => {
  const file = (at: number) => `p0/m0/f${at}.ts`
  let count = 0
  const run = <A, E, R>(one: Effect.Effect<A, E, R>) => Effect.provideService(one, Call, { id: `${id}-${++count}`, turn: id, worker: null })
  const command = (line: string) => run(call(bash, { command: line }))
  const read = (at: number) => run(call(readFile, { path: file(at) }))
  const edit = (at: number) => run(call(editFile, { path: file(at), oldString: `export const value${at} =`, newString: `export const value${at} =`.replace("=", `= ${n} +`) }))
  const tested = "mkdir -p out && sleep 3 && date > out/report"
  return Effect.all([
    command("git status --short"), run(call(grep, { pattern: "value77\\b" })), read(1), read(2), read(3), edit(1), edit(2), command(tested), read(4), edit(3),
    command(tested), read(1), edit(4), command("for n in 5 6 7 8 9; do echo '// formatted' >> p0/m0/f$n.ts; done; sleep 0.5"), read(5), edit(10),
    command("mkdir -p out && sleep 4 && date > out/bundle.js"), command("git diff --stat"), edit(11), command(tested)
  ], { discard: true })
}

const all = Effect.gen(function*() {
  const inert = Snapshots.of({ around: (_, run) => Effect.map(run, (value) => ({ value, notes: [] })) })
  const [kept, bare]: [Array<number>, Array<number>] = [[], []]
  // The first look fills the store.
  yield* (yield* Snapshots).around("./first", Effect.void)
  for (let n = 0; n < repeat; n++) {
    let start = performance.now()
    yield* turn(`kept${n}`, n)
    kept.push(performance.now() - start)
    start = performance.now()
    yield* Effect.provideService(turn(`bare${n}`, n + 1_000), Snapshots, inert)
    bare.push(performance.now() - start)
  }
  return median(kept) / median(bare)
}).pipe(Effect.provide(servicesLayer({ root, host: HostLive, mcp: false, yolo: true })), Effect.scoped)

void Effect.runPromise(all).then((value) => {
  process.stdout.write(JSON.stringify([{ name: "20-call turn with 13.5 s of commands, with snapshots of 5,000 files / without", value, goal: 1.05 }]))
  process.exit(0)
})
