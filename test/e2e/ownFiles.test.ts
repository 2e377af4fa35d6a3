import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

/** The built command over what a user keeps in files: what works in the source may not in the bundle. */
const command = resolve("dist/cli/main.js")
const given = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-own-")))
      for (const [path, text] of Object.entries({ "ws/a.txt": "one\n", "home/config.json": "{}", ...files })) {
        mkdirSync(dirname(join(parent, path)), { recursive: true })
        writeFileSync(join(parent, path), text)
      }
      return parent
    }),
    (parent) => Effect.sync(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
  )
const shiro = (parent: string, ...args: ReadonlyArray<string>) =>
  Effect.async<{ readonly stdout: string; readonly stderr: string; readonly code: number | null }>((resume) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: join(parent, "ws"),
      env: { PATH: process.env["PATH"] ?? "", HOME: parent, SHIRO_HOME: join(parent, "home"), SHIRO_SCRIPT: join(parent, "script.json") },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const said = { stdout: "", stderr: "" }
    child.stdout.on("data", (chunk) => { said.stdout += String(chunk) })
    child.stderr.on("data", (chunk) => { said.stderr += String(chunk) })
    child.on("close", (code) => resume(Effect.succeed({ ...said, code })))
    return Effect.sync(() => child.kill())
  })
const script = JSON.stringify([{ text: "done" }])

describe("Skills of one's own", () => {
  const skill = "---\nname: release\ndescription: How a release is made.\n---\n1. Run the checks.\n"

  it.scopedLive("are loaded by the built command, as a file and as a folder", () =>
    Effect.gen(function*() {
      const parent = yield* given({ "home/skills/release.md": skill, "ws/.shiro/skills/other/SKILL.md": skill.replace("release", "other") })
      assert.strictEqual((yield* shiro(parent, "tool", "skill", "{\"name\":\"release\"}")).stdout, "1. Run the checks.\n")
      assert.strictEqual((yield* shiro(parent, "tool", "skill", "{\"name\":\"other\"}")).stdout, "1. Run the checks.\n")
    }))

  it.scopedLive("that are no YAML are named with the line of the file", () =>
    Effect.gen(function*() {
      const parent = yield* given({ "home/skills/release.md": "---\nname: a\ndescription: b: c\n---\n" })
      assert.match((yield* shiro(parent, "doctor")).stdout, /^fix {2}skills .*release\.md is no skill: its front matter is not YAML: .* at line 3, column/m)
    }))
})

describe("A configuration that holds only in part", () => {
  const config = JSON.stringify({ permission: { bash: { "npm *": "alow" } }, toolSets: ["nav", "gti"] })
  const rule = /config\.json: permission\.bash\["npm \*"\] is "alow", which is no decision; the rule is ignored\. Write allow, ask or deny\./
  const set = /config\.json: toolSets names the set "gti", which does not exist; it was ignored\. Sets: edit-plus, git, nav, extra, net/

  it.scopedLive("is named by shiro doctor and on stderr by shiro -p and shiro tool", () =>
    Effect.gen(function*() {
      const parent = yield* given({ "home/config.json": config, "script.json": script })
      const { stdout } = yield* shiro(parent, "doctor")
      assert.match(stdout, rule)
      assert.match(stdout, set)
      const { stderr } = yield* shiro(parent, "-p", "--provider", "script", "go")
      assert.match(stderr, rule)
      assert.match(stderr, set)
      assert.match((yield* shiro(parent, "tool", "read_file", "{\"path\":\"a.txt\"}")).stderr, rule)
    }))
})

describe("A turn that cannot begin", () => {
  it.scopedLive("says why once, and what to do", () =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* shiro(yield* given({}), "-p", "--provider", "nope", "go")
      assert.match(stderr, /^error: Unknown provider "nope"\. Available: openai, [^\n]*\n$/)
      assert.strictEqual(stdout, "")
      assert.strictEqual(code, 2)
    }))
})

describe("shiro config set", () => {
  it.scopedLive("writes nothing that would not hold, and says what would", () =>
    Effect.gen(function*() {
      const parent = yield* given({})
      for (const [key, value, words] of [
        ["provider", "nope", /^Unknown provider "nope"\. Available: openai, .*\. Nothing was set\.$/m],
        ["toolSets", "[\"gti\"]", /^Unknown set "gti"\. Available: edit-plus, git, nav, extra, net\. Nothing was set\.$/m],
        ["permission.bash", "alow", /permission\.bash is "alow", which is no decision\. Write allow, ask or deny\. Nothing was set\.$/m],
        ["maxSteps", "many", /^maxSteps: Expected number\. Nothing was set\./]
      ] as const) {
        const { code, stderr } = yield* shiro(parent, "config", "set", key, value)
        assert.match(stderr, words)
        assert.strictEqual(code, 2)
      }
      assert.strictEqual(readFileSync(join(parent, "home/config.json"), "utf8"), "{}")
    }))

  it.scopedLive("and then shiro config shows the rules of each file, since those of a project only narrow", () =>
    Effect.gen(function*() {
      const parent = yield* given({ "ws/.shiro/config.json": "{\"permission\":{\"bash\":\"deny\"}}" })
      assert.strictEqual((yield* shiro(parent, "config", "set", "permission.glob", "ask")).code, 0)
      const { stdout } = yield* shiro(parent, "config")
      assert.match(stdout, /^permission = \{"glob":"ask"\} {2}\(.*home\/config\.json\)$/m)
      assert.match(stdout, /^permission = \{"bash":"deny"\} {2}\(.*ws\/\.shiro\/config\.json\)$/m)
    }))
})

describe("MCP servers that cannot be used", () => {
  const odd = (manner: string) => ({ command: process.execPath, args: [resolve("test/support/mcpServer.mjs"), manner] })
  const mcpServers = { good: odd("plain"), bad: odd("dies at start"), absent: { command: "no-such-program" }, away: { url: "http://127.0.0.1:1/mcp" } }
  const files = { "home/config.json": JSON.stringify({ mcpServers }), "script.json": script }

  it.scopedLive("are named by shiro doctor, with the reason and where to mend it, beside those that can", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* shiro(yield* given(files), "doctor")
      assert.match(stdout, /^ok {3}mcp +good offers 1 tool$/m)
      assert.match(stdout, /^fix {2}mcp +bad: .*no licence found\n +Mend mcpServers\.bad in the configuration/m)
      assert.match(stdout, /^fix {2}mcp +absent: there is no program no-such-program/m)
      assert.match(stdout, /^fix {2}mcp +away: fetch failed: \S/m)
      assert.strictEqual(code, 1)
    }))

  it.scopedLive("are named on stderr by shiro -p, shiro tools and a call of one of their tools", () =>
    Effect.gen(function*() {
      const parent = yield* given(files)
      const words = /^notice: The MCP server bad could not be used: .*no licence found/m
      const run = yield* shiro(parent, "-p", "--provider", "script", "go")
      assert.match(run.stderr, words)
      assert.strictEqual(run.stdout, "done\n")
      assert.match((yield* shiro(parent, "tools")).stderr, words)
      assert.match((yield* shiro(parent, "tool", "mcp__bad__work", "{}")).stderr, words)
      assert.notMatch((yield* shiro(parent, "-p", "--no-mcp", "--provider", "script", "go")).stderr, /MCP/)
    }))
})
