import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agent } from "../../../src/services/Agent.js"
import { ModelScripted } from "../../../src/services/model/live.js"
import type { Script } from "../../../src/services/model/script.js"
import { agentLayer, chatty, ofType, turn } from "../../support/agent.js"
import type { Setting } from "../../support/agent.js"

const given = (script: Script, setting: Omit<Setting, "model"> = {}) => Effect.provide(agentLayer({ model: ModelScripted(script), ...setting }))

describe("a turn", () => {
  it.live("tells the answer and ends", () =>
    Effect.gen(function*() {
      const { events } = yield* turn("hello")
      assert.deepStrictEqual(events.map(({ type }) => type), ["session", "reasoning", "text", "text", "done"])
      assert.deepStrictEqual(ofType(events, "text").map(({ text }) => text).join(""), "Hi there")
      assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    }).pipe(given([{ reasoning: "easy", text: "Hi there" }])))

  it.live("runs calls and asks again with their results", () =>
    Effect.gen(function*() {
      const { events } = yield* turn("go")
      assert.deepStrictEqual(events.map(({ type }) => type), [
        "session", "tool-start", "tool-call", "tool-output", "tool-result", "text", "done"
      ])
      const messages = yield* (yield* Agent).messages
      assert.deepStrictEqual(messages.map(({ role }) => role), ["user", "assistant", "result", "assistant"])
    }).pipe(given(
      [{ tools: [{ name: "run", input: { text: "it" } }] }, { text: "done", expect: { lastResultIncludes: "did it" } }],
      { tools: [chatty("run")] }
    )))
})

