import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { modelServer } from "../support/modelServer.js"
import type { Reply } from "../support/modelServer.js"

const command = resolve("dist/cli/main.js")
/** SHIRO_TEST_KILLS=50 runs the form of issue 6. */
const kills = Number(process.env["SHIRO_TEST_KILLS"] ?? 5)

const workspace = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "shiro-e2e-"))
    mkdirSync(join(folder, "ws"))
    writeFileSync(join(folder, "ws", "a.txt"), "one\ntwo\n")
    return folder
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)
const shiro = (folder: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: join(folder, "ws"),
    env: { PATH: process.env["PATH"], HOME: folder, SHIRO_HOME: join(folder, "shiro"), ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const said = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk) => { said.stdout += String(chunk) })
  child.stderr.on("data", (chunk) => { said.stderr += String(chunk) })
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)))
  return { child, said, ended: Effect.promise(() => ended) }
}
const sessionsIn = (folder: string) =>
  readdirSync(join(folder, "shiro", "sessions"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, "shiro", "sessions", name), "utf8").split("\n").filter((line) => line !== "").map((line): unknown => JSON.parse(line)))

const steps = 30
/** Thirty steps: a task list first, then reads. What comes after them, or after "go on", is an answer. */
const reply = (messages: ReadonlyArray<unknown>): Reply => {
  const done = messages.filter((message) => JSON.stringify(message).includes("\"tool_calls\"")).length
  if (JSON.stringify(messages.findLast((message) => JSON.stringify(message).includes("\"role\":\"user\""))).includes("go on")) return { text: "resumed" }
  if (done === 0) return { tools: [{ name: "todo_write", input: { todos: [{ content: "survive the night", status: "in_progress" }] } }] }
  return done >= steps ? { text: "finished" } : { tools: [{ name: "read_file", input: { path: "a.txt", offset: 1, limit: done } }, { name: "list_dir", input: {} }] }
}
const messagesOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => Array.isArray(body["messages"]) ? body["messages"] : []
const withoutSystem = (messages: ReadonlyArray<unknown>) => messages.filter((message) => !/^\{"role":"(?:system|developer)"/.test(JSON.stringify(message)))

describe("a run killed with kill -9", () => {
  it.scopedLive(`is gone on with by -c, at ${kills} random moments of its ${steps} steps, and nothing that was sent is lost`, () =>
    Effect.gen(function*() {
      const serving = yield* modelServer(({ body }) => ({ waitMillis: 5, ...reply(messagesOf(body)) }))
      const model = ["--provider", "openai", "--model", "gpt-5", "--base-url", serving.url]
      for (let round = 0; round < kills; round++) {
        const folder = yield* workspace
        const first = shiro(folder, ["-p", "thirty steps", ...model], { OPENAI_API_KEY: "key-of-the-test" })
        const from = serving.requests.length
        // A number of requests and then a little more, so that all states of a step are met.
        const until = 2 + Math.floor(Math.random() * (steps - 2))
        while (serving.requests.length - from < until && first.child.exitCode === null) yield* Effect.sleep(1)
        yield* Effect.sleep(Math.random() * 12)
        first.child.kill("SIGKILL")
        yield* first.ended
        const last = serving.requests.at(-1)
        const second = shiro(folder, ["-p", "go on", "-c", ...model], { OPENAI_API_KEY: "key-of-the-test" })
        assert.strictEqual(yield* second.ended, 0, second.said.stderr)
        assert.include(second.said.stdout, "resumed")
        const [before, after] = [last, serving.requests.at(-1)].map((seen) => messagesOf(seen?.body ?? {}))
        const sent = withoutSystem(before ?? [])
        assert.deepStrictEqual(withoutSystem(after ?? []).slice(0, sent.length), sent)
        assert.include(JSON.stringify(after), "survive the night")
        assert.strictEqual(sessionsIn(folder).length, 1)
      }
      assert.deepStrictEqual(serving.faults(), [])
    }), 600_000)
})

describe("two runs at once in one folder", () => {
  it.scopedLive("have a whole session each, and lose none of 300 notes that they make while they look for some", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const script = (name: string) => [
        ...Array.from({ length: 15 }, (_, step) => ({
          tools: [
            ...Array.from({ length: 10 }, (_, n) => ({ name: "remember", input: { kind: "fact", text: `${name} knows ${step * 10 + n}` } })),
            { name: "recall", input: { query: `knows ${step * 10}` } }
          ]
        })),
        { text: `${name} is done` }
      ]
      const runs = ["one", "two"].map((name) => {
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(script(name)))
        return shiro(folder, ["-p", name, "--provider", "script"], { SHIRO_SCRIPT: join(folder, `${name}.json`) })
      })
      for (const run of runs) assert.strictEqual(yield* run.ended, 0, run.said.stderr)
      const sessions = sessionsIn(folder)
      assert.strictEqual(sessions.length, 2)
      for (const name of ["one", "two"]) {
        const own = sessions.filter((lines) => JSON.stringify(lines).includes(`${name} is done`))
        assert.strictEqual(own.length, 1)
        assert.strictEqual(own[0]?.filter((line) => JSON.stringify(line).includes("\"role\":\"result\"")).length, 165)
      }
      // The number of notes is at its limit now, so that one more says how many there are.
      const more = shiro(folder, ["tool", "remember", JSON.stringify({ kind: "fact", text: "one too many" })])
      yield* more.ended
      assert.include(more.said.stdout + more.said.stderr, "300 notes already")
      const found = shiro(folder, ["tool", "recall", JSON.stringify({ query: "two knows 149" })])
      yield* found.ended
      assert.include(found.said.stdout, "two knows 149")
    }))
})
