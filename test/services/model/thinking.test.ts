import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { thinkingLevels } from "../../../src/services/config/schema.js"
import { agentLayer, chatty, ofType, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import type { Reply } from "../../support/modelServer.js"
import { configFor, modelAt } from "../../support/wires.js"
import type { LiveWire } from "../../support/wires.js"

/** What goes over the wire for each level (docs/agents.md has the same table). */
const table = [
  ["openai", "gpt-5", "off", { reasoning_effort: "none" }],
  ["openai", "gpt-5", "low", { reasoning_effort: "low" }],
  ["openai", "gpt-5", "medium", { reasoning_effort: "medium" }],
  ["openai", "gpt-5", "high", { reasoning_effort: "high" }],
  ["openai", "gpt-5", "max", { reasoning_effort: "xhigh" }],
  ["openai-responses", "gpt-5", "off", { reasoning: { effort: "none" } }],
  ["openai-responses", "gpt-5", "low", { reasoning: { effort: "low" } }],
  ["openai-responses", "gpt-5", "medium", { reasoning: { effort: "medium" } }],
  ["openai-responses", "gpt-5", "high", { reasoning: { effort: "high" } }],
  ["openai-responses", "gpt-5", "max", { reasoning: { effort: "xhigh" } }],
  ["anthropic", "claude-sonnet-4-5", "off", { thinking: { type: "disabled" } }],
  ["anthropic", "claude-sonnet-4-5", "low", { thinking: { type: "enabled", budget_tokens: 6_000 } }],
  ["anthropic", "claude-sonnet-4-5", "medium", { thinking: { type: "enabled", budget_tokens: 16_000 } }],
  ["anthropic", "claude-sonnet-4-5", "high", { thinking: { type: "enabled", budget_tokens: 38_000 } }],
  ["anthropic", "claude-sonnet-4-5", "max", { thinking: { type: "enabled", budget_tokens: 59_904 } }],
  ["anthropic", "claude-opus-4-7", "off", { thinking: { type: "disabled" } }],
  ["anthropic", "claude-opus-4-7", "low", { thinking: { type: "adaptive" }, output_config: { effort: "low" } }],
  ["anthropic", "claude-opus-4-7", "medium", { thinking: { type: "adaptive" }, output_config: { effort: "medium" } }],
  ["anthropic", "claude-opus-4-7", "high", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }],
  ["anthropic", "claude-opus-4-7", "max", { thinking: { type: "adaptive" }, output_config: { effort: "max" } }]
] as const

const keys = ["reasoning_effort", "reasoning", "thinking", "output_config"]
const told = (body: Readonly<Record<string, unknown>>) => Object.fromEntries(keys.flatMap((key) => body[key] === undefined ? [] : [[key, body[key]]]))

const asked = Effect.fnUntraced(function*(wire: LiveWire, values: Parameters<typeof configFor>[2], replies: ReadonlyArray<Reply>, thinks = true) {
  const serving = yield* modelServer(replies, { thinks })
  const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: modelAt(serving, wire, values), config: configFor(serving, wire, values), tools: [chatty("run")] })))
  return { serving, events }
})

describe("the thinking level on the wire", () => {
  it.scopedLive.each(table)("%s %s %s", ([wire, model, thinking, expected]) =>
    Effect.gen(function*() {
      const { serving } = yield* asked(wire, { model, thinking }, [{ text: "." }])
      assert.deepStrictEqual(told(serving.requests[0]?.body ?? {}), expected)
      assert.deepStrictEqual(serving.faults(), [])
    }))

  it.scopedLive("is left out for a model that is not known to think", () =>
    Effect.gen(function*() {
      const { serving } = yield* asked("openai", { model: "some-local-model" }, [{ text: "." }], false)
      assert.deepStrictEqual(told(serving.requests[0]?.body ?? {}), {})
    }))

  it.scopedLive("is sent to an unknown model where the configuration asks for it", () =>
    Effect.gen(function*() {
      const { serving } = yield* asked("openai-responses", { model: "some-local-model", thinking: "high" }, [{ text: "." }])
      assert.deepStrictEqual(told(serving.requests[0]?.body ?? {}), { reasoning: { effort: "high" } })
    }))

  it.scopedLive.each(["openai", "openai-responses", "anthropic"] as const)("is dropped for the session, with one notice, where %s refuses it", (wire) =>
    Effect.gen(function*() {
      const { events, serving } = yield* asked(wire, { thinking: "high" }, [
        { text: "never seen" }, { tools: [{ name: "run", input: { text: "x" } }] }, { text: "done" }
      ], false)
      assert.deepStrictEqual(serving.requests.map(({ body }) => Object.keys(told(body)).length), [wire === "anthropic" ? 1 : 1, 0, 0])
      assert.deepStrictEqual(ofType(events, "notice").map(({ message }) => message.replace(/^\S+/, "It")), ["It does not take a thinking level; it is left out from now on."])
      assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    }))

  it("is told in docs/agents.md as it goes out, for every level, wire and way to think", () => {
    const rows = readFileSync("docs/agents.md", "utf8").split("\n").filter((line) => /^\| (?:openai|anthropic)/.test(line))
    assert.deepStrictEqual(rows, table.map(([wire, model, level, sent]) => `| ${wire} | ${model} | ${level} | \`${JSON.stringify(sent)}\` |`))
    for (const model of ["openai gpt-5", "openai-responses gpt-5", "anthropic claude-sonnet-4-5", "anthropic claude-opus-4-7"]) {
      assert.deepStrictEqual(table.filter(([wire, each]) => `${wire} ${each}` === model).map(([, , level]) => level), [...thinkingLevels])
    }
  })
})

describe("the switch of wires", () => {
  it.scopedLive("goes from chat completions to responses, once, for the session", () =>
    Effect.gen(function*() {
      const { events, serving } = yield* asked("openai", {}, [
        { status: 400, message: "This model is only supported in v1/responses and not in v1/chat/completions." },
        { reasoning: "hm", tools: [{ name: "run", input: { text: "x" } }] },
        { text: "done" }
      ])
      assert.deepStrictEqual(serving.requests.map(({ wire }) => wire), ["chat", "responses", "responses"])
      assert.deepStrictEqual(serving.faults(), [])
      assert.match(ofType(events, "notice").map(({ message }) => message).join("|"), /^127\.0\.0\.1:\d+ refused chat completions for gpt-5 \(400\); the responses API is used from now on\.$/)
    }))

  it.scopedLive("is not for other hosts, nor for a conversation that is too long", () =>
    Effect.gen(function*() {
      const long = yield* asked("openai", { maxRetries: 0 }, [
        { status: 400, message: "This model's maximum context length is 10 tokens." },
        { status: 400, message: "This model's maximum context length is 10 tokens." }
      ])
      assert.deepStrictEqual(long.serving.requests.map(({ wire }) => wire), ["chat", "chat"])
      assert.deepStrictEqual(ofType(long.events, "compacted").length, 1)
    }))
})
