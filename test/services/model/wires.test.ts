import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agent } from "../../../src/services/Agent.js"
import { agentLayer, chatty, ofType, simple, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import type { Answers, Options } from "../../support/modelServer.js"
import { configFor, modelAt, wires } from "../../support/wires.js"

const reader = simple("look", "reads", (text) => Effect.succeed(`saw ${text}`))
const tools = [reader, chatty("run")]

describe.each(wires)("the wire %s", (wire) => {
  const at = Effect.fnUntraced(function*(answers: Answers, options: Options = {}, values: Parameters<typeof configFor>[2] = {}) {
    const serving = yield* modelServer(answers, options)
    return { serving, layer: agentLayer({ model: modelAt(serving, wire, values), tools, config: configFor(serving, wire, values) }) }
  })

  it.scopedLive("streams reasoning, text and parallel calls whose arguments come in pieces", () =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([
        { reasoning: "I should look at both.", text: "Looking.", tools: [{ name: "look", input: { text: "a \"quoted\" name" } }, { name: "look", input: { text: "b ü" } }] },
        { reasoning: "Now run.", tools: [{ name: "run", input: { text: "it" } }] },
        { text: "All done.", usage: { inputTokens: 1_000, outputTokens: 10, cachedTokens: 900 } }
      ])
      const { events } = yield* turn("go").pipe(Effect.provide(layer))
      assert.deepStrictEqual(serving.faults(), [])
      assert.strictEqual(serving.requests.length, 3)
      assert.strictEqual(ofType(events, "text").map(({ text }) => text).join(""), "Looking.All done.")
      assert.strictEqual(ofType(events, "reasoning").map(({ text }) => text).join(""), "I should look at both.Now run.")
      assert.deepStrictEqual(ofType(events, "tool-call").map(({ input }) => input), [{ text: "a \"quoted\" name" }, { text: "b ü" }, { text: "it" }])
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output).toSorted(), ["did it", "saw a \"quoted\" name", "saw b ü"])
      const done = ofType(events, "done")[0]
      assert.strictEqual(done?.stop, "end")
      assert.strictEqual(done?.steps, 3)
      assert.strictEqual(done?.cachedTokens, 900)
    }))

  it.scopedLive("gives everything back on the next turn as the service wants it", () =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([
        { reasoning: "hm", text: "one", tools: [{ name: "look", input: { text: "a" } }] },
        { reasoning: "well", text: "two" },
        { text: "three" }
      ])
      yield* Effect.gen(function*() {
        yield* turn("first")
        yield* turn("second")
        assert.strictEqual((yield* (yield* Agent).messages).length, 6)
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(serving.faults(), [])
      assert.strictEqual(serving.requests.length, 3)
    }))

  it.scopedLive("tells what the provider said of a refused key", () =>
    Effect.gen(function*() {
      const { layer } = yield* at([{ status: 401, message: "Incorrect API key provided" }])
      const { events, exit } = yield* turn("go").pipe(Effect.provide(layer))
      assert.isTrue(exit._tag === "Failure")
      assert.match(ofType(events, "error")[0]?.message ?? "", /^127\.0\.0\.1:\d+ rejected the API key \(401\)\. Check the key, and that it may use this model\. It said: Incorrect API key provided$/)
      assert.strictEqual(ofType(events, "done")[0]?.stop, "error")
    }))

  it.scopedLive("asks again after a 429, waiting as long as was said, and tells so", () =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([{ status: 429, message: "slow down", retryAfter: 0.05 }, { text: "there" }])
      const { events } = yield* turn("go").pipe(Effect.provide(layer))
      assert.match(ofType(events, "notice")[0]?.message ?? "", /limits the rate \(429\); asking again in 1 s \(try 2 of 5\)\.$/)
      assert.strictEqual(ofType(events, "text").map(({ text }) => text).join(""), "there")
      const [first, second] = serving.requests
      assert.isTrue((second?.came ?? 0) - (first?.answered ?? 0) >= 45)
    }))

  it.scopedLive("gives up after the configured tries", () =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([{ status: 500, retryAfter: 0.01 }, { status: 503, retryAfter: 0.01 }], {}, { maxRetries: 1 })
      const { events } = yield* turn("go").pipe(Effect.provide(layer))
      assert.match(ofType(events, "error")[0]?.message ?? "", /answered with status 503 after 2 tries/)
      assert.strictEqual(serving.requests.length, 2)
    }))

  it.scopedLive.each(["error", "drop", "end"] as const)("keeps the text of an answer that breaks off (%s) and can go on", (breaks) =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([
        { reasoning: "thinking", text: "The first half", tools: breaks === "error" ? [{ name: "run", input: { text: "never" } }] : [], breaks },
        { text: "the rest" }
      ])
      yield* Effect.gen(function*() {
        const { events, exit } = yield* turn("go")
        assert.isTrue(exit._tag === "Failure")
        assert.match(ofType(events, "error")[0]?.message ?? "", /^The answer of 127\.0\.0\.1:\d+ broke off: .*What had arrived is kept; ask again to go on\.$/)
        assert.deepStrictEqual(ofType(events, "tool-result"), [])
        const next = yield* turn("continue")
        assert.strictEqual(ofType(next.events, "done")[0]?.stop, "end")
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(serving.faults(), [])
      assert.include(serving.requests[1]?.text, "The first half")
    }))

  it.scopedLive("tells the model that its answer was cut, and goes on", () =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([{ text: "long", tools: [{ name: "run", input: { text: "cut" } }], cut: true }, { text: "shorter" }])
      const { events } = yield* turn("go").pipe(Effect.provide(layer))
      assert.deepStrictEqual(ofType(events, "tool-result"), [])
      assert.deepStrictEqual(serving.faults(), [])
      assert.include(serving.requests[1]?.text, "cut off before this call was complete")
    }))

  it.scopedLive("sends a malformed call back with the expected shape, and an unknown tool with the names", () =>
    Effect.gen(function*() {
      const { layer, serving } = yield* at([
        { tools: [{ name: "run", input: "{\"text\": " }, { name: "nope", input: {} }, { name: "run", input: { txt: 1 } }] },
        { text: "sorry" }
      ])
      const { events } = yield* turn("go").pipe(Effect.provide(layer))
      const errors = ofType(events, "tool-error").map(({ message }) => message)
      assert.strictEqual(errors.length, 3)
      assert.match(errors[0] ?? "", /^The arguments of run are no valid JSON: .* Expected an object of this shape: \{.*"text".*\}$/)
      assert.strictEqual(errors[1], "There is no tool nope. Nothing was run. The tools are: look, run.")
      assert.match(errors[2] ?? "", /^Invalid input for run: .*text.*Nothing was run\. Expected: \{/)
      assert.deepStrictEqual(serving.faults(), [])
    }))
})
