import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { toolboxOver } from "../../../src/layers/whole.js"
import { Call } from "../../../src/services/Call.js"
import { HostMemory } from "../../../src/services/Host.js"
import { Toolbox } from "../../../src/services/Toolbox.js"
import { corpus } from "../../support/corpus.js"
import { plantAt, temporaryFolder } from "../files/support.js"

/** Long enough to be masked wherever it turns up; the short one is not, so that a denial that fails shows. */
const long = "kT9vX2mQ8rLw4ZpB"
const short = "q7zk"
const Way = Schema.Struct({ tool: Schema.String, input: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })

const secret = `API_KEY=${long}\nPIN=${short}\nURL=https://example.org\n`
const key = `-----BEGIN PRIVATE KEY-----\n${long}${long}\nPIN${short}\n-----END PRIVATE KEY-----\n`

const prepare = (ws: string) => {
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", ...args], { cwd: ws, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  plantAt(ws, {
    "README.md": "hello\n", "old.txt": "hello\n", ".env": secret, "config/.env.local": secret, ".env.production": secret, "key.pem": key, "certs/SERVER.PEM": key, "nested/.ENV": secret, ".env.example": "API_KEY=\nPIN=\n",
    "data.env.json": JSON.stringify({ PIN: short, API_KEY: long }), "code.env.ts": `export const secretPin = "${short}"\nexport const key = "${long}"\n`
  })
  git("init", "-q")
  git("add", "-Af", ".")
  git("commit", "-qm", "one")
  git("tag", "v1")
  const blob = git("rev-parse", "HEAD:.env")
  fs.appendFileSync(`${ws}/.env`, `MORE=${short}-two\n`)
  git("commit", "-qam", "two")
  fs.appendFileSync(`${ws}/.env`, `MORE=${short}-three\n`)
  git("stash", "-q")
  fs.appendFileSync(`${ws}/.env`, `MORE=${short}-four\n`)
  fs.appendFileSync(`${ws}/config/.env.local`, `MORE=${short}-five\n`)
  git("add", "config/.env.local")
  plantAt(ws, { "link.txt": { link: ".env" }, "linked": { link: "config" } })
  fs.linkSync(`${ws}/.env`, `${ws}/hard.txt`)
  return blob
}

describe("a secret", () => {
  const ways = corpus("secrets", Way)
  it("has a corpus of at least 80 ways to it", () => {
    assert.isAtLeast(ways.length, 80)
  })

  it.scopedLive("comes out of no tool, whatever rules allow", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      const blob = prepare(`${parent}/ws`)
      const host = HostMemory({ platform: process.platform, env: { PATH: process.env["PATH"], HOME: `${parent}/home`, SHIRO_HOME: `${parent}/shiro`, OPENAI_API_KEY: `${long}-own` }, homeFolder: `${parent}/home`, cwd: `${parent}/ws`, pid: process.pid })
      const toolbox = toolboxOver({ root: `${parent}/ws`, host, yolo: true, mcp: false, config: { permission: { "*": "allow" } } })
      yield* Effect.gen(function*() {
        const tools = yield* (yield* Toolbox).all
        for (const [index, way] of ways.entries()) {
          const input: unknown = JSON.parse(JSON.stringify(way.input).replaceAll("${WS}", `${parent}/ws`).replaceAll("${BLOB}", blob))
          const tool = tools.find(({ name }) => name === way.tool)
          assert.isDefined(tool, way.tool)
          const said = yield* (tool?.run(input) ?? Effect.succeed("")).pipe(
            Effect.match({ onSuccess: (text) => text, onFailure: ({ message }) => message }),
            Effect.provideService(Call, { id: `${index}`, turn: `${index}`, worker: null })
          )
          const tells = `${way.tool} ${JSON.stringify(input)} says: ${said.slice(0, 400)}`
          assert.notInclude(said, long, tells)
          if (way.tool !== "bash" && !JSON.stringify(way.input).includes(short)) assert.notInclude(said, short, tells)
        }
      }).pipe(Effect.provide(Layer.orDie(toolbox)))
    }), 120_000)
})
