import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

interface Asks {
  /** answers the server's question; none: the client cannot be asked */
  readonly elicit?: (message: string) => string
  readonly root?: string
  readonly args?: ReadonlyArray<string>
}

const place = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "shiro-mcp-server-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A client of `shiro mcp`, as any editor has one. */
const connected = (folder: string, { args = [], elicit, root }: Asks = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, {
        capabilities: { ...(elicit === undefined ? {} : { elicitation: {} }), ...(root === undefined ? {} : { roots: {} }) }
      })
      if (elicit !== undefined) {
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          const decision = elicit(params.message)
          return decision === "" ? { action: "cancel" } : { action: "accept", content: { decision } }
        })
      }
      if (root !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${root}` }] }))
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [resolve("dist/cli/main.js"), "mcp", ...args],
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder, SHIRO_HOME: join(folder, ".home") },
        stderr: "pipe"
      })
      await client.connect(transport)
      return { client, pid: transport.pid }
    }),
    ({ client }) => Effect.promise(() => client.close())
  )
const call = (client: Client, name: string, input: Record<string, unknown>, options?: Parameters<Client["callTool"]>[2]) =>
  Effect.promise(async () => {
    const { content, isError } = await client.callTool({ name, arguments: input }, undefined, options)
    const [first] = Array.isArray(content) ? content : []
    return { text: typeof first?.text === "string" ? first.text : "", isError: isError === true }
  })
/** Processes whose command line holds a text. */
const running = (text: string) => execFileSync("ps", ["axo", "args"], { encoding: "utf8" }).split("\n").filter((line) => line.includes(text) && !line.includes("ps axo")).length

describe("shiro mcp", () => {
  it.scopedLive("offers its tools with hints, runs them, and tells errors as results", () =>
    Effect.gen(function*() {
      const folder = yield* place
      writeFileSync(join(folder, "a.txt"), "one\n")
      const { client } = yield* connected(folder)
      const { tools } = yield* Effect.promise(() => client.listTools())
      const names = tools.map(({ name }) => name)
      for (const name of ["read_file", "bash", "remember", "recall", "forget"]) assert.include(names, name)
      for (const name of ["task", "ask", "todo_write", "git_status"]) assert.notInclude(names, name)
      assert.deepStrictEqual(tools.find(({ name }) => name === "read_file")?.annotations, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false })
      assert.deepStrictEqual(tools.find(({ name }) => name === "write_file")?.annotations?.readOnlyHint, false)
      assert.deepStrictEqual(yield* call(client, "read_file", { path: "a.txt" }), { text: "1: one", isError: false })
      assert.deepStrictEqual(yield* call(client, "read_file", { path: "../x" }), { text: "Path escapes workspace: ../x", isError: true })
      assert.match((yield* call(client, "read_file", { file: "a.txt" })).text, /^Invalid input for read_file: /)
      assert.match((yield* call(client, "nope", {})).text, /^Unknown tool "nope"\. Available: /)
    }))

  it.scopedLive("writes only by the rules where its client cannot ask, and says how to allow it", () =>
    Effect.gen(function*() {
      const folder = yield* place
      const { client } = yield* connected(folder)
      const refused = yield* call(client, "write_file", { path: "b.txt", content: "x\n" })
      assert.isTrue(refused.isError)
      assert.match(refused.text, /permission rule/)
      assert.isFalse(existsSync(join(folder, "b.txt")))
      const { client: bold } = yield* connected(folder, { args: ["--yolo"] })
      assert.isFalse((yield* call(bold, "write_file", { path: "b.txt", content: "x\n" })).isError)
      assert.strictEqual(readFileSync(join(folder, "b.txt"), "utf8"), "x\n")
      assert.match((yield* call(bold, "bash", { command: "rm -rf ." })).text, /guard refuses/)
    }))

  it.scopedLive("asks through its client, once or for good", () =>
    Effect.gen(function*() {
      const folder = yield* place
      const asked: Array<string> = []
      const answers = ["deny", "once", "", "always"]
      const { client } = yield* connected(folder, { elicit: (message) => {
        asked.push(message)
        return answers.shift() ?? "deny"
      } })
      const echo = (word: string) => call(client, "bash", { command: `echo ${word}` })
      assert.isTrue((yield* echo("a")).isError)
      assert.strictEqual((yield* echo("b")).text, "exit code: 0\nstdout:\nb")
      assert.isTrue((yield* echo("c")).isError)
      assert.isFalse((yield* echo("d")).isError)
      assert.isFalse((yield* echo("e")).isError)
      assert.strictEqual(asked.length, 4)
      assert.match(asked[0] ?? "", /bash wants to run:\necho a/)
    }))

  it.scopedLive("works in its client's root, and sends what a command prints as progress", () =>
    Effect.gen(function*() {
      const folder = yield* place
      const root = yield* place
      writeFileSync(join(root, "here.txt"), "in the root\n")
      const { client } = yield* connected(folder, { root, args: ["--yolo"] })
      assert.strictEqual((yield* call(client, "read_file", { path: "here.txt" })).text, "1: in the root")
      const seen: Array<string> = []
      yield* call(client, "bash", { command: "echo first; sleep 0.3; echo second" }, { onprogress: ({ message }) => void seen.push(message ?? "") })
      assert.include(seen.join(""), "first")
    }))

  it.scopedLive("kills what a cancelled call started", () =>
    Effect.gen(function*() {
      const folder = yield* place
      const { client } = yield* connected(folder, { args: ["--yolo"] })
      const seconds = `6${process.pid % 1000}.25`
      const stop = new AbortController()
      const ended = Effect.promise(() => client.callTool({ name: "bash", arguments: { command: `sleep ${seconds}` } }, undefined, { signal: stop.signal }).then(() => "done", () => "cancelled"))
      const fiber = yield* Effect.fork(ended)
      while (running(`sleep ${seconds}`) === 0) yield* Effect.sleep("50 millis")
      stop.abort()
      assert.strictEqual(yield* fiber.await.pipe(Effect.map((exit) => exit._tag === "Success" ? exit.value : "died")), "cancelled")
      while (running(`sleep ${seconds}`) > 0) yield* Effect.sleep("50 millis")
      assert.strictEqual((yield* call(client, "bash", { command: "echo still here" })).text, "exit code: 0\nstdout:\nstill here")
    }))

  it.scopedLive("ends when its client is gone, and what it ran with it", () =>
    Effect.gen(function*() {
      const folder = yield* place
      const { client, pid } = yield* connected(folder, { args: ["--yolo"] })
      const seconds = `7${process.pid % 1000}.25`
      const gone = Effect.promise(() => client.callTool({ name: "bash", arguments: { command: `sleep ${seconds}` } }).then(() => "done", () => "closed"))
      yield* Effect.fork(gone)
      while (running(`sleep ${seconds}`) === 0) yield* Effect.sleep("50 millis")
      yield* Effect.promise(() => client.close())
      while (running(`sleep ${seconds}`) > 0) yield* Effect.sleep("50 millis")
      assert.isNotNull(pid)
    }))
})
