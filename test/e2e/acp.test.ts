import { client, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk"
import type { McpServer, RequestPermissionRequest, SessionUpdate } from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Readable, Writable } from "node:stream"
import { lives } from "../services/shell/workspace.js"

const command = resolve("dist/cli/main.js")

const workspace = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "shiro-acp-")))
    mkdirSync(join(folder, "ws"))
    writeFileSync(join(folder, "ws", "a.txt"), "one\ntwo\nthree\n")
    return folder
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)
/** an option, null to dismiss, undefined to leave the question open */
type Pick = (request: RequestPermissionRequest) => string | null | undefined

const streamOf = (stdin: Writable, stdout: Readable) =>
  ndJsonStream(
    new WritableStream<Uint8Array>({ write: (chunk) => new Promise((done) => void stdin.write(chunk, () => done())) }),
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        stdout.on("data", (chunk: Buffer) => controller.enqueue(chunk))
        stdout.once("end", () => controller.close())
      }
    })
  )

/** An editor on the built command, with the scripted provider. */
const editor = Effect.fnUntraced(function*(folder: string, script: unknown, pick: Pick = () => "once") {
  writeFileSync(join(folder, "script.json"), JSON.stringify(script))
  const child = spawn(process.execPath, [command, "acp", "--provider", "script"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, SHIRO_HOME: join(folder, "shiro"), SHIRO_SCRIPT: join(folder, "script.json") },
    stdio: ["pipe", "pipe", "inherit"]
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
  const strays: Array<string> = []
  let rest = ""
  child.stdout.on("data", (chunk) => {
    const lines = `${rest}${String(chunk)}`.split("\n")
    rest = lines.pop() ?? ""
    strays.push(...lines.filter((line) => !line.startsWith("{\"jsonrpc\":\"2.0\"")))
  })
  const updates: Array<SessionUpdate> = []
  const asked: Array<RequestPermissionRequest> = []
  const app = client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      const optionId = pick(params)
      if (optionId === undefined) return new Promise(() => {})
      return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } }
    })
  const { agent } = app.connect(streamOf(child.stdin, child.stdout))
  const hello = yield* Effect.promise(() => agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} }))
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)))
  return { agent, asked, child, ended: Effect.promise(() => ended), hello, strays, updates }
})
type Editor = Effect.Effect.Success<ReturnType<typeof editor>>

const opened = ({ agent }: Editor, folder: string, mcpServers: Array<McpServer> = []) =>
  Effect.promise(() => agent.request(methods.agent.session.new, { cwd: join(folder, "ws"), mcpServers }))
const prompted = ({ agent }: Editor, sessionId: string, text: string) =>
  Effect.promise(() => agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }))
const refused = (request: () => Promise<unknown>) =>
  Effect.promise(() => request().then(() => null, (error: unknown) => error instanceof RequestError ? { code: error.code, message: error.message } : null))

const textOf = (updates: ReadonlyArray<SessionUpdate>, kind: SessionUpdate["sessionUpdate"]) =>
  updates.map((update) => update.sessionUpdate === kind && "content" in update && update.content !== null && typeof update.content === "object" && "text" in update.content
    ? update.content.text : "").join("")
const pidIn = (file: string) => {
  const read = Effect.sync(() => existsSync(file) ? Number(readFileSync(file, "utf8")) : 0)
  return Effect.repeat(read, { until: (pid) => pid > 0, schedule: Schedule.spaced("20 millis") }).pipe(Effect.zipRight(read))
}

const edit = { name: "edit_file", input: { path: "a.txt", oldString: "two", newString: "2" } }

describe("shiro acp", () => {
  it.scopedLive("runs a turn: reasoning, plan, a permission with its diff, the file, the answer; and tells it again when the session is loaded", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const script = [
        { reasoning: "Let me see.", tools: [{ name: "todo_write", input: { todos: [{ content: "change two", status: "in_progress" }] } }] },
        { tools: [edit] },
        { text: "Changed." }
      ]
      const first = yield* editor(folder, script)
      assert.isTrue(first.hello.agentCapabilities?.loadSession)
      const { modes, sessionId } = yield* opened(first, folder)
      assert.deepStrictEqual(modes?.availableModes.map(({ id }) => id), ["default", "quick", "deep", "plan", "review"])
      assert.deepStrictEqual(yield* prompted(first, sessionId, "change it"), { stopReason: "end_turn" })

      assert.strictEqual(textOf(first.updates, "agent_thought_chunk"), "Let me see.")
      assert.strictEqual(textOf(first.updates, "agent_message_chunk"), "Changed.")
      assert.deepStrictEqual(first.updates.flatMap((update) => update.sessionUpdate === "plan" ? [update.entries] : []), [
        [{ content: "change two", status: "in_progress", priority: "medium" }]
      ])
      const [question] = first.asked
      assert.deepStrictEqual(question?.options.map(({ kind }) => kind), ["allow_once", "allow_always", "reject_once"])
      const path = join(folder, "ws", "a.txt")
      assert.deepInclude(question?.toolCall, { title: "edit_file a.txt", kind: "edit", locations: [{ path }] })
      assert.deepStrictEqual(question?.toolCall.content?.[0], { type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" })
      const ends = first.updates.filter((update) => update.sessionUpdate === "tool_call_update" && update.toolCallId === question?.toolCall.toolCallId && update.status === "completed")
      assert.deepInclude(ends[0], { content: [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }] })
      assert.strictEqual(readFileSync(path, "utf8"), "one\n2\nthree\n")
      first.child.stdin.end()
      assert.strictEqual(yield* first.ended, 0)
      assert.deepStrictEqual(first.strays, [])

      const second = yield* editor(folder, [{ text: "Go on." }])
      yield* Effect.promise(() => second.agent.request(methods.agent.session.load, { sessionId, cwd: join(folder, "ws"), mcpServers: [] }))
      assert.strictEqual(textOf(second.updates, "user_message_chunk"), "change it")
      assert.strictEqual(textOf(second.updates, "agent_message_chunk"), "Changed.")
      assert.deepStrictEqual(second.updates.flatMap((update) => update.sessionUpdate === "tool_call" ? [update.title] : []), ["todo_write", "edit_file a.txt"])
      assert.deepStrictEqual(yield* prompted(second, sessionId, "and now"), { stopReason: "end_turn" })
      assert.strictEqual(textOf(second.updates, "agent_message_chunk"), "Changed.Go on.")
    }))

  it.scopedLive("asks once for what is always allowed, and runs nothing that is rejected or dismissed", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const write = (path: string) => ({ tools: [{ name: "bash", input: { command: `echo hi > ${path}` } }] })
      const answers = ["no", null, "once"]
      const session = yield* editor(folder, [write("b"), write("c"), write("d"), { text: "done" }], () => answers.shift() ?? null)
      const { sessionId } = yield* opened(session, folder)
      yield* prompted(session, sessionId, "go")
      assert.deepStrictEqual(["b", "c", "d"].map((name) => existsSync(join(folder, "ws", name))), [false, false, true])
      assert.deepStrictEqual(session.updates.flatMap((update) => update.sessionUpdate === "tool_call_update" && (update.status === "failed" || update.status === "completed") ? [update.status] : []),
        ["failed", "failed", "completed"])
    }))

  it.scopedLive("cancels in the middle of a command and leaves no child", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const session = yield* editor(folder, [{ tools: [{ name: "bash", input: { command: "echo $$ > pid; sleep 300" } }] }, { text: "still here" }])
      const { sessionId } = yield* opened(session, folder)
      const turn = yield* Effect.fork(prompted(session, sessionId, "wait"))
      const pid = yield* pidIn(join(folder, "ws", "pid"))
      const second = yield* refused(() => session.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "me too" }] }))
      assert.strictEqual(second?.code, -32600)
      yield* Effect.promise(() => session.agent.notify(methods.agent.session.cancel, { sessionId }))
      assert.deepStrictEqual(yield* turn, { stopReason: "cancelled" })
      assert.isFalse(lives(pid))
      assert.deepStrictEqual(yield* prompted(session, sessionId, "go on"), { stopReason: "end_turn" })
      assert.strictEqual(textOf(session.updates, "agent_message_chunk"), "still here")
    }))

  it.scopedLive("goes on after a cancel that comes at once, and after one while it asks", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const session = yield* editor(folder, Array.from({ length: 4 }, () => ({ tools: [{ name: "bash", input: { command: "echo hi >> log" } }] })),
        () => undefined)
      const { sessionId } = yield* opened(session, folder)
      const cancel = Effect.promise(() => session.agent.notify(methods.agent.session.cancel, { sessionId }))
      for (const first of [true, false]) {
        const turn = yield* Effect.fork(prompted(session, sessionId, "go"))
        if (!first) yield* Effect.repeat(Effect.sync(() => session.asked.length), { until: (count) => count > 0, schedule: Schedule.spaced("20 millis") })
        else yield* Effect.yieldNow()
        yield* cancel
        assert.deepStrictEqual(yield* turn, { stopReason: "cancelled" })
      }
      assert.lengthOf(session.asked, 1)
      assert.isFalse(existsSync(join(folder, "ws", "log")))
    }))

  it.scopedLive("leaves no child when the editor disappears in the middle of a turn", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const session = yield* editor(folder, [{ tools: [{ name: "bash", input: { command: "echo $$ > pid; sleep 300" } }] }])
      const { sessionId } = yield* opened(session, folder)
      yield* Effect.forkScoped(refused(() => session.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "wait" }] })))
      const pid = yield* pidIn(join(folder, "ws", "pid"))
      session.child.stdin.destroy()
      session.child.stdout.destroy()
      yield* session.ended
      assert.isFalse(lives(pid))
    }))

  it.scopedLive("calls tools of a server that the editor hands over, with permission", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const session = yield* editor(folder, [{ tools: [{ name: "mcp__fs__list_directory", input: { path: join(folder, "ws") } }] }, { text: "seen", expect: { lastResultIncludes: "[FILE] a.txt" } }])
      const server = { name: "fs", command: process.execPath, args: [resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), join(folder, "ws")], env: [] }
      const { sessionId } = yield* opened(session, folder, [server])
      assert.deepStrictEqual(yield* prompted(session, sessionId, "look"), { stopReason: "end_turn" })
      assert.deepStrictEqual(session.asked.map(({ toolCall }) => toolCall.kind), ["other"])
      const beginning = sessionId.slice(0, -2)
      yield* Effect.promise(() => session.agent.request(methods.agent.session.close, { sessionId }))
      const part = yield* refused(() => session.agent.request(methods.agent.session.load, { sessionId: beginning, cwd: join(folder, "ws"), mcpServers: [] }))
      assert.strictEqual(part?.code, -32002)
    }))

  it.scopedLive("answers what cannot be with an error that says why", () =>
    Effect.gen(function*() {
      const folder = yield* workspace
      const { agent } = yield* editor(folder, [])
      const create = (cwd: string) => refused(() => agent.request(methods.agent.session.new, { cwd, mcpServers: [] }))
      const missing = join(folder, "missing")
      assert.deepStrictEqual(yield* create(missing), { code: -32602, message: `${missing} cannot be worked in: there is no such folder.` })
      assert.deepStrictEqual(yield* create("ws"), { code: -32602, message: "cwd must be an absolute path, not \"ws\"." })
      const unknown = yield* refused(() => agent.request(methods.agent.session.load, { sessionId: "nope", cwd: join(folder, "ws"), mcpServers: [] }))
      assert.deepStrictEqual(unknown, { code: -32002, message: "There is no saved session \"nope\" of this folder. `shiro sessions` lists them." })
      const closed = yield* refused(() => agent.request(methods.agent.session.prompt, { sessionId: "nope", prompt: [] }))
      assert.deepStrictEqual(closed, { code: -32002, message: "No session \"nope\" is open here. Open it with session/new or session/load." })
    }))
})
