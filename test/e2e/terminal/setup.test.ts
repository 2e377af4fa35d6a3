import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { lives } from "../../services/shell/workspace.js"
import { modelServer } from "../../support/modelServer.js"
import { desk, keys, openTerminal, scripted } from "../../support/terminal.js"

const key = "sk-test-4f9a1c77d2e8b3"
const readsKey = (home: string) => ({ tools: [{ name: "bash", input: { command: `cat ${join(home, "config.json")}` } }] })

describe("a first start with an empty home", () => {
  it.scopedLive.each([{ term: "xterm-256color" }, { term: "dumb" }])("sets a provider up and answers, and never shows the key that was given, with TERM=$term", ({ term }) =>
    Effect.gen(function*() {
      const at = yield* desk()
      const serving = yield* modelServer([readsKey(at.home), { text: "Set up and here." }], { models: ["small-model", "large-model"] })
      const terminal = yield* openTerminal(at, { args: ["--yolo"], env: { TERM: term } })
      yield* terminal.see("Which provider shall answer?")
      const custom = /(\d+)\. Custom/
      if (term === "dumb") {
        yield* terminal.see(custom)
        yield* terminal.type(`${custom.exec(terminal.screen())?.[1] ?? ""}${keys.enter}`)
      } else {
        yield* terminal.type("\x1b[A")
        yield* terminal.see(/› \d+\. Custom/)
        yield* terminal.type(keys.enter)
      }
      yield* terminal.see("Base URL")
      yield* terminal.type(`${serving.url}${keys.enter}`)
      yield* terminal.see("API key")
      yield* terminal.type(key)
      if (term !== "dumb") yield* terminal.see("•".repeat(key.length))
      yield* terminal.type(keys.enter)
      yield* terminal.see("Which of its 2 models?")
      yield* terminal.type(term === "dumb" ? `2${keys.enter}` : "2")
      yield* terminal.see("large-model of Custom (OpenAI-compatible) answers from now on.")
      const config = join(at.home, "config.json")
      yield* terminal.until("the configuration", () => existsSync(config))
      assert.include(readFileSync(config, "utf8"), key)
      assert.strictEqual(statSync(config).mode & 0o777, 0o600)

      yield* terminal.type(`hello${keys.enter}`)
      yield* terminal.see("Set up and here.")
      assert.deepStrictEqual(serving.requests.map(({ body, headers }) => [body["model"], headers.authorization]), [["large-model", `Bearer ${key}`], ["large-model", `Bearer ${key}`]])
      assert.include(serving.requests[1]?.text ?? "", "[secret hidden]")
      assert.notInclude(serving.requests.map(({ text }) => text).join("\n"), key)
      assert.notInclude(terminal.written(), key)
      assert.deepStrictEqual(serving.faults(), [])
    }))
})

describe("a terminal that can't move its cursor", () => {
  it.scopedLive("takes prompts and answers to approvals line by line, without an escape sequence", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n" })
      const edit = (newString: string) => ({ tools: [{ name: "edit_file", input: { path: "a.txt", oldString: "one", newString } }] })
      const terminal = yield* openTerminal(at, scripted(at, [
        edit("two"),
        { ...edit("three"), expect: { lastResultIncludes: "rather three" } },
        { tools: [{ name: "ask", input: { question: "Which?", options: [{ label: "this" }, { label: "that" }] } }] },
        { text: "It is **done**.", expect: { lastResultIncludes: "that" } }
      ], { env: { TERM: "dumb" } }))
      yield* terminal.see("shiro>")
      yield* terminal.type(`change it${keys.enter}`)
      yield* terminal.see("+two")
      yield* terminal.type(`perhaps${keys.enter}`)
      yield* terminal.see("Answer y, a or n.")
      yield* terminal.type(`n rather three${keys.enter}`)
      yield* terminal.see("+three")
      yield* terminal.type(`y${keys.enter}`)
      yield* terminal.see("2. that")
      assert.strictEqual(readFileSync(join(at.root, "a.txt"), "utf8"), "three\n")
      yield* terminal.type(`2${keys.enter}`)
      yield* terminal.see("It is done.")
      yield* terminal.type(`/cost${keys.enter}`)
      yield* terminal.see("tokens in")
      yield* terminal.type("\x04")
      assert.strictEqual(yield* terminal.ended, 0)
      assert.notInclude(terminal.written(), "\x1b")
    }))

  it.scopedLive("kills the running command on ctrl-c, and nothing else", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [
        { tools: [{ name: "bash", input: { command: "echo $$ > pid; sleep 300" } }] },
        { text: "It was stopped, I go on." }
      ], { args: ["--yolo"], env: { TERM: "dumb" } }))
      const pid = join(at.root, "pid")
      yield* terminal.see("shiro>")
      yield* terminal.type(`run it${keys.enter}`)
      yield* terminal.until("the command", () => existsSync(pid) && readFileSync(pid, "utf8").endsWith("\n"))
      yield* terminal.type(keys.ctrlC)
      yield* terminal.see("It was stopped, I go on.")
      assert.isFalse(lives(Number(readFileSync(pid, "utf8"))))
      yield* terminal.until("the next prompt", () => terminal.screen().trimEnd().endsWith("shiro>"))
      yield* terminal.type(keys.ctrlC)
      assert.strictEqual(yield* terminal.ended, 0)
    }))
})
