import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Answer, ApproverScripted } from "../../../src/services/Approver.js"
import { ModelScripted } from "../../../src/services/model/live.js"
import type { Script } from "../../../src/services/model/scriptSteps.js"
import { task } from "../../../src/tools/agent/task.js"
import { offer } from "../../../src/tools/pipeline.js"
import { agentLayer, asking, ofType, simple, turn } from "../../support/agent.js"
import type { Setting } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import type { Seen } from "../../support/modelServer.js"
import { configFor, modelAt, wires } from "../../support/wires.js"

const offered = Effect.map(offer(task), (tool) => [tool])
const wrote: Array<string> = []
const tools = [
  simple("look", "reads", (text) => Effect.succeed(`saw ${text}`)),
  simple("write", "writes", (text) => Effect.sync(() => {
    wrote.push(text)
    return `wrote ${text}`
  })),
  simple("web_fetch", "network", Effect.succeed),
  simple("ask", "ownState", Effect.succeed)
]
const send = (description: string, prompt: string, kind?: string) => ({ name: "task", input: { description, prompt, ...(kind === undefined ? {} : { kind }) } })

const run = Effect.fnUntraced(function*(script: Script, setting: Omit<Setting, "model"> = {}) {
  wrote.length = 0
  const approver = yield* ApproverScripted([Answer.Once()])
  const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({
    model: ModelScripted(script), tools, offered, approver: approver.layer, permissions: asking({ write: "ask" }), ...setting
  })))
  return { events, questions: yield* approver.asked }
})

const namesIn = (request: Seen | undefined): ReadonlyArray<string> =>
  [...(request?.text ?? "").matchAll(/"name":"(\w+)","(?:description|input_schema|parameters)/g)].flatMap((match) => match[1] ?? [])
const isHelpers = (text: string) => text.includes("for another agent")

describe("sub-agents", () => {
  it.live("work with their own scripts and give back one report each", () =>
    Effect.gen(function*() {
      const { events } = yield* run({
        steps: [{ tools: [send("find a", "where is a?"), send("find b", "where is b?")] }, { text: "both found", expect: { lastResultIncludes: "b is there" } }],
        agents: {
          "find a": [{ tools: [{ name: "look", input: { text: "a" } }] }, { text: "a is here", expect: { lastResultIncludes: "saw a" } }],
          "find b": [{ text: "b is there" }]
        }
      })
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output).toSorted(), ["a is here", "b is there"])
      assert.deepStrictEqual(ofType(events, "tool-output").map(({ text }) => text), ["look a - ok\n"])
      assert.strictEqual(ofType(events, "done")[0]?.steps, 2)
    }))

  it.live("without a script of their own take the next step", () =>
    Effect.gen(function*() {
      const { events } = yield* run([{ tools: [send("x", "y")] }, { text: "the report" }, { text: "end" }])
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output), ["the report"])
    }))

  it.live("ask through the parent when a worker writes, under its label", () =>
    Effect.gen(function*() {
      const { events, questions } = yield* run({
        steps: [{ tools: [send("do it", "write b", "worker")] }, { text: "end" }],
        agents: { "do it": [{ tools: [{ name: "write", input: { text: "b" } }] }, { text: "done" }] }
      })
      assert.deepStrictEqual(questions.map(({ callId, tool, worker }) => ({ callId, tool, worker })), [
        { callId: "call_1_1/call_do_it_1_1", tool: "write", worker: "do it" }
      ])
      assert.deepStrictEqual(wrote, ["b"])
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output), ["done"])
    }))

  it.live.each([[{ config: { agent: "plan" } }], [{ config: { agent: "review" } }], [{ attended: false }]] as const)("are no workers where nothing may be written or nobody answers (%j)", ([where]) =>
    Effect.gen(function*() {
      const serving = yield* modelServer([{ tools: [send("do it", "write b", "worker")] }, { text: "end" }])
      const config = configFor(serving, "openai", "config" in where ? where.config : {})
      const approver = yield* ApproverScripted([Answer.Once()])
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({
        model: modelAt(serving, "openai", config), config, tools, offered, ...("attended" in where ? {} : { approver: approver.layer })
      })))
      assert.match(ofType(events, "tool-error")[0]?.message ?? "", /^A worker is not available in this run: .* Use kind explore or review\.$/)
      assert.notInclude(serving.requests[0]?.text, "\"worker\"")
      assert.include(serving.requests[0]?.text, "\"explore\"")
    }).pipe(Effect.scoped))

  it.live("end after 20 steps with what they have, and are told before the last", () =>
    Effect.gen(function*() {
      const serving = yield* modelServer(({ text }) =>
        isHelpers(text)
          ? text.includes("This is your last step") ? { text: "what I have" } : { tools: [{ name: "look", input: { text: String(text.length) } }] }
          : text.includes("what I have") ? { text: "end" } : { tools: [send("long", "search")] })
      const config = configFor(serving, "openai")
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: modelAt(serving, "openai"), config, tools, offered })))
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output), ["what I have"])
      assert.strictEqual(serving.requests.filter(({ text }) => isHelpers(text)).length, 20)
      assert.deepStrictEqual(serving.faults(), [])
    }).pipe(Effect.scoped))

  it.live.each(wires)("run at the same time, hold what they may, and report in order (%s)", (wire) =>
    Effect.gen(function*() {
      const names = ["one", "two", "three", "four"]
      const serving = yield* modelServer(({ text }) => {
        const mine = names.find((name) => text.includes(`look for ${name}.`) && isHelpers(text))
        if (mine !== undefined) return { text: `report ${mine}`, waitMillis: 400 - 80 * names.indexOf(mine) }
        return text.includes("report four") ? { text: "end" } : { tools: names.map((name) => send(name, `look for ${name}.`)) }
      })
      const config = configFor(serving, wire, { taskModel: wire === "anthropic" ? "claude-haiku-4-5" : "gpt-5-mini" })
      const approver = yield* ApproverScripted([Answer.Once()])
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: modelAt(serving, wire, config), config, tools, offered, approver: approver.layer })))
      assert.strictEqual(serving.open().most, 4)
      assert.deepStrictEqual(serving.faults(), [])
      const [first, helper] = serving.requests
      assert.deepStrictEqual(namesIn(first), ["look", "write", "web_fetch", "ask", "task"])
      assert.deepStrictEqual(namesIn(helper), ["look"])
      assert.strictEqual(helper?.body["model"], config.taskModel)
      const last = serving.requests.at(-1)?.text ?? ""
      const at = names.map((name) => last.indexOf(`report ${name}`))
      assert.deepStrictEqual(at, at.toSorted((a, b) => a - b))
      assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    }).pipe(Effect.scoped))

  it.live("end with the turn that is interrupted", () =>
    Effect.gen(function*() {
      const serving = yield* modelServer(({ text }) => isHelpers(text) ? { text: "never", breaks: "hang" } : { tools: [send("x", "y"), send("z", "y")] })
      const config = configFor(serving, "openai")
      const running = yield* Effect.fork(turn("go").pipe(Effect.provide(agentLayer({ model: modelAt(serving, "openai"), config, tools, offered }))))
      while (serving.open().now < 2) yield* Effect.sleep(5)
      yield* Fiber.interrupt(running)
      while (serving.open().now > 0) yield* Effect.sleep(5)
      assert.strictEqual(serving.open().now, 0)
    }).pipe(Effect.scoped))
})
