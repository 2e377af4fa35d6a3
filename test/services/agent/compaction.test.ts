import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { compact, lengthOfAll } from "../../../src/services/agent/compaction.js"
import { droppedResult, emptyDigest, isNote } from "../../../src/services/agent/digest.js"
import { repaired } from "../../../src/services/agent/history.js"
import { Agent } from "../../../src/services/Agent.js"
import type { Message } from "../../../src/services/Model.js"
import { callsOf } from "../../../src/services/model/messages.js"
import { agentLayer, ofType, simple, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import { configFor, modelAt, wires } from "../../support/wires.js"

const asked = (text: string): Message => ({ role: "user", text })
const call = (id: string, name: string, input: unknown, text = ""): Message => ({
  role: "assistant",
  parts: [
    { type: "reasoning", text: `thinking about ${id}`, meta: { anthropic: { signature: id } } },
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    { type: "call", id, name, input }
  ]
})
const result = (id: string, name: string, text: string): Message => ({ role: "result", id, name, outcome: "ok", text })

/** Each call has its result right after its answer, and no result is without its call. */
const paired = (messages: ReadonlyArray<Message>) => {
  let open: Array<string> = []
  for (const message of messages) {
    if (message.role === "result") {
      if (!open.includes(message.id)) return false
      open = open.filter((id) => id !== message.id)
      continue
    }
    if (open.length > 0) return false
    if (message.role === "assistant") open = callsOf(message).map(({ id }) => id)
  }
  return open.length === 0
}
const note = (messages: ReadonlyArray<Message>) => messages.flatMap((message) => message.role === "user" && isNote(message) ? [message.text] : []).join("")

describe("compaction", () => {
  const long: ReadonlyArray<Message> = [
    asked("Make the parser faster"),
    call("c1", "read_file", { path: "src/parser.ts" }, "I decided to use a table instead of regular expressions because of backtracking."),
    result("c1", "read_file", "x".repeat(20_000)),
    call("c2", "edit_file", { path: "src/parser.ts", oldString: "a", newString: "b" }),
    result("c2", "edit_file", "edited"),
    call("c3", "bash", { command: "npm test" }),
    result("c3", "bash", "exit code: 1\nstdout:\nrunning\n3 failing"),
    asked("Now fix the tests"),
    call("c4", "grep", { pattern: "x" }),
    result("c4", "grep", "y".repeat(20_000)),
    call("c5", "read_file", { path: "test/a.ts" }),
    result("c5", "read_file", "z".repeat(3_000))
  ]

  it("drops old reasoning and the oldest results first, and keeps the latest as they are", () => {
    const { messages } = compact(long, 30_000, emptyDigest)
    assert.isTrue(paired(messages))
    const texts = messages.flatMap((message) => message.role === "result" ? [message.text] : [])
    assert.strictEqual(texts[0], droppedResult)
    assert.strictEqual(texts.at(-1), "z".repeat(3_000))
    const reasoning = messages.flatMap((message) => message.role === "assistant" ? [message.parts.some(({ type }) => type === "reasoning")] : [])
    assert.strictEqual(reasoning[0], false)
    assert.strictEqual(reasoning.at(-1), true)
  })

  it("says in one note what was dropped: goal, files, decisions, commands and how they ended", () => {
    const { messages } = compact(long, 1_800, emptyDigest)
    const text = note(messages)
    assert.include(text, "Make the parser faster")
    assert.include(text, "Files changed:\n- src/parser.ts")
    assert.include(text, "I decided to use a table instead of regular expressions because of backtracking.")
    assert.include(text, "`npm test` -> exit code: 1; 3 failing")
    assert.strictEqual(messages.filter(isNote).length, 1)
    assert.isTrue(messages.some((message) => message.role === "user" && message.text === "Now fix the tests"))
  })

  it("keeps one note, which holds what earlier ones held", () => {
    const first = compact(long, 1_800, emptyDigest)
    const more = [...first.messages, call("c6", "bash", { command: "npm run lint" }), result("c6", "bash", `exit code: 0\n${"ok\n".repeat(3_000)}`), call("c7", "bash", { command: "ls" }), result("c7", "bash", "exit code: 0")]
    const second = compact(more, 1_500, first.digest)
    assert.strictEqual(second.messages.filter(isNote).length, 1)
    assert.include(note(second.messages), "I decided to use a table")
    assert.include(note(second.messages), "`npm run lint` -> exit code: 0")
  })

  const step = FastCheck.record({ calls: FastCheck.integer({ min: 0, max: 3 }), size: FastCheck.integer({ min: 0, max: 4_000 }), user: FastCheck.boolean() })
  const history = FastCheck.array(step, { maxLength: 25 }).map((steps) => [
    asked("begin"),
    ...steps.flatMap(({ calls, size, user }, index): ReadonlyArray<Message> => {
      const ids = Array.from({ length: calls }, (_, n) => `${index}_${n}`)
      return [
        ...(user ? [asked(`more ${index}`)] : []),
        { role: "assistant", parts: [{ type: "text", text: `step ${index}` }, ...ids.map((id) => ({ type: "call" as const, id, name: "read_file", input: { path: "p".repeat(size) } }))] },
        ...ids.map((id) => result(id, "read_file", "r".repeat(size)))
      ]
    })
  ])

  it("keeps calls and results together, the last request of the user and the room, whatever the history", () => {
    FastCheck.assert(FastCheck.property(history, FastCheck.integer({ min: 4_000, max: 60_000 }), (messages, room) => {
      const smaller = compact(messages, room, emptyDigest)
      const last = messages.findLast((message) => message.role === "user")
      return paired(smaller.messages) && smaller.messages.some((message) => message === last)
        && (lengthOfAll(smaller.messages) <= Math.max(room, 4_000) + 26_000)
    }), { numRuns: 150 })
  })

  it("mends any part of a history so that a provider takes it", () => {
    FastCheck.assert(FastCheck.property(history, FastCheck.nat(80), FastCheck.nat(80), (messages, from, to) =>
      paired(repaired(messages.slice(Math.min(from, to), Math.max(from, to)), "gone"))), { numRuns: 150 })
  })
})

describe.each(wires)("300 steps and 2 MB of results over %s", (wire) => {
  it.scopedLive("go through compaction without one refused request, and keep the early decisions", () =>
    Effect.gen(function*() {
      const steps = 300
      const serving = yield* modelServer((_, number) =>
        number < steps
          ? {
            reasoning: `considering ${number}`,
            text: number === 2 ? "Decision: we will use the ORCHID format because it is stable." : `step ${number}`,
            tools: number % 10 === 0
              ? [{ name: "read_file", input: { text: `a${number}` } }, { name: "read_file", input: { text: `b${number}` } }]
              : [{ name: "read_file", input: { text: `f${number}` } }]
          }
          : { text: "finished" })
      const config = configFor(serving, wire, { maxSteps: 400 })
      const reader = simple("read_file", "reads", (text) => Effect.succeed(`${text} ${"line of a file\n".repeat(430)}`))
      yield* Effect.gen(function*() {
        const { events } = yield* turn("Convert the archive")
        assert.deepStrictEqual([...new Set(serving.faults())], [])
        const done = ofType(events, "done")[0]
        assert.deepStrictEqual([done?.stop, done?.steps], ["end", steps + 1])
        const compactions = ofType(events, "compacted")
        assert.isAtLeast(compactions.length, 2)
        for (const { after, before } of compactions) assert.isBelow(after, before)
        assert.isAtLeast(ofType(events, "tool-result").reduce((sum, { output }) => sum + output.length, 0), 2_000_000)
        assert.include(serving.requests.at(-1)?.text, "ORCHID")
        assert.include(serving.requests.at(-1)?.text, "Convert the archive")
        assert.isTrue(paired(yield* (yield* Agent).messages))
      }).pipe(Effect.provide(agentLayer({ model: modelAt(serving, wire, config), config, tools: [reader] })))
    }))
})
