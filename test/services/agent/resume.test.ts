import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Agent, AgentOptions } from "../../../src/services/Agent.js"
import { HomeMemory } from "../../../src/services/Home.js"
import { IdsLive } from "../../../src/services/Ids.js"
import { JailMemory } from "../../../src/services/Jail.js"
import { Keepers } from "../../../src/services/Sessions.js"
import { KeepersLive } from "../../../src/services/sessions/keepers.js"
import { SessionsLive } from "../../../src/services/sessions/live.js"
import { agentLayer, ofType, simple, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import { configFor, modelAt, wires } from "../../support/wires.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-resume-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)
const sessionsIn = (home: string) => SessionsLive.pipe(Layer.provide(Layer.mergeAll(HomeMemory(home), JailMemory("/ws"), IdsLive)))
const filesIn = (home: string) => readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl")).map((name) => join(home, "sessions", name))
const tools = [simple("look", "reads", (text) => Effect.succeed(`saw ${text}`))]
const resuming = Effect.provideService(AgentOptions, { instructions: true, maxMillis: null, resume: "newest", saves: true })

describe.each(wires)("a session resumed over %s", (wire) => {
  it.scopedLive("is valid for the provider wherever its file was cut", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const serving = yield* modelServer((_, number) =>
        number === 0
          ? { reasoning: "both", text: "looking", tools: [{ name: "look", input: { text: "a" } }, { name: "look", input: { text: "b" } }] }
          : number === 1
          ? { reasoning: "one more", tools: [{ name: "look", input: { text: "c" } }] }
          : number === 2 ? { reasoning: "enough", text: "seen" } : { text: "resumed" })
      const config = configFor(serving, wire)
      const agent = agentLayer({ model: modelAt(serving, wire), config, tools, sessions: sessionsIn(home) })
      yield* turn("go").pipe(Effect.provide(agent))
      const [file = ""] = filesIn(home)
      const whole = readFileSync(file)
      const ends = [...whole.entries()].flatMap(([index, byte]) => byte === 10 ? [index + 1] : []).slice(1)
      for (const cut of [...ends, ...ends.map((end) => end - 5), ...ends.map((end) => end - 1)]) {
        writeFileSync(file, whole.subarray(0, cut))
        const { events } = yield* turn("go on").pipe(Effect.provide(agent), resuming)
        assert.strictEqual(ofType(events, "done")[0]?.stop, "end", JSON.stringify(ofType(events, "error")))
        assert.deepStrictEqual(serving.faults(), [])
      }
      assert.isAbove(ends.length, 7)
      assert.strictEqual(filesIn(home).length, 1)
    }))
})

describe("a session", () => {
  const serve = modelServer((_, number) => number === 0 ? { tools: [{ name: "look", input: { text: "a" } }] } : { text: `answer ${number}` })

  it.scopedLive("keeps its messages, its title and what services keep with it", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const serving = yield* serve
      const list = yield* Ref.make<unknown>([])
      const keeper = Layer.effectDiscard(Effect.flatMap(Keepers, (keepers) =>
        keepers.register({ name: "todos", current: Ref.get(list), restore: (value) => Ref.set(list, value) }))).pipe(Layer.provideMerge(KeepersLive))
      const writing = simple("look", "reads", (text) => Effect.as(Ref.set(list, [{ content: text }]), "noted"))
      const agent = agentLayer({ model: modelAt(serving, "openai"), config: configFor(serving, "openai"), tools: [writing], sessions: sessionsIn(home), keepers: keeper })
      yield* turn("Make it   blue\nand more").pipe(Effect.provide(agent))
      yield* Ref.set(list, [])
      yield* Effect.gen(function*() {
        assert.strictEqual((yield* (yield* Agent).messages).length, 4)
        assert.deepStrictEqual(yield* Ref.get(list), [{ content: "a" }])
        const { inputTokens } = yield* (yield* Agent).state
        assert.isAbove(inputTokens, 0)
      }).pipe(Effect.provide(agent), resuming)
      const [file = ""] = filesIn(home)
      assert.include(readFileSync(file, "utf8"), "{\"type\":\"title\",\"title\":\"Make it   blue\"}")
    }))

  it.scopedLive("is one for each of two runs in one folder at once", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const serving = yield* modelServer(() => ({ text: "hi", waitMillis: 30 }))
      const agent = () => agentLayer({ model: modelAt(serving, "openai"), config: configFor(serving, "openai"), sessions: sessionsIn(home) })
      yield* Effect.all([turn("one").pipe(Effect.provide(agent())), turn("two").pipe(Effect.provide(agent()))], { concurrency: 2 })
      const types = filesIn(home).map((file) => readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line).type))
      assert.deepStrictEqual(types, Array.from({ length: 2 }, () => ["session", "title", "message", "message", "usage"]))
    }))

  it.scopedLive("gives way to a summary on request, which is what is resumed", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const serving = yield* modelServer([
        { tools: [{ name: "look", input: { text: "a" } }] }, { text: "Decision: blue." }, { text: "We chose blue." }, { text: "yes" }, { text: "still" }
      ])
      const agent = agentLayer({ model: modelAt(serving, "openai"), config: configFor(serving, "openai"), tools, sessions: sessionsIn(home) })
      yield* Effect.gen(function*() {
        yield* turn("which colour?")
        const { after, before } = yield* (yield* Agent).compact
        assert.isBelow(after, before + 1_000)
        yield* turn("sure?")
      }).pipe(Effect.provide(agent))
      yield* turn("and now?").pipe(Effect.provide(agent), resuming)
      for (const request of serving.requests.slice(3)) {
        assert.include(request.text, "We chose blue.")
        assert.include(request.text, "which colour?")
        assert.notInclude(request.text, "saw a")
      }
      assert.deepStrictEqual(serving.faults(), [])
    }))

  it.scopedLive("tells once where it cannot be saved, and the turn goes on", () =>
    Effect.gen(function*() {
      const home = yield* folder
      writeFileSync(join(home, "sessions"), "a file")
      const serving = yield* serve
      const { events } = yield* turn("go").pipe(Effect.provide(agentLayer({ model: modelAt(serving, "openai"), config: configFor(serving, "openai"), tools, sessions: sessionsIn(home) })))
      assert.strictEqual(ofType(events, "notice").length, 1)
      assert.match(ofType(events, "notice")[0]?.message ?? "", /^Sessions in .* cannot be saved/)
      assert.strictEqual(ofType(events, "done")[0]?.stop, "end")
    }))
})
