import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const command = resolve("dist/cli/main.js")
/** A workspace, and a home with a plugin and a skill that are none. */
const place = Effect.acquireRelease(
  Effect.sync(() => {
    const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-troubles-")))
    for (const folder of ["ws", "home/plugins", "home/skills"]) mkdirSync(join(parent, folder), { recursive: true })
    writeFileSync(join(parent, "home/plugins/x.json"), "{ \"refuse\": 1 }")
    writeFileSync(join(parent, "home/skills/y.md"), "no front matter")
    writeFileSync(join(parent, "script.json"), JSON.stringify([{ text: "done" }]))
    return parent
  }),
  (parent) => Effect.sync(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
)
/** What the command prints until it ends; `lines` go in one after each answer, and once both files are named its standard input ends. */
const printed = (parent: string, args: ReadonlyArray<string>, lines: ReadonlyArray<unknown> = []) =>
  Effect.async<{ readonly stdout: string; readonly stderr: string }>((resume) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: join(parent, "ws"),
      env: { PATH: process.env["PATH"] ?? "", HOME: parent, SHIRO_HOME: join(parent, "home"), SHIRO_SCRIPT: join(parent, "script.json") }
    })
    const said = { stdout: "", stderr: "" }
    const waiting = [...lines]
    const next = () => {
      const line = waiting.shift()
      if (line !== undefined) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...Object(line) })}\n`)
    }
    child.stdout.on("data", (chunk: Buffer) => {
      said.stdout += chunk.toString("utf8")
      if (said.stdout.endsWith("\n")) next()
    })
    child.stderr.on("data", (chunk: Buffer) => {
      said.stderr += chunk.toString("utf8")
      if (said.stderr.includes("x.json") && said.stderr.includes("y.md")) child.stdin.end()
    })
    child.on("close", () => resume(Effect.succeed(said)))
    next()
    if (lines.length === 0) child.stdin.end()
    return Effect.sync(() => child.kill())
  })
const names = (text: string) => {
  assert.match(text, /plugins\/x\.json is no plugin and was left out: refuse: /)
  assert.match(text, /skills\/y\.md/)
}

describe("A plugin or a skill that was left out", () => {
  it.scopedLive("is named by shiro doctor, which then fails", () =>
    Effect.flatMap(place, (parent) =>
      Effect.map(printed(parent, ["doctor"]), ({ stdout }) => {
        names(stdout)
        assert.match(stdout, /^fix {2}plugins /m)
        assert.match(stdout, /^fix {2}skills /m)
      })))

  it.scopedLive("is named on stderr by shiro -p", () =>
    Effect.flatMap(place, (parent) => Effect.map(printed(parent, ["-p", "--provider", "script", "go"]), ({ stderr }) => names(stderr))))

  it.scopedLive("is named on stderr by shiro mcp", () =>
    Effect.flatMap(place, (parent) =>
      Effect.map(
        printed(parent, ["mcp"], [
          { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } } },
          { method: "notifications/initialized" }
        ]),
        ({ stderr, stdout }) => {
          names(stderr)
          for (const line of stdout.split("\n").filter((each) => each !== "")) assert.property(JSON.parse(line), "jsonrpc")
        }
      )))

  it.scopedLive("is named on stderr by shiro acp", () =>
    Effect.flatMap(place, (parent) =>
      Effect.map(
        printed(parent, ["acp", "--provider", "script"], [
          { id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
          { id: 2, method: "session/new", params: { cwd: join(parent, "ws"), mcpServers: [] } }
        ]),
        ({ stderr }) => names(stderr)
      )))
})
