// Headless turns of the built command against a bare script that streams the same requests from the same server.
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { execFileSync } from "node:child_process"
import { join } from "node:path"

const [scratch = "", main = "", times = "11", sdk = ""] = process.argv.slice(2)
const repeat = Number(times)
const median = (values: ReadonlyArray<number>) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const usage = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\ndata: [DONE]\n\n`

interface Seen {
  steps: number
  answered: number
  readonly gaps: Array<number>
  pid: number
  peak: number
  first: string
}
const fresh = (steps: number): Seen => ({ steps, answered: 0, gaps: [], pid: 0, peak: 0, first: "" })
let seen = fresh(0)
let ended = 0

const peakOf = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)

const server = createServer((request, response) => {
  const arrived = performance.now()
  if (seen.answered > 0) seen.gaps.push(arrived - ended)
  let body = ""
  request.on("data", (part: Buffer) => {
    body += part.toString("utf8")
  })
  request.on("end", () => {
    if (seen.answered === 0) seen.first = body
    seen.answered += 1
    response.writeHead(200, { "content-type": "text/event-stream" })
    if (seen.answered <= seen.steps) {
      const input = JSON.stringify({ path: "a.txt", offset: 1, limit: seen.answered })
      response.write(chunk({ role: "assistant", tool_calls: [{ index: 0, id: `call_${seen.answered}`, type: "function", function: { name: "read_file", arguments: input } }] }, null))
      response.write(chunk({}, "tool_calls"))
    } else {
      if (seen.pid > 0) seen.peak = peakOf(seen.pid)
      response.write(chunk({ role: "assistant", content: "done" }, null))
      response.write(chunk({}, "stop"))
    }
    response.end(usage, () => {
      ended = performance.now()
    })
  })
})

const run = (args: ReadonlyArray<string>, cwd: string, steps: number) =>
  new Promise<{ readonly millis: number; readonly seen: Seen }>((resolve, reject) => {
    seen = fresh(steps)
    const start = performance.now()
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, SHIRO_HOME: join(scratch, "home") } })
    seen.pid = child.pid ?? 0
    let said = ""
    child.stderr.on("data", (part: Buffer) => {
      said += part.toString("utf8")
    })
    child.on("close", (code) => code === 0 ? resolve({ millis: performance.now() - start, seen }) : reject(new Error(`ended with ${code}: ${said}`)))
  })

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address: AddressInfo | string | null = server.address()
const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`
const folder = join(scratch, "turns")
mkdirSync(folder)
writeFileSync(join(folder, "a.txt"), "one\ntwo\n")
execFileSync("git", ["init", "-q"], { cwd: folder })
const ours = [main, "-p", "--provider", "custom", "--base-url", url, "--model", "m", "go"]
const first = (await run(ours, folder, 0)).seen.first
const file = join(scratch, "first.json")
writeFileSync(file, first)
const alone = [sdk, url, file]
const bare = [join(main, "..", "..", "..", "bench", "bare.mjs"), url, file]

const one: Array<number> = []
const oneBare: Array<number> = []
const gaps: Array<number> = []
const gapsBare: Array<number> = []
const gapsAlone: Array<number> = []
const peaksAlone: Array<number> = []
const late: Array<number> = []
const early: Array<number> = []
const peaks: Array<number> = []
const peaksBare: Array<number> = []
for (let n = 0; n < repeat; n++) {
  one.push((await run(ours, folder, 0)).millis)
  oneBare.push((await run(bare, folder, 0)).millis)
  const turn = (await run(ours, folder, 20)).seen
  const turnBare = (await run(bare, folder, 20)).seen
  const turnAlone = (await run(alone, folder, 20)).seen
  gapsAlone.push(median(turnAlone.gaps))
  peaksAlone.push(turnAlone.peak)
  gaps.push(median(turn.gaps))
  gapsBare.push(median(turnBare.gaps))
  early.push(median(turn.gaps.slice(5, 12)))
  late.push(median(turn.gaps.slice(13, 20)))
  peaks.push(turn.peak)
  peaksBare.push(turnBare.peak)
}
const request: unknown = JSON.parse(first)
const system = typeof request === "object" && request !== null && "messages" in request && Array.isArray(request.messages)
  ? request.messages.filter((message: { readonly role: string }) => message.role === "system").map((message: { readonly content: string }) => message.content).join("")
  : ""
const bytes = (text: string) => Buffer.byteLength(text, "utf8")
process.stdout.write(JSON.stringify([
  { name: "one-answer headless turn / bare script", value: median(one) / median(oneBare), goal: 1.6 },
  { name: "20-step turn, median of a step / bare script", value: median(gaps) / median(gapsBare), goal: 3 },
  { name: "20-step turn, late steps / early steps", value: median(late) / median(early), goal: 1.5 },
  { name: "20-step turn, peak memory / bare script", value: median(peaks) / median(peaksBare), goal: 1.5 },
  { name: "for comparison: the model's SDK alone, a step / bare script", value: median(gapsAlone) / median(gapsBare), goal: 100 },
  { name: "for comparison: the model's SDK alone, peak memory / bare script", value: median(peaksAlone) / median(peaksBare), goal: 100 },
  { name: "first request, system prompt, bytes", value: bytes(system), goal: 5000 },
  { name: "first request, whole body, bytes", value: bytes(first), goal: 24_000 }
]))
server.close()
process.exit(0)
