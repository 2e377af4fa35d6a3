import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { Agent } from "../../../src/services/Agent.js"
import { Answer, ApproverScripted } from "../../../src/services/Approver.js"
import { ModelScripted } from "../../../src/services/model/live.js"
import type { Script } from "../../../src/services/model/scriptSteps.js"
import { agentLayer, asking, Broke, chatty, ofType, simple, turn } from "../../support/agent.js"
import type { Setting } from "../../support/agent.js"

const given = (script: Script, setting: Omit<Setting, "model"> = {}) => Effect.provide(agentLayer({ model: ModelScripted(script), ...setting }))
const step = (...calls: ReadonlyArray<readonly [string, string]>) => ({ tools: calls.map(([name, text]) => ({ name, input: { text } })) })

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
    }).pipe(given([step(["run", "it"]), { text: "done", expect: { lastResultIncludes: "did it" } }], { tools: [chatty("run")] })))

  it.live("gives a tool's failure to the model and goes on", () =>
    Effect.gen(function*() {
      const { events } = yield* turn("go")
      assert.deepStrictEqual(ofType(events, "tool-error").map(({ message }) => message), ["no such thing"])
      assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    }).pipe(given(
      [step(["fail", "x"]), { text: "ok", expect: { lastResultIncludes: "no such thing" } }],
      { tools: [simple("fail", "reads", () => new Broke({ text: "no such thing" }))] }
    )))

  it.live("fails past the end of a script, in words", () =>
    Effect.gen(function*() {
      yield* turn("one")
      const { events, exit } = yield* turn("two")
      assert.strictEqual(ofType(events, "error")[0]?.message, "The script has 1 steps; request 2 has none.")
      assert.strictEqual(ofType(events, "done")[0]?.stop, "error")
      assert.isTrue(exit._tag === "Failure")
    }).pipe(given([{ text: "one" }])))

  it.live("fails where a script expects another result", () =>
    Effect.gen(function*() {
      const { events } = yield* turn("go")
      assert.strictEqual(ofType(events, "error")[0]?.message, "Step 2 of the script expects the last result to include \"blue\". It was: did it")
    }).pipe(given([step(["run", "it"]), { text: "x", expect: { lastResultIncludes: "blue" } }], { tools: [chatty("run")] })))
})

describe("the order of calls", () => {
  const gauge = Effect.gen(function*() {
    const log: Array<string> = []
    const running = yield* Ref.make(0)
    const most = yield* Ref.make(0)
    const body = (text: string) =>
      Effect.gen(function*() {
        const now = yield* Ref.updateAndGet(running, (n) => n + 1)
        yield* Ref.update(most, (n) => Math.max(n, now))
        log.push(`+${text}`)
        yield* Effect.sleep(text.startsWith("slow") ? 60 : 10)
        log.push(`-${text}`)
        yield* Ref.update(running, (n) => n - 1)
        return text
      })
    return { log, most: Ref.get(most), tools: [simple("read", "reads", body), simple("write", "writes", body)] }
  })

  it.live("runs reads at the same time", () =>
    Effect.gen(function*() {
      const { most, tools } = yield* gauge
      yield* turn("go").pipe(given([step(["read", "a"], ["read", "b"], ["read", "c"], ["read", "d"]), { text: "." }], { tools }))
      assert.strictEqual(yield* most, 4)
    }))

  it.live("runs writes one after the other in their order, and reads after the writes before them", () =>
    Effect.gen(function*() {
      const { log, tools } = yield* gauge
      yield* turn("go").pipe(given([step(["write", "slow 1"], ["read", "2"], ["write", "3"], ["write", "4"]), { text: "." }], { tools }))
      assert.deepStrictEqual(log, ["+slow 1", "-slow 1", "+2", "-2", "+3", "-3", "+4", "-4"])
    }))

  it.live("keeps the results in the order of the calls, whichever ended first", () =>
    Effect.gen(function*() {
      const { tools } = yield* gauge
      yield* Effect.gen(function*() {
        yield* turn("go")
        const messages = yield* (yield* Agent).messages
        assert.deepStrictEqual(messages.flatMap((message) => message.role === "result" ? [message.text] : []), ["slow a", "b", "c"])
      }).pipe(given([step(["read", "slow a"], ["read", "b"], ["read", "c"]), { text: "." }], { tools }))
    }))

  it.live("keeps that order when a write in between has to be approved", () =>
    Effect.gen(function*() {
      const { log, tools } = yield* gauge
      const { asked, layer } = yield* ApproverScripted([Answer.Once()])
      yield* turn("go").pipe(given(
        [step(["read", "1"], ["write", "2"], ["read", "3"], ["write", "4"]), { text: "." }],
        { tools, approver: layer, permissions: asking({ write: "ask" }) }
      ))
      assert.deepStrictEqual(log, ["+1", "-1", "+2", "-2", "+3", "-3", "+4", "-4"])
      assert.deepStrictEqual((yield* asked).map(({ callId }) => callId), ["call_1_2", "call_1_4"])
    }))
})

describe("approvals", () => {
  const ran: Array<string> = []
  const tool = simple("write", "writes", (text) => Effect.sync(() => {
    ran.push(text)
    return `wrote ${text}`
  }))
  const script = [step(["write", "a"], ["write", "b"]), step(["write", "c"]), { text: "end" }]
  const asked = Effect.fnUntraced(function*(answers: ReadonlyArray<Answer>) {
    ran.length = 0
    const approver = yield* ApproverScripted(answers)
    const { events } = yield* turn("go").pipe(given(script, { tools: [tool], approver: approver.layer, permissions: asking({ write: "ask" }) }))
    assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    return { events, questions: yield* approver.asked }
  })

  it.live("runs what was allowed once, and asks again next time", () =>
    Effect.gen(function*() {
      const { questions } = yield* asked([Answer.Once()])
      assert.strictEqual(questions.length, 3)
      assert.deepStrictEqual(ran, ["a", "b", "c"])
    }))

  it.live("never runs what was denied, and tells the model why", () =>
    Effect.gen(function*() {
      const { events } = yield* asked([Answer.No({ reason: "not there" }), Answer.Once(), Answer.No({ reason: null })])
      assert.deepStrictEqual(ran, ["b"])
      assert.deepStrictEqual(ofType(events, "tool-denied").map(({ reason }) => reason), ["not there", "The user said no."])
      assert.deepStrictEqual(ofType(events, "tool-result").map(({ output }) => output), ["wrote b"])
    }))

  it.live("asks no more once it was always", () =>
    Effect.gen(function*() {
      const { questions } = yield* asked([Answer.Once(), Answer.Always()])
      assert.strictEqual(questions.length, 2)
      assert.deepStrictEqual(ran, ["a", "b", "c"])
    }))

  it.live("denies by rule without asking", () =>
    Effect.gen(function*() {
      ran.length = 0
      const approver = yield* ApproverScripted([Answer.Once()])
      const { events } = yield* turn("go").pipe(given(script, { tools: [tool], approver: approver.layer, permissions: asking({ write: "deny" }) }))
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(yield* approver.asked, [])
      assert.strictEqual(ofType(events, "tool-denied").length, 3)
    }))
})

describe("limits", () => {
  const endless = Array.from({ length: 30 }, (_, index) => ({ ...step(["run", `${index}`]), usage: { inputTokens: 100_000, outputTokens: 0 } }))

  it.live("stops after the steps of the variant", () =>
    Effect.gen(function*() {
      const { events } = yield* turn("go")
      const done = ofType(events, "done")[0]
      assert.deepStrictEqual([done?.stop, done?.steps, ofType(events, "tool-result").length], ["steps", 12, 12])
      const next = yield* turn("go on")
      assert.strictEqual(ofType(next.events, "done")[0]?.steps, 12)
    }).pipe(given(endless, { tools: [chatty("run")], config: { agent: "quick" } })))

  it.live("stops after the steps that were allowed, also where each one is approved", () =>
    Effect.gen(function*() {
      const approver = yield* ApproverScripted([Answer.Once()])
      const { events } = yield* turn("go").pipe(given(endless, {
        tools: [chatty("run")], config: { maxSteps: 3 }, approver: approver.layer, permissions: asking({ run: "ask" })
      }))
      assert.deepStrictEqual([ofType(events, "done")[0]?.stop, ofType(events, "tool-result").length], ["steps", 3])
    }))

  it.live("says so where a cost limit cannot be kept", () =>
    Effect.gen(function*() {
      const { events } = yield* turn("go")
      assert.match(ofType(events, "notice")[0]?.message ?? "", /^No price is known for script, so the cost limit cannot be kept\./)
      assert.strictEqual(ofType(events, "done")[0]?.costUsd, null)
    }).pipe(given([{ text: "." }], { config: { maxCostUsd: 1 } })))
})

describe("an interrupted turn", () => {
  const hanging = Effect.gen(function*() {
    const started = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<void>()
    const tool = simple("hang", "executes", () =>
      Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(Effect.onInterrupt(() => Deferred.succeed(ended, undefined))))
    return { started, ended, tool }
  })

  it.live("ends what runs, tells so and leaves a history that can be gone on with", () =>
    Effect.gen(function*() {
      const { ended, started, tool } = yield* hanging
      yield* Effect.gen(function*() {
        const agent = yield* Agent
        const running = yield* Effect.fork(turn("go"))
        yield* Deferred.await(started)
        assert.isTrue(yield* agent.interrupt)
        const { events } = yield* Fiber.join(running)
        yield* Deferred.await(ended)
        assert.strictEqual(ofType(events, "done")[0]?.stop, "interrupted")
        const messages = yield* agent.messages
        assert.deepStrictEqual(messages.map(({ role }) => role), ["user", "assistant", "result"])
        const next = yield* turn("again")
        assert.strictEqual(ofType(next.events, "text").map(({ text }) => text).join(""), "fine")
      }).pipe(given([step(["hang", "x"]), { text: "fine", expect: { lastResultIncludes: "The user interrupted the turn" } }], { tools: [tool] }))
    }))

  it.live("ends what runs when its stream is interrupted", () =>
    Effect.gen(function*() {
      const { ended, started, tool } = yield* hanging
      yield* Effect.gen(function*() {
        const agent = yield* Agent
        const running = yield* Effect.fork(Stream.runDrain(agent.turn("go")))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(running)
        assert.isTrue(yield* Deferred.isDone(ended))
        assert.deepStrictEqual((yield* agent.messages).map(({ role }) => role), ["user", "assistant", "result"])
        assert.isFalse(yield* agent.interrupt)
      }).pipe(given([step(["hang", "x"])], { tools: [tool] }))
    }))
})
