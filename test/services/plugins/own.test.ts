import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as fs from "node:fs"
import { toolboxOver } from "../../../src/layers/whole.js"
import type { ConfigValues } from "../../../src/services/config/schema.js"
import { HostMemory } from "../../../src/services/Host.js"
import { Agent } from "../../../src/services/Agent.js"
import type { AgentEvent } from "../../../src/services/Agent.js"
import { ModelScripted } from "../../../src/services/model/live.js"
import type { Plugin } from "../../../src/services/Plugins.js"
import { Plugins } from "../../../src/services/Plugins.js"
import { Toolbox } from "../../../src/services/Toolbox.js"
import * as Shiro from "../../../src/shiro.js"
import * as Tools from "../../../src/toolkit.js"
import { simple } from "../../support/agent.js"
import { temporaryFolder } from "../files/support.js"

interface Setting {
  readonly files?: Readonly<Record<string, string>>
  readonly plugins?: ReadonlyArray<Plugin>
  readonly config?: ConfigValues
}
const place = ({ files = {} }: Setting) =>
  Effect.map(temporaryFolder, (parent) => {
    fs.mkdirSync(`${parent}/ws`)
    fs.mkdirSync(`${parent}/home/plugins`, { recursive: true })
    fs.writeFileSync(`${parent}/ws/a.txt`, "one\n")
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(`${parent}/home/plugins/${name}`, text)
    return parent
  })
const optionsOf = (parent: string, { config = {}, plugins = [] }: Setting) => ({
  root: `${parent}/ws`,
  host: HostMemory({ env: { PATH: process.env["PATH"], SHIRO_HOME: `${parent}/home` }, homeFolder: parent, cwd: `${parent}/ws` }),
  yolo: true,
  mcp: false,
  config,
  plugins
})
const given = <A, E>(setting: Setting, run: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof toolboxOver>>>) =>
  Effect.flatMap(place(setting), (parent) => Effect.provide(run, toolboxOver(optionsOf(parent, setting))))
const said = (name: string, input: unknown) => Effect.map(Effect.either(Shiro.tool(name, input)), (either) => either._tag === "Left" ? either.left.message : either.right)
const names = Effect.map(Plugins, ({ all }) => all.map(({ name }) => name))

describe("plugins that come with shiro", () => {
  it.scopedLive("are guard and time; bell is opt-in, and each can be switched off", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* given({}, names), ["guard", "time"])
      assert.deepStrictEqual(yield* given({ config: { plugins: { bell: true, time: false } } }, names), ["guard", "bell"])
      const problems = yield* given({ config: { plugins: { gaurd: false } } }, Effect.map(Plugins, (plugins) => plugins.problems))
      assert.deepStrictEqual(problems, ["The configuration names a plugin gaurd, which does not exist. Plugins: guard, time, bell"])
    }))

  it.scopedLive("give the model the time", () =>
    Effect.gen(function*() {
      assert.match(yield* given({}, said("current_time", {})), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)\S* \((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\)$/)
      assert.include(yield* given({ config: { plugins: { time: false } } }, said("current_time", {})), "Unknown tool")
    }))
})

describe("plugin files", () => {
  const rules = JSON.stringify({
    name: "house",
    refuse: [
      { tool: "bash", pattern: "npm publish*", reason: "releases are made by CI." },
      { tool: "*_file", pattern: "db/*", reason: "the schema is generated." }
    ]
  })
  it.scopedLive("refuse by tool and pattern, also what is hidden in a line or spelled otherwise", () =>
    given({ files: { "house.json": rules } }, Effect.gen(function*() {
      const refusal = "The plugin house refuses this call of bash: releases are made by CI."
      for (const command of ["npm publish", "cd . && npm  'publish' --tag x", "bash -c 'npm publish'", "env X=1 npm publish"]) {
        assert.include(yield* said("bash", { command }), refusal)
      }
      assert.include(yield* said("write_file", { path: "./x/../db/schema.sql", content: "" }), "the schema is generated.")
      assert.include(yield* said("bash", { command: "echo npm" }), "exit code: 0")
    })))

  it.scopedLive("that are bad are named, and the others hold", () =>
    given({
      files: { "a.json": "{", "b.json": JSON.stringify({ refuse: [{ tool: "bash", patern: "x" }] }), "c.json": rules, "d.json": JSON.stringify({ name: "guard", refuse: [] }), "notes.txt": "no plugin" }
    }, Effect.gen(function*() {
      const { all, problems } = yield* Plugins
      assert.deepStrictEqual(all.map(({ name }) => name), ["guard", "time", "house"])
      assert.strictEqual(problems.length, 3)
      assert.match(problems[0] ?? "", /plugins\/a\.json is no plugin and was left out: /)
      assert.match(problems[1] ?? "", /plugins\/b\.json is no plugin.*refuse\.0\.pattern: is missing/)
      assert.strictEqual(problems[2], "There is a plugin called guard already, so the second one was left out. Give it another name.")
      assert.include(yield* said("bash", { command: "rm -rf /" }), "The guard refuses")
    })))
})

describe("an embedder's plugins", () => {
  const seen: Array<string> = []
  const plugins: ReadonlyArray<Plugin> = [
    { name: "throws", description: "", beforeToolCall: ({ tool }) => { if (tool === "read_file") throw new Error("oops"); return Effect.succeed(null) }, afterTurn: () => { throw new Error("afterwards") } },
    { name: "fails", description: "", afterTurn: () => Effect.fail(new Error("no network")) },
    {
      name: "counts",
      description: "",
      tools: Effect.map(Effect.all([Tools.offer(simple("shout", "executes", (text) => Effect.succeed(text.toUpperCase()))), Tools.offer(simple("bash", "reads", () => Effect.succeed("not bash")))]), (all) => all),
      autoApprove: ["shout"],
      afterTurn: ({ prompt, steps, stop }) => Effect.sync(() => void seen.push(`${prompt} ${stop} ${steps}`)),
      appendix: "The house speaks in capitals."
    }
  ]
  it.scopedLive("bring tools, approve, block by breaking down, add to the prompt and are told of the turn", () =>
    Effect.gen(function*() {
      const parent = yield* place({})
      const script = [
        { tools: [{ name: "shout", input: { text: "hello" } }, { name: "read_file", input: { path: "a.txt" } }] },
        { text: "done" }
      ]
      const layer = Shiro.layer({ ...optionsOf(parent, { plugins }), yolo: false, model: ModelScripted(script) })
      const events = yield* Effect.gen(function*() {
        const tools = (yield* (yield* Toolbox).all).filter(({ name }) => name === "bash")
        assert.deepStrictEqual(tools.map(({ touches }) => touches), ["executes"])
        return yield* Stream.runCollect((yield* Agent).turn("go"))
      }).pipe(Effect.provide(layer))
      const told: ReadonlyArray<AgentEvent> = [...events]
      const output = told.flatMap((event) => event.type === "tool-result" ? [event.output] : [])
      assert.deepStrictEqual(output, ["HELLO"])
      assert.deepStrictEqual(told.flatMap((event) => event.type === "tool-denied" ? [event.reason] : []), [
        "The plugin throws broke down while it looked at this call, so the call is blocked. Nothing was run."
      ])
      assert.deepStrictEqual(told.flatMap((event) => event.type === "notice" ? [event.message] : []), [
        "The plugin throws broke down after the turn: afterwards", "The plugin fails broke down after the turn: no network"
      ])
      assert.deepStrictEqual([seen, told.at(-1)?.type], [["go end 2"], "done"])
    }))
})
