// Every figure of the table of budgets, side by side in one run: npm run bench [-- --json] [-- --quick]
// A row holds when its value is at most its goal. Ratios are of medians over interleaved repetitions.
import { spawn, spawnSync } from "node:child_process"
import { build } from "esbuild"
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const quick = process.argv.includes("--quick")
const here = dirname(fileURLToPath(import.meta.url))
const main = join(here, "..", "dist", "cli", "main.js")
const scratch = mkdtempSync(join(tmpdir(), "shiro-bench-"))
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))
const rows = []
const row = (name, value, goal) => rows.push({ name, value: Math.round(value * 1000) / 1000, goal })
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const repeat = quick ? 5 : 15

const env = { ...process.env, SHIRO_HOME: join(scratch, "home"), NO_COLOR: "1" }
const timed = (program, args, options = {}) => {
  const start = performance.now()
  const ended = spawnSync(program, args, { stdio: ["ignore", "ignore", "ignore"], env, ...options })
  if (ended.status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${ended.status}`)
  return performance.now() - start
}
/** Ratio of medians of two things done in turn. */
const against = (ours, theirs, times = repeat) => {
  const [one, other] = [[], []]
  for (let n = 0; n < times; n++) {
    one.push(ours())
    other.push(theirs())
  }
  return median(one) / median(other)
}

const folder = join(scratch, "ws")
mkdirSync(folder)
writeFileSync(join(folder, "a.txt"), "one\ntwo\n")
const node = () => timed(process.execPath, ["-e", "0"])
row("shiro --version / node -e 0", against(() => timed(process.execPath, [main, "--version"]), node), 1.5)
row("shiro tool read_file / node -e 0", against(() => timed(process.execPath, [main, "tool", "read_file", "{\"path\":\"a.txt\"}"], { cwd: folder }), node), 2.5)

/** A file of `bytes` whose lines are numbered. */
const bigFile = (path, bytes) => {
  const out = openSync(path, "w")
  let line = 0
  for (let written = 0; written < bytes;) {
    let block = ""
    while (block.length < 1 << 20) block += `line ${++line} of a log that goes on and on, long enough to make a gigabyte of it soon enough\n`
    written += writeSync(out, block)
  }
  closeSync(out)
  return line
}
const bundled = async (name) => {
  const outfile = join(here, "..", "node_modules", ".cache", "bench", `${name}.mjs`)
  await build({
    entryPoints: [join(here, `${name}.ts`)], outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error",
    banner: { js: "import{createRequire as $require}from\"node:module\";const require=$require(import.meta.url);" },
    external: ["@vscode/ripgrep", "@vscode/tree-sitter-wasm", "@lydell/node-pty"]
  })
  return outfile
}
const measured = (file, args) => {
  const ended = spawnSync(process.execPath, [file, ...args], { env, encoding: "utf8", maxBuffer: 1 << 26 })
  if (ended.status !== 0) throw new Error(`${file}: ${ended.stderr}`)
  return JSON.parse(ended.stdout)
}

const last = bigFile(join(folder, "big.log"), quick ? 100e6 : 1e9)
const from = Math.min(1_000_000, last - 100)
const inside = await bundled("inside")
for (const each of measured(inside, [scratch, folder, String(from), quick ? "5000" : "50000", String(quick ? 3 : 7)])) row(each.name, each.value, each.goal)
rmSync(join(folder, "big.log"))

for (const each of measured(await bundled("commands"), [scratch, quick ? "1" : "3"])) row(each.name, each.value, each.goal)

const turns = await bundled("turns")
const child = spawn(process.execPath, [turns, scratch, main, String(quick ? 5 : 11), await bundled("sdk")], { env, stdio: ["ignore", "pipe", "inherit"] })
let printed = ""
for await (const part of child.stdout) printed += part
for (const each of JSON.parse(printed)) row(each.name, each.value, each.goal)

for (const each of measured(await bundled("terminal"), [scratch, main, String(quick ? 2 : 5)])) row(each.name, each.value, each.goal)

if (process.argv.includes("--json")) console.log(JSON.stringify({ rows }, null, 2))
else for (const { goal, name, value } of rows) console.log(`${value <= goal ? "ok  " : "over"} ${name.padEnd(64)} ${String(value).padStart(10)}  goal ${goal}`)
