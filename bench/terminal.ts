// The interactive mode in a pseudo-terminal while a long answer streams from a local server at full speed: whether memory
// stays flat, and how soon a key is on the screen.
import { spawn } from "@lydell/node-pty"
import { mkdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

const [scratch = "", main = "", times = "5"] = process.argv.slice(2)
const at = (values: ReadonlyArray<number>, part: number) => [...values].sort((one, other) => one - other)[Math.floor(values.length * part)] ?? 0

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const usage = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\ndata: [DONE]\n\n`

/** An answer of so many lines, streamed by words as providers do. */
const answerOf = (lines: number) => {
  const parts = Array.from({ length: lines }, (_, n) => [`row ${n + 1}`, " of an answer", " that goes", " on and on\n"].map((content) => chunk({ content }, null)).join(""))
  return Buffer.from(`${chunk({ role: "assistant", content: "" }, null)}${parts.join("")}${chunk({ content: "the very end" }, null)}${chunk({}, "stop")}${usage}`)
}
let answer = answerOf(0)
const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(answer)
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address: AddressInfo | string | null = server.address()
const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`
const folder = join(scratch, "terminal")
mkdirSync(folder)

/** One turn with an answer of so many lines, keys typed all the while. */
const turn = (lines: number) =>
  new Promise<{ readonly peak: number; readonly echoes: ReadonlyArray<number>; readonly millis: number }>((resolve) => {
    answer = answerOf(lines)
    const child = spawn(process.execPath, [main, "--provider", "custom", "--base-url", url, "--model", "m"], {
      cwd: folder, cols: 80, rows: 24, env: { ...process.env, SHIRO_HOME: join(scratch, "home"), TERM: "xterm-256color", NO_COLOR: "1" }
    })
    const echoes: Array<number> = []
    let seen = ""
    let typed = ""
    let asked = 0
    let began = 0
    let state: "starts" | "streams" | "ends" = "starts"
    const type = () => {
      if (state !== "streams") return
      typed += String.fromCharCode(97 + typed.length % 26)
      asked = performance.now()
      child.write(typed.slice(-1))
    }
    child.onData((text) => {
      seen = (seen + text).slice(-20_000)
      if (state === "starts" && seen.includes("what shall be done?")) {
        state = "streams"
        began = performance.now()
        child.write("go\r")
        seen = ""
        setTimeout(type, 100)
      } else if (state === "streams" && seen.includes("the very end")) {
        state = "ends"
        const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0)
        const millis = performance.now() - began
        child.onExit(() => resolve({ peak, echoes, millis }))
        child.kill("SIGTERM")
      } else if (state === "streams" && typed !== "" && seen.includes(`› ${typed}`)) {
        echoes.push(performance.now() - asked)
        seen = ""
        if (typed.length === 40) {
          typed = ""
          child.write("\x15")
        }
        setTimeout(type, 20)
      }
    })
  })

const short: Array<number> = []
const long: Array<number> = []
const echoes: Array<number> = []
const lasted: Array<number> = []
for (let n = 0; n < Number(times); n++) {
  short.push((await turn(1000)).peak)
  const whole = await turn(10_000)
  long.push(whole.peak)
  lasted.push(whole.millis)
  echoes.push(...whole.echoes)
}
if (process.argv.includes("--more")) console.error({ short, long, lasted, echoes: echoes.length })
process.stdout.write(JSON.stringify([
  { name: "terminal, peak memory, 10,000 lines / 1,000 lines", value: at(long, 0.5) / at(short, 0.5), goal: 1.3 },
  { name: "terminal, key to its echo in 10,000 lines, median ms", value: at(echoes, 0.5), goal: 50 },
  { name: "terminal, key to its echo in 10,000 lines, worst decile ms", value: at(echoes, 0.9), goal: 50 }
]))
server.close()
process.exit(0)
