import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { ConfigMemory } from "../../../src/services/Config.js"
import type { ConfigValues } from "../../../src/services/config/schema.js"
import { HostMemory } from "../../../src/services/Host.js"
import { Jail, makeJail } from "../../../src/services/Jail.js"
import { McpClient } from "../../../src/services/McpClient.js"
import type { McpTool } from "../../../src/services/McpClient.js"
import { McpClientLive } from "../../../src/services/mcpClient/live.js"

type Servers = NonNullable<ConfigValues["mcpServers"]>

const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "shiro-mcp-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const odd = (manner: string, ...more: ReadonlyArray<string>) =>
  ({ command: process.execPath, args: [resolve("test/support/mcpServer.mjs"), manner, ...more] })
const given = (mcpServers: Servers, root = "/tmp") =>
  Effect.provide(McpClientLive.pipe(Layer.provide(Layer.mergeAll(
    ConfigMemory({ mcpServers }),
    HostMemory({ env: process.env }),
    Layer.succeed(Jail, makeJail(root))
  ))))
const tools = Effect.flatMap(McpClient, (client) => client.tools)
const named = (name: string) =>
  Effect.flatMap(tools, (all): Effect.Effect<McpTool> => {
    const tool = all.find((each) => each.tool === name)
    return tool === undefined ? Effect.die(new Error(`no ${name} among ${all.map((each) => each.tool).join(", ")}`)) : Effect.succeed(tool)
  })
const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js")

describe("A server of other people's tools", () => {
  it.live("of the file system offers its tools, runs them, and tells its failures in its own words", () =>
    Effect.scoped(Effect.gen(function*() {
      const root = yield* folder
      writeFileSync(join(root, "a.txt"), "from the server\n")
      yield* Effect.gen(function*() {
        const read = yield* named("read_text_file")
        assert.strictEqual(read.name, "mcp__fs__read_text_file")
        assert.include(yield* read.call({ path: join(root, "a.txt") }), "from the server")
        assert.match((yield* Effect.flip(read.call({ path: "/etc/passwd" }))).message, /denied/i)
      }).pipe(given({ fs: { command: process.execPath, args: [resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), root] } }, root))
    })))

  for (const [manner, transport] of [["streamable HTTP", "streamableHttp"], ["SSE", "sse"]] as const) {
    it.live(`is reached over ${manner}`, () =>
      Effect.scoped(Effect.gen(function*() {
        const port = yield* Effect.promise(() => new Promise<number>((done) => {
          const probe = createServer().listen(0, "127.0.0.1", () => {
            const address = probe.address()
            probe.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
          })
        }))
        yield* Effect.acquireRelease(
          Effect.promise(() => new Promise<ReturnType<typeof spawn>>((done) => {
            const child = spawn(process.execPath, [everything, transport], { env: { ...process.env, PORT: String(port) }, stdio: ["ignore", "pipe", "pipe"] })
            const ready = (part: Buffer) => part.toString("utf8").includes(String(port)) && done(child)
            child.stdout.on("data", ready)
            child.stderr.on("data", ready)
          })),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        yield* Effect.gen(function*() {
          assert.include(yield* (yield* named("echo")).call({ message: "over the wire" }), "over the wire")
        }).pipe(given({ all: { url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`, type: transport === "sse" ? "sse" : "http" } }))
      })))
  }

  it.live("shows pictures and links as notes", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* (yield* named("work")).call({}), "here\n[image image/png, 3 KB: not shown]\n[resource log: file:///x]")
    }).pipe(given({ pictures: odd("pictures") })))

  it.live("has names that providers take, each its own, and its schema unharmed", () =>
    Effect.gen(function*() {
      const all = yield* tools
      assert.strictEqual(new Set(all.map(({ name }) => name)).size, 5)
      for (const { name } of all) assert.match(name, /^[\w-]{1,64}$/)
      assert.deepStrictEqual(all.find(({ tool }) => tool === "shape")?.inputSchema, {
        type: "object",
        $defs: { point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
        properties: { at: { $ref: "#/$defs/point" }, either: { oneOf: [{ type: "string" }, { type: "null" }] } },
        required: ["at"],
        additionalProperties: false
      })
      assert.include(yield* (yield* named("say hello!")).call({ text: "hi" }), "say hello!: {\"text\":\"hi\"}")
    }).pipe(given({ "my server": odd("odd") })))

  it.live("cannot fill the context with what it says of a tool", () =>
    Effect.gen(function*() {
      const { description } = yield* named("helpful")
      assert.isBelow(description.length, 2_010)
    }).pipe(given({ orders: odd("orders") })))

  it.live("that changes its list offers the new one", () =>
    Effect.gen(function*() {
      yield* (yield* named("first")).call({})
      const both = yield* tools.pipe(
        Effect.filterOrFail((all) => all.length === 2, () => "not yet"),
        Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(100)))
      )
      assert.deepStrictEqual(both.map(({ tool }) => tool), ["first", "second"])
    }).pipe(given({ growing: odd("growing") })))

  it.live("that dies in a call is told of and started once more, not twice", () =>
    Effect.scoped(Effect.gen(function*() {
      const log = join(yield* folder, "log")
      const started = () => readFileSync(log, "utf8").split("\n").length - 1
      yield* Effect.gen(function*() {
        const call = Effect.flip((yield* named("work")).call({}))
        assert.match((yield* call).message, /^The MCP server dies did not answer work: .*Whether the call took effect is unknown/)
        const { servers } = yield* McpClient
        const until = (state: string) =>
          servers.pipe(
            Effect.filterOrFail(([server]) => server?.state === state, () => "not yet"),
            Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(200)))
          )
        yield* until("ready")
        assert.strictEqual(started(), 2)
        yield* call
        yield* until("failed")
        assert.strictEqual(started(), 2)
        assert.deepStrictEqual(yield* tools, [])
      }).pipe(given({ dies: odd("dies", log) }))
    })))

  it.live("that cannot start is reported with its last words; the others go on", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* tools).map(({ name }) => name), ["mcp__good__work"])
      const all = yield* (yield* McpClient).servers
      assert.match(all.find(({ name }) => name === "bad")?.why ?? "", /no licence found/)
      assert.match(all.find(({ name }) => name === "absent")?.why ?? "", /ENOENT/)
    }).pipe(given({ bad: odd("dies at start"), absent: { command: "/no/such/program" }, good: odd("plain") })))

  it.live("that sends fifty megabytes is cut off, not waited for", () =>
    Effect.gen(function*() {
      const before = process.memoryUsage().rss
      assert.match((yield* Effect.flip((yield* named("work")).call({}))).message, /did not answer work/)
      assert.isBelow(process.memoryUsage().rss - before, 200e6)
    }).pipe(given({ floods: odd("floods") })))

  it.live("that never answers is left when the call is interrupted", () =>
    Effect.gen(function*() {
      const call = yield* Effect.timeoutOption((yield* named("work")).call({}), "300 millis")
      assert.strictEqual(call._tag, "None")
    }).pipe(given({ hangs: odd("hangs") })))
})
