import { assert, describe, it } from "@effect/vitest"
import { render } from "ink-testing-library"
import type { Question } from "../../../src/services/Approver.js"
import { Answer } from "../../../src/services/Approver.js"
import { App } from "../../../src/cli/ui/App.js"
import type { Controls } from "../../../src/cli/ui/controls.js"
import { makeKeyReader } from "../../../src/cli/ui/keys.js"
import type { Key } from "../../../src/cli/ui/keys.js"
import type { Screen } from "../../../src/cli/ui/state.js"
import { firstScreen, makeStore } from "../../../src/cli/ui/state.js"
import { plain } from "../../../src/cli/ui/style.js"

/** React draws and runs effects in turns of the event loop, a few for each change. */
const settled = async () => {
  for (let turn = 0; turn < 30; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** The drawn part in a state, with what it has asked to be done. */
const drawn = async (state: Partial<Screen>) => {
  const screen = makeStore<Screen>({ ...firstScreen, ...state })
  const done: Array<unknown> = []
  const listeners = new Set<(key: Key) => void>()
  const read = makeKeyReader()
  const controls: Controls = {
    screen,
    style: plain,
    submit: (text) => void done.push(text),
    answer: (answer) => void done.push(answer),
    choose: (labels) => void done.push(labels),
    interrupt: () => void done.push("interrupt"),
    abort: () => void done.push("abort"),
    completions: (_, word) => Promise.resolve(["/context ", "/cost "].filter((value) => value.startsWith(`/${word}`)).map((value) => ({ value, about: "" }))),
    past: () => ["earlier"],
    onKey: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
  const instance = render(<App controls={controls} />)
  await settled()
  return {
    done,
    screen,
    frame: () => instance.lastFrame() ?? "",
    /** What one read of the terminal gives. */
    keys: async (chunk: string) => {
      for (const key of read(chunk)) for (const listener of Array.from(listeners)) listener(key)
      await settled()
    }
  }
}

const asked: Question = {
  callId: "1", tool: "bash", input: {}, subjects: ["npm test\nnpm run lint"], reason: "bash asks by default.", grant: "npm test*", worker: null, preview: null
}
const question = (changes: Partial<Question> = {}) => ({ question: { asked: { ...asked, ...changes }, preview: [] } })

describe("an approval", () => {
  it("shows every line that wants to run, and what always would allow", async () => {
    const { frame } = await drawn(question({ worker: "tidy" }))
    for (const said of ["worker \"tidy\": bash wants to run", "npm test", "npm run lint", "a always allow bash npm test*"]) assert.include(frame(), said)
  })
  it.each([["y", [Answer.Once()]], ["Y", [Answer.Once()]], ["a", [Answer.Always()]], ["x", []], ["yes", []]] as const)("takes %s", async (chunk, expected) => {
    const { done, keys } = await drawn(question())
    await keys(chunk)
    assert.deepStrictEqual(done, [...expected])
  })
  it("begins a choice on a line of its own where it would be broken", async () => {
    const { frame } = await drawn(question({ grant: "printf *, sleep *, echo *, seq *, false *, cat *, head *, ls *" }))
    assert.match(frame(), /\ny allow once \| a always allow bash printf .* ls \*\nn deny/)
  })
  it("does not take a for what can't be granted", async () => {
    const { done, frame, keys } = await drawn(question({ grant: null }))
    await keys("a")
    assert.deepStrictEqual(done, [])
    assert.notInclude(frame(), "always")
  })
  it("takes a reason with its enter in one read, or none, or goes back", async () => {
    const { done, frame, keys } = await drawn(question())
    await keys("n")
    await keys("\x1b")
    assert.include(frame(), "y allow once")
    await keys("n")
    await keys("not now\r")
    assert.deepStrictEqual(done, [Answer.No({ reason: "not now" })])
  })
})

describe("a picker", () => {
  const inquiry = { question: "Which?", options: [{ label: "one" }, { label: "two", detail: "the other" }], multiple: false, secret: false }
  it("breaks a long question between its words", async () => {
    const { frame } = await drawn({ inquiry: { ...inquiry, question: `${"word ".repeat(24)}end?` } })
    assert.match(frame(), /word\nword[^]*end\?\n/)
  })
  it("moves and chooses with keys that come in one read", async () => {
    const { done, keys } = await drawn({ inquiry })
    await keys("\x1b[B\r")
    assert.deepStrictEqual(done, [["two"]])
  })
  it("chooses several, in the order of the list", async () => {
    const { done, frame, keys } = await drawn({ inquiry: { ...inquiry, multiple: true } })
    await keys("2")
    await keys(" ")
    assert.include(frame(), "☑ two")
    await keys("\r")
    assert.deepStrictEqual(done, [["one", "two"]])
  })
  it("draws dots in place of a secret", async () => {
    const { done, frame, keys } = await drawn({ inquiry: { ...inquiry, options: [], secret: true } })
    await keys("sk-12345")
    assert.include(frame(), "••••••••")
    assert.notInclude(frame(), "sk-")
    await keys("\r")
    assert.deepStrictEqual(done, [["sk-12345"]])
  })
})

describe("the input and what is around it", () => {
  it("keeps a line broken by a backslash, and sends it as two", async () => {
    const { done, keys } = await drawn({ working: true })
    await keys("one\\")
    await keys("\r")
    await keys("two\r")
    assert.deepStrictEqual(done, ["one\ntwo"])
  })
  it("sends what was typed, not what a menu offered for less of it", async () => {
    const { done, frame, keys } = await drawn({})
    await keys("/co")
    assert.include(frame(), "/context")
    await keys("st\r")
    assert.deepStrictEqual(done, ["/cost"])
    await keys("/co")
    await keys("\x15hello\r")
    await keys("/co")
    await keys("\x1b[B\r")
    assert.deepStrictEqual(done, ["/cost", "hello", "/cost"])
  })
  it("draws a part of a very long line around the cursor, and sends all of it", async () => {
    const { done, frame, keys } = await drawn({})
    const long = `begin${"x".repeat(50_000)}end`
    await keys(`\x1b[200~${long}\x1b[201~`)
    assert.include(frame(), "xxend")
    assert.notInclude(frame(), "begin")
    assert.isBelow(frame().split("\n").length, 10)
    await keys("\x01")
    assert.include(frame(), "beginxx")
    await keys("\r")
    assert.deepStrictEqual(done, [long])
  })
  it("aborts on escape and interrupts on ctrl-c while the model works", async () => {
    const { done, keys } = await drawn({ working: true })
    await keys("\x1b")
    await keys("\x03")
    assert.deepStrictEqual(done, ["abort", "interrupt"])
  })
  it("shows reasoning as a count until ctrl-r", async () => {
    const { frame, keys } = await drawn({ working: true, reasoning: "because of this", reasoningChars: 15 })
    assert.include(frame(), "thought 15 characters")
    assert.notInclude(frame(), "because of this")
    await keys("\x12")
    assert.include(frame(), "because of this")
  })
  it("shows the task list's bar, the queue and the status", async () => {
    const { frame } = await drawn({
      working: true,
      queue: ["next"],
      todos: [{ content: "first", status: "done" }, { content: "second", status: "in_progress" }],
      status: { ...firstScreen.status, model: "a/b", branch: "main", contextTokens: 500, contextWindow: 1000, tokens: 12_345, costUsd: 0.5 }
    })
    for (const said of ["████████░░░░░░░░ 1/2 second", "a/b", "context 50%", "12k tokens", "$0.500", "main", "1 queued", "↳ next"]) assert.include(frame(), said)
  })
  it("offers esc to abort the turn only where it does that", async () => {
    assert.include((await drawn({ working: true })).frame(), "esc aborts")
    const { frame } = await drawn({ working: true, ...question() })
    assert.include(frame(), "working")
    assert.notInclude(frame(), "esc aborts")
  })
  it("names the first prompts that wait, each in one line", async () => {
    const { frame } = await drawn({ working: true, queue: ["one\nand more", "two", "three", "four"] })
    for (const said of ["↳ one\n", "↳ three", "4 queued"]) assert.include(frame(), said)
    assert.notInclude(frame(), "four")
  })
  it("shows the last lines of a running command, and none of its escape sequences", async () => {
    const tail = Array.from({ length: 20 }, (_, n) => `\x1b[31mline ${n + 1}\x1b[0m`).join("\n")
    const { frame } = await drawn({ working: true, calls: [{ id: "1", name: "bash", title: "bash npm test", tail }] })
    assert.include(frame(), "⋯ bash npm test")
    assert.include(frame(), "line 20")
    assert.notInclude(frame(), "line 12")
    assert.notInclude(frame(), "\x1b[31m")
  })
})
