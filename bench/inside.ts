// What runs inside a running shiro, against the bare program for the same work: bench/run.mjs calls it.
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { servicesLayer } from "../src/layers/whole.js"
import { Call } from "../src/services/Call.js"
import { Files } from "../src/services/Files.js"
import { Host, HostMemory } from "../src/services/Host.js"
import { HostLive } from "../src/services/host/live.js"
import { Permissions } from "../src/services/Permissions.js"
import { Search } from "../src/services/Search.js"
import { Snapshots } from "../src/services/Snapshots.js"
import { locateRipgrep } from "../src/services/search/locate.js"
import { readFile } from "../src/tools/core/readFile.js"
import { call } from "../src/tools/pipeline.js"

const [scratch = "", folder = "", from = "1", count = "50000", times = "7"] = process.argv.slice(2)
const repeat = Number(times)
const median = (values: ReadonlyArray<number>) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** `count` small sources in folders of fifty, with ignore files here and there. */
const tree = (root: string, files: number) => {
  for (let n = 0; n < files; n++) {
    const place = join(root, `p${Math.floor(n / 2500)}`, `m${Math.floor(n / 50)}`)
    if (n % 50 === 0) mkdirSync(place, { recursive: true })
    if (n % 2500 === 0) writeFileSync(join(root, `p${Math.floor(n / 2500)}`, ".gitignore"), "*.log\nout/\n")
    writeFileSync(join(place, `f${n}.${n % 5 === 0 ? "md" : "ts"}`), `export const value${n} = ${n}\n${"// plain words that fill the file\n".repeat(20)}${n % 500 === 0 ? "needle here\n" : ""}`)
  }
  return root
}
const timed = (run: () => unknown) => {
  const start = performance.now()
  run()
  return performance.now() - start
}
const rows: Array<{ readonly name: string; readonly value: number; readonly goal: number }> = []
const against = Effect.fnUntraced(function*<E, R>(name: string, goal: number, ours: Effect.Effect<unknown, E, R>, theirs: () => unknown) {
  const [one, other]: [Array<number>, Array<number>] = [[], []]
  for (let n = 0; n < repeat; n++) {
    const start = performance.now()
    yield* ours
    one.push(performance.now() - start)
    other.push(timed(theirs))
  }
  rows.push({ name, value: median(one) / median(other), goal })
})

const run = (program: string, args: ReadonlyArray<string>, cwd: string) => spawnSync(program, args, { cwd, maxBuffer: 1 << 28 })

const searching = (root: string, rg: string) =>
  Effect.gen(function*() {
    const search = yield* Search
    yield* search.files({ pattern: "**/*.ts", limit: 200 })
    yield* against("grep inside shiro / rg", 1.15, search.grep({ pattern: "needle", limit: 200 }), () => run(rg, ["--hidden", "-n", "needle", "."], root))
    yield* against("glob **/*.ts inside shiro / rg --files -g", 1.3, search.files({ pattern: "**/*.ts", limit: 200 }), () => run(rg, ["--files", "--hidden", "-g", "**/*.ts"], root))
  }).pipe(Effect.provide(servicesLayer({ root, host: HostLive, mcp: false })), Effect.scoped)

const falling = (root: string, rg: string) =>
  Effect.gen(function*() {
    const search = yield* Search
    yield* against("grep without ripgrep / rg", 15, search.grep({ pattern: "needle", limit: 200 }), () => run(rg, ["--hidden", "-n", "needle", "."], root))
  }).pipe(
    Effect.provide(servicesLayer({ root, host: HostMemory({ env: { ...process.env, SHIRO_RIPGREP: "off" }, homeFolder: scratch, cwd: root }), mcp: false })),
    Effect.scoped
  )

/** How long a command waits until what is there is kept, with one file changed since the last one. */
const keeping = Effect.suspend(() => {
  const root = tree(join(scratch, "kept"), 5_000)
  const git = (...args: ReadonlyArray<string>) => run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], root)
  git("init", "-q")
  git("add", "-A")
  git("commit", "-qm", "x")
  return Effect.gen(function*() {
    const snapshots = yield* Snapshots
    const change = (n: number) => writeFileSync(join(root, `p${n % 2}`, "changed.txt"), `${n} ${performance.now()}`)
    const cost = Effect.fnUntraced(function*(n: number) {
      change(n)
      const start = performance.now()
      const { value } = yield* snapshots.around("./change", Effect.sync(() => {
        const end = performance.now()
        change(n + 1)
        return end
      }))
      return value - start
    })
    // The first one fills the store; files of the same second as the store's index are looked at in full.
    yield* cost(0)
    yield* Effect.sleep(1_100)
    yield* cost(1)
    rows.push({ name: "undo snapshot of a repository of 5,000 files with little changed, ms", value: median(yield* Effect.forEach([...Array(repeat).keys()], cost)), goal: 150 })
  }).pipe(Effect.provide(servicesLayer({ root, host: HostLive, mcp: false })), Effect.scoped)
})

const reading = Effect.gen(function*() {
  const files = yield* Files
  const offset = Number(from)
  yield* against("100 lines near the end of a large file / sed -n", 2, files.window("big.log", { offset, limit: 100 }), () =>
    run("sed", ["-n", `${offset},${offset + 99}p;${offset + 99}q`, "big.log"], folder))
  const one = (turn: number) => call(readFile, { path: "a.txt" }).pipe(Effect.provideService(Call, { id: `c${turn}`, turn: `t${turn}`, worker: null }))
  // what a running shiro costs, not one that has just begun
  for (let n = 0; n < 2000; n++) yield* one(n)
  const whole: Array<number> = []
  const bare: Array<number> = []
  for (let n = 0; n < 1000; n++) {
    const start = performance.now()
    yield* one(10_000 + n)
    const between = performance.now()
    yield* files.window("a.txt", { offset: 1, limit: 2000 })
    bare.push(performance.now() - between)
    whole.push(between - start)
  }
  rows.push({ name: "pipeline overhead of a call, ms", value: median(whole) - median(bare), goal: 0.3 })
}).pipe(Effect.provide(servicesLayer({ root: folder, host: HostLive, mcp: false })), Effect.scoped)

/** What the analysis, guard and rules cost for an ordinary command line. */
const deciding = Effect.gen(function*() {
  const permissions = yield* Permissions
  const lines = ["git status --porcelain", "npm test", "cd packages/core && npx tsc --noEmit -p .", "grep -rn 'TODO' src | head -20", "git add -A && git commit -m \"mend the parser\"", "ls -la"]
  const decide = (n: number) =>
    permissions.explain({ tool: "bash", touches: "executes", subjects: [{ command: lines[n % lines.length] ?? "ls" }], input: { n } }).pipe(
      Effect.provideService(Call, { id: `d${n}`, turn: "t", worker: null })
    )
  for (let n = 0; n < 300; n++) yield* decide(n)
  const times: Array<number> = []
  for (let n = 0; n < 600; n++) {
    const start = performance.now()
    yield* decide(n)
    times.push(performance.now() - start)
  }
  rows.push({ name: "decision on an ordinary command, ms", value: median(times), goal: 1 })
}).pipe(Effect.provide(servicesLayer({ root: folder, host: HostLive, mcp: false })), Effect.scoped)

const all = Effect.gen(function*() {
  const rg = (yield* locateRipgrep(yield* Host))?.path ?? "rg"
  const root = tree(join(scratch, "tree"), Number(count))
  yield* reading
  yield* deciding
  yield* searching(root, rg)
  yield* falling(root, rg)
  yield* keeping
}).pipe(Effect.provide(HostLive))

await Effect.runPromise(all)
process.stdout.write(JSON.stringify(rows))
process.exit(0)
