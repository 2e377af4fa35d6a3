import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Agent } from "../../../src/services/Agent.js"
import { agentLayer, ofType, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import { configFor, modelAt, wires } from "../../support/wires.js"

describe.each(wires)("interrupting a turn over %s", (wire) => {
  it.scopedLive("closes the request, which the server sees, and keeps what had been said", () =>
    Effect.gen(function*() {
      const serving = yield* modelServer([{ text: "some words and then nothing", breaks: "hang" }, { text: "back" }])
      yield* Effect.gen(function*() {
        const agent = yield* Agent
        const running = yield* agent.turn("go").pipe(
          Stream.takeUntil((event) => event.type === "text" && event.text.endsWith("hing")),
          Stream.runDrain,
          Effect.fork
        )
        yield* Fiber.join(running)
        yield* Effect.promise(() => serving.aborted)
        assert.isTrue(serving.requests[0]?.aborted)
        const messages = yield* agent.messages
        assert.deepStrictEqual(messages.map(({ role }) => role), ["user", "assistant"])
        const { events } = yield* turn("go on")
        assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
        assert.deepStrictEqual(serving.faults(), [])
        assert.include(serving.requests[1]?.text, "some words and then nothing")
      }).pipe(Effect.provide(agentLayer({ model: modelAt(serving, wire), config: configFor(serving, wire) })))
    }))
})

describe("a server that is not there", () => {
  it.scopedLive("is told by host and reason", () =>
    Effect.gen(function*() {
      const serving = yield* modelServer([])
      yield* Effect.promise(() => serving.close())
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: modelAt(serving, "openai"), config: configFor(serving, "openai") })))
      assert.match(ofType(events, "error")[0]?.message ?? "", /^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Check the base URL and the network\.$/)
    }))
})
