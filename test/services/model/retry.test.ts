import { assert, describe, it } from "@effect/vitest"
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import { endpointOf } from "../../../src/services/model/endpoint.js"
import { presetNamed } from "../../../src/services/model/presets.js"
import type { Preset } from "../../../src/services/model/presets.js"
import { isPassing, refusalOf, saidIn } from "../../../src/services/model/refusal.js"
import { begin, nothingLearnt } from "../../../src/services/model/request.js"
import { modelServer } from "../../support/modelServer.js"
import type { Reply } from "../../support/modelServer.js"

const options: LanguageModelV3CallOptions = { prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] }
const custom: Preset = presetNamed("custom") ?? { name: "custom", label: "", wire: "openai", baseURL: null, keyVariable: null }

/** Asks with a clock of the test's; gives the notices in which the waits are told. */
const asking = Effect.fnUntraced(function*(replies: ReadonlyArray<Reply>, maxRetries = 4) {
  const serving = yield* modelServer(replies)
  const notices = yield* Ref.make<ReadonlyArray<string>>([])
  const endpoint = endpointOf(custom, { baseURL: serving.url, apiKey: "", model: "m", pricing: undefined })
  const manner = {
    endpoint, maxRetries, thinking: null, maySwitch: () => false, learnt: yield* Ref.make(nothingLearnt), opened: new Map(),
    notice: (message: string) => Ref.update(notices, (before) => [...before, message.replace(/^\S+ /, "")])
  }
  const fiber = yield* Effect.fork(Effect.either(begin(manner, options)))
  return { serving, notices: Ref.get(notices), fiber }
})
/** Real time for the socket, none for the clock. */
const until = (there: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(there, (yes) => yes ? Effect.void : Effect.andThen(Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))), until(there)))

describe("asking again", () => {
  it.scoped("waits longer each time, on the clock that is given, and tells each wait", () =>
    Effect.gen(function*() {
      const { fiber, notices, serving } = yield* asking([{ status: 500 }, { status: 529 }, { status: 503 }, { text: "there" }])
      for (const [told, seconds] of [[1, 1], [2, 2], [3, 4]] as const) {
        yield* until(Effect.map(notices, (all) => all.length === told))
        assert.strictEqual(serving.requests.length, told)
        yield* TestClock.adjust(seconds * 1_000)
      }
      const answer = yield* Fiber.join(fiber)
      assert.strictEqual(answer._tag, "Right")
      assert.deepStrictEqual((yield* notices).map((notice) => notice.replace(/in \d s/, "in N s")), [
        "answered with status 500; asking again in N s (try 2 of 5).",
        "is overloaded; asking again in N s (try 3 of 5).",
        "answered with status 503; asking again in N s (try 4 of 5)."
      ])
    }))

  it.scoped("waits as long as the provider says", () =>
    Effect.gen(function*() {
      const { fiber, notices, serving } = yield* asking([{ status: 429, retryAfter: 90 }, { text: "there" }])
      yield* until(Effect.map(notices, (all) => all.length === 1))
      assert.deepStrictEqual(yield* notices, ["limits the rate (429); asking again in 90 s (try 2 of 5)."])
      yield* TestClock.adjust("89 seconds")
      assert.strictEqual(serving.requests.length, 1)
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Right")
    }))

  it.scoped("does not wait for an hour", () =>
    Effect.gen(function*() {
      const { fiber, serving } = yield* asking([{ status: 429, retryAfter: 3_600, message: "quota used up" }])
      const answer = yield* Fiber.join(fiber)
      assert.match(answer._tag === "Left" ? answer.left.message : "", /limits the rate or the quota is used up \(429\)\. Wait, or check the account\. It said: quota used up$/)
      assert.strictEqual(serving.requests.length, 1)
    }))

  it.scoped("is for what passes, not for what the request itself got wrong", () =>
    Effect.gen(function*() {
      for (const status of [400, 401, 403, 404, 422]) {
        const { fiber, serving } = yield* asking([{ status, message: "no" }])
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "Left")
        assert.strictEqual(serving.requests.length, 1)
      }
    }))
})

describe("a refusal", () => {
  it("is read from whatever it is wrapped in", () => {
    assert.strictEqual(saidIn("{\"error\":{\"message\":\"no\",\"param\":\"model\"}}"), "no (model)")
    assert.strictEqual(saidIn("[{\"error\":{\"message\":\"of Gemini\"}}]"), "of Gemini")
    assert.strictEqual(saidIn("{\"detail\":\"of FastAPI\"}"), "of FastAPI")
    assert.strictEqual(saidIn("{\"error\":\"bare\"}"), "bare")
    assert.strictEqual(saidIn("<html>gateway</html>"), "")
    assert.strictEqual(saidIn("plain words"), "plain words")
  })

  it("has the system's code, however deep it lies", () => {
    const error = Object.assign(new Error("outer"), { cause: Object.assign(new Error("inner"), { errors: [Object.assign(new Error("x"), { code: "ECONNREFUSED" })] }) })
    assert.strictEqual(refusalOf(error, 0).said, "ECONNREFUSED")
    assert.isFalse(isPassing(refusalOf(error, 0)))
    assert.isTrue(isPassing(refusalOf(Object.assign(new Error("x"), { code: "ECONNRESET" }), 0)))
  })
})
