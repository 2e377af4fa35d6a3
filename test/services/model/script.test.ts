import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigMemory } from "../../../src/services/Config.js"
import { HostMemory } from "../../../src/services/Host.js"
import { ModelLive } from "../../../src/services/model/live.js"
import { ModelRecorded } from "../../../src/services/model/record.js"
import { parseScript } from "../../../src/services/model/script.js"
import { task } from "../../../src/tools/agent/task.js"
import { offer } from "../../../src/tools/pipeline.js"
import { agentLayer, chatty, ofType, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import { configFor, modelAt, wires } from "../../support/wires.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-script-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)
const scripted = (file: string) => ModelLive.pipe(Layer.provide(Layer.merge(ConfigMemory({ provider: "script" }), HostMemory({ env: { SHIRO_SCRIPT: file } }))))
const offered = Effect.map(offer(task), (tool) => [tool])

describe("a script", () => {
  it.effect.each([
    ["{", /^The script s\.json cannot be used: /],
    ["[{\"txt\": \"a\"}]", /^The script s\.json cannot be used: .*txt/],
    ["[{\"tools\": [{\"input\": {}}]}]", /^The script s\.json cannot be used: .*name/]
  ] as const)("that is none is refused in words: %s", ([text, expected]) =>
    Effect.gen(function*() {
      assert.match((yield* Effect.flip(parseScript("s.json", text))).message, expected)
    }))

  it.scopedLive("is read from the file that the environment names, relative to the current folder", () =>
    Effect.gen(function*() {
      const there = yield* folder
      writeFileSync(join(there, "run.json"), JSON.stringify([{ text: "from a file" }]))
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: scripted(join(there, "run.json")) })))
      assert.strictEqual(ofType(events, "text").map(({ text }) => text).join(""), "from a file")
      const missing = yield* turn("go").pipe(Effect.provide(agentLayer({ model: scripted("/nowhere.json") })))
      assert.strictEqual(ofType(missing.events, "error")[0]?.message, "The script /nowhere.json cannot be used: it cannot be read.")
    }))

  it.scopedLive("streams its words at the pace that is asked for", () =>
    Effect.gen(function*() {
      const there = yield* folder
      writeFileSync(join(there, "run.json"), JSON.stringify([{ text: "one two three four", pace: 40 }]))
      const begun = performance.now()
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: scripted(join(there, "run.json")) })))
      assert.isAtLeast(performance.now() - begun, 150)
      assert.strictEqual(ofType(events, "text").map(({ text }) => text).join(""), "one two three four")
    }))

  it.scopedLive.each(wires)("recorded from a run over %s replays it, sub-agents included", (wire) =>
    Effect.gen(function*() {
      const there = yield* folder
      const file = join(there, "made", "run.json")
      const serving = yield* modelServer(({ text }, number) =>
        text.includes("for another agent")
          ? { text: "the report" }
          : number === 0
          ? { reasoning: "first", text: "Off we go.", tools: [{ name: "run", input: { text: "it" } }, { name: "task", input: { description: "find", prompt: "look" } }] }
          : { text: "Done." })
      const config = configFor(serving, wire)
      const live = yield* turn("go").pipe(Effect.provide(agentLayer({
        model: ModelRecorded(file).pipe(Layer.provide(modelAt(serving, wire))), config, tools: [chatty("run")], offered
      })))
      const script: unknown = JSON.parse(readFileSync(file, "utf8"))
      assert.hasAllKeys(script, ["steps", "agents"])
      const replayed = yield* turn("go").pipe(Effect.provide(agentLayer({ model: scripted(file), tools: [chatty("run")], offered })))
      const heard = (events: typeof live.events) => ({
        text: ofType(events, "text").map(({ text }) => text).join(""),
        reasoning: ofType(events, "reasoning").map(({ text }) => text).join(""),
        calls: ofType(events, "tool-call").map(({ id, input, name }) => ({ id, name, input })),
        results: ofType(events, "tool-result").map(({ output }) => output).toSorted(),
        tokens: ofType(events, "done").map(({ inputTokens, outputTokens, steps }) => ({ inputTokens, outputTokens, steps }))
      })
      assert.deepStrictEqual(heard(replayed.events), heard(live.events))
      assert.strictEqual(heard(live.events).text, "Off we go.Done.")
    }))

  it.scopedLive("that cannot be written is told once, and the run goes on", () =>
    Effect.gen(function*() {
      const there = yield* folder
      writeFileSync(join(there, "file"), "")
      writeFileSync(join(there, "run.json"), JSON.stringify([{ tools: [{ name: "run", input: { text: "x" } }] }, { text: "end" }]))
      const model = ModelRecorded(join(there, "file", "run.json")).pipe(Layer.provide(scripted(join(there, "run.json"))))
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model, tools: [chatty("run")] })))
      assert.strictEqual(ofType(events, "notice").length, 1)
      assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    }))
})
