import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const command = resolve("dist/cli/main.js")
const place = Effect.acquireRelease(
  Effect.sync(() => {
    const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-mcp-turn-")))
    const [root, home] = [join(parent, "ws"), join(parent, "home")]
    mkdirSync(root)
    mkdirSync(home)
    return { parent, root, home }
  }),
  ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
)
type Place = Effect.Effect.Success<typeof place>

const odd = (manner: string, ...more: ReadonlyArray<string>) =>
  ({ command: process.execPath, args: [resolve("test/support/mcpServer.mjs"), manner, ...more] })

interface Event {
  readonly type: string
  readonly name?: string
  readonly output?: string
  readonly message?: string
  readonly reason?: string
}
/** A headless turn of the built command by the scripted provider; its events. */
const turn = ({ home, parent, root }: Place, steps: unknown, ...args: ReadonlyArray<string>) =>
  Effect.async<ReadonlyArray<Event>>((resume) => {
    const script = join(parent, "script.json")
    writeFileSync(script, JSON.stringify(steps))
    execFile(process.execPath, [command, "-p", "--json", "--provider", "script", ...args, "go"], {
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "", HOME: parent, SHIRO_HOME: home, SHIRO_SCRIPT: script }
    }, (_error, stdout) => {
      const read = (line: string): Event => JSON.parse(line)
      resume(Effect.succeed(stdout.split("\n").filter((line) => line !== "").map(read)))
    }).stdin?.end()
  })
const configure = ({ home }: Place, values: unknown) => writeFileSync(join(home, "config.json"), JSON.stringify(values))
const ofType = (events: ReadonlyArray<Event>, type: string) => events.filter((event) => event.type === type)
const calling = (name: string, input: unknown) => ({ tools: [{ name, input }] })

describe("A turn with MCP servers", () => {
  it.scopedLive("offers their tools, asks, runs what a rule allows, and hides secrets in what they give", () =>
    Effect.gen(function*() {
      const at = yield* place
      writeFileSync(join(at.root, "a.txt"), "words hunter2hunter2\n")
      writeFileSync(join(at.root, ".env"), "TOKEN=hunter2hunter2\n")
      const servers = {
        fs: { command: process.execPath, args: [resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), at.root] },
        all: { command: process.execPath, args: [resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"] }
      }
      const steps = [
        calling("mcp__fs__read_text_file", { path: join(at.root, "a.txt") }),
        calling("mcp__all__echo", { message: "hello there" }),
        { text: "done" }
      ]
      configure(at, { mcpServers: servers })
      const asked = yield* turn(at, steps)
      assert.deepStrictEqual(ofType(asked, "tool-denied").map(({ name }) => name), ["mcp__fs__read_text_file", "mcp__all__echo"])
      configure(at, { mcpServers: servers, permission: { "mcp__*": "allow" } })
      const ran = ofType(yield* turn(at, steps), "tool-result")
      assert.deepStrictEqual(ran.map(({ name }) => name), ["mcp__fs__read_text_file", "mcp__all__echo"])
      assert.include(ran[0]?.output ?? "", "words [secret hidden]")
      assert.include(ran[1]?.output ?? "", "hello there")
    }))

  it.scopedLive("ends well though one never starts, one dies in a call, one floods and one gives orders", () =>
    Effect.gen(function*() {
      const at = yield* place
      configure(at, {
        permission: { "mcp__*": "allow" },
        mcpServers: { mute: odd("dies at start"), dies: odd("dies"), floods: odd("floods"), orders: odd("orders") }
      })
      const events = yield* turn(at, [calling("mcp__dies__work", {}), calling("mcp__floods__work", {}), calling("mcp__orders__helpful", { text: "x" }), { text: "done" }])
      assert.deepStrictEqual(ofType(events, "tool-error").map(({ name }) => name), ["mcp__dies__work", "mcp__floods__work"])
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output), ["helpful: {\"text\":\"x\"}"])
      assert.strictEqual(ofType(events, "done").length, 1)
      assert.isFalse(existsSync(join(at.root, "owned")))
    }))

  it.scopedLive("withholds them from agents that only read, and loads many on demand", () =>
    Effect.gen(function*() {
      const at = yield* place
      configure(at, { permission: { "mcp__*": "allow" }, mcpServers: { plain: odd("plain"), many: odd("many") } })
      const planned = yield* turn(at, [calling("mcp__plain__work", {}), { text: "done" }], "--agent", "plan")
      assert.strictEqual(ofType(planned, "tool-result").length, 0)
      const loaded = yield* turn(at, [calling("load_tools", { names: ["mcp__many__tool_7"] }), calling("mcp__many__tool_7", { text: "x" }), { text: "done" }])
      assert.deepStrictEqual(ofType(loaded, "tool-result").map(({ name }) => name), ["load_tools", "mcp__many__tool_7"])
    }))

  it.scopedLive("starts none that only the project names, until the folder is trusted", () =>
    Effect.gen(function*() {
      const at = yield* place
      const log = join(at.parent, "log")
      mkdirSync(join(at.root, ".shiro"))
      writeFileSync(join(at.root, ".shiro", "config.json"), JSON.stringify({ mcpServers: { theirs: odd("plain", log) } }))
      yield* turn(at, [{ text: "done" }])
      assert.isFalse(existsSync(log))
      yield* Effect.async<void>((resume) => {
        execFile(process.execPath, [command, "config", "trust"], { cwd: at.root, env: { PATH: process.env["PATH"] ?? "", HOME: at.parent, SHIRO_HOME: at.home } }, () => resume(Effect.void))
      })
      yield* turn(at, [{ text: "done" }])
      assert.strictEqual(readFileSync(log, "utf8"), "started\n")
    }))
})
