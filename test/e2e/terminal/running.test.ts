import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { lives } from "../../services/shell/workspace.js"
import { desk, keys, openTerminal, scripted } from "../../support/terminal.js"

const bash = (command: string) => ({ tools: [{ name: "bash", input: { command } }] })
const ready = "what shall be done?"

describe("a running turn at the terminal", () => {
  it.scopedLive("shows a command's output while it runs, and goes on after ctrl-c has killed it", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [
        bash("echo $$ > pid; echo \"CI is $CI\"; for n in 1 2 3; do echo line $n; done; sleep 300"),
        { text: "It was stopped, I go on." }
      ], { args: ["--yolo"] }))
      yield* terminal.see(ready)
      yield* terminal.type(`run it${keys.enter}`)
      yield* terminal.see("│ line 3")
      yield* terminal.see("│ CI is true")
      const pid = Number(readFileSync(join(at.root, "pid"), "utf8"))
      assert.isTrue(lives(pid))
      yield* terminal.type(keys.ctrlC)
      yield* terminal.see("It was stopped, I go on.")
      assert.isFalse(lives(pid))
      yield* terminal.see(ready)
      yield* terminal.type(keys.ctrlC)
      assert.strictEqual(yield* terminal.ended, 0)
    }))

  it.scopedLive("draws a line of the answer as markdown before it is finished, and names the prompt that waits", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [{ text: "One **bold** word and five more of them.", pace: 600 }, { text: "The next answer." }]))
      yield* terminal.see(ready)
      yield* terminal.type(`say it${keys.enter}`)
      yield* terminal.see("One bold")
      assert.notInclude(terminal.screen(), "of them")
      yield* terminal.type(`and then${keys.enter}`)
      yield* terminal.see("↳ and then")
      yield* terminal.see("One bold word and five more of them.")
      yield* terminal.see("The next answer.")
      assert.notInclude(terminal.whole(), "↳")
    }))

  it.scopedLive("takes prompts while the model works and sends them in order", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [
        bash("while [ ! -e go ]; do sleep 0.05; done"), { text: "First answer." }, { text: "Second answer." }, { text: "Third answer." }
      ], { args: ["--yolo"] }))
      yield* terminal.see(ready)
      yield* terminal.type(`one${keys.enter}`)
      yield* terminal.see("⋯ bash")
      yield* terminal.type(`two${keys.enter}`)
      yield* terminal.see("1 queued")
      yield* terminal.type(`three${keys.enter}`)
      yield* terminal.see("2 queued")
      yield* terminal.type(`/tools${keys.enter}`)
      yield* terminal.see("3 queued")
      writeFileSync(join(at.root, "go"), "")
      yield* terminal.until("the tools", () => /offered this turn of/.test(terminal.whole()))
      const order = ["First answer.", "› two", "Second answer.", "› three", "Third answer.", "offered this turn of"].map((text) => terminal.whole().indexOf(text))
      assert.deepStrictEqual(order, [...order].sort((one, other) => one - other))
      assert.notInclude(order, -1)
    }))

  it.scopedLive("is aborted by esc together with what is queued, and the next prompt is answered", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [bash("echo $$ > pid; echo begun; sleep 300"), { text: "A new answer." }], { args: ["--yolo"] }))
      yield* terminal.see(ready)
      yield* terminal.type(`one${keys.enter}`)
      yield* terminal.see("│ begun")
      yield* terminal.type(`never sent${keys.enter}`)
      yield* terminal.see("1 queued")
      yield* terminal.type(keys.escape)
      yield* terminal.see("stopped: interrupted")
      yield* terminal.see(ready)
      assert.isFalse(lives(Number(readFileSync(join(at.root, "pid"), "utf8"))))
      yield* terminal.type(`again${keys.enter}`)
      yield* terminal.see("A new answer.")
      assert.notInclude(terminal.whole(), "never sent")
    }))

  it.scopedLive("is left by ctrl-c twice, its command killed and its session saved", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n" })
      const terminal = yield* openTerminal(at, scripted(at, [{ tools: [{ name: "write_file", input: { path: "b.txt", content: "b" } }] }]))
      yield* terminal.see(ready)
      yield* terminal.type(`write b${keys.enter}`)
      yield* terminal.see("write_file wants to run")
      yield* terminal.type(keys.ctrlC)
      yield* terminal.see("ctrl-c again leaves")
      yield* terminal.type(keys.ctrlC)
      assert.strictEqual(yield* terminal.ended, 0)
      assert.isFalse(existsSync(join(at.root, "b.txt")))
      const again = yield* openTerminal(at, scripted(at, [{ text: "Here again." }], { args: ["-c", "and now?"] }))
      yield* again.see("Here again.")
    }))

  it.scopedLive("asks with a picker, one choice or several, or for free text", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const ask = (question: string, options: ReadonlyArray<string>, multiple: boolean) => ({ tools: [{ name: "ask", input: { question, options: options.map((label) => ({ label })), multiple } }] })
      const terminal = yield* openTerminal(at, scripted(at, [
        ask("Which colour?", ["red", "green", "blue"], false),
        { ...ask("Which sizes?", ["small", "large"], true), expect: { lastResultIncludes: "green" } },
        { tools: [{ name: "ask", input: { question: "What name?" } }], expect: { lastResultIncludes: "large" } },
        { text: "Thank you.", expect: { lastResultIncludes: "Ada" } }
      ]))
      yield* terminal.see(ready)
      yield* terminal.type(`paint${keys.enter}`)
      yield* terminal.see("Which colour?")
      yield* terminal.see("› 1. red")
      yield* terminal.type(keys.down)
      yield* terminal.see("› 2. green")
      yield* terminal.type(keys.enter)
      yield* terminal.see("☐ large")
      yield* terminal.type("2")
      yield* terminal.see("☑ large")
      yield* terminal.type(keys.enter)
      yield* terminal.see("What name?")
      yield* terminal.type(`Ada${keys.enter}`)
      yield* terminal.see("Thank you.")
    }))

  it.scopedLive("names what a sub-agent does and how each of its calls ended", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n" })
      const terminal = yield* openTerminal(at, scripted(at, {
        steps: [{ tools: [{ name: "task", input: { description: "look around", prompt: "look", kind: "explore" } }] }, { text: "Found it." }],
        agents: { "look around": [{ tools: [{ name: "read_file", input: { path: "a.txt" } }] }, { text: "a.txt holds one line" }] }
      }))
      yield* terminal.see(ready)
      yield* terminal.type(`look${keys.enter}`)
      yield* terminal.see("Found it.")
      yield* terminal.see("a.txt holds one line")
    }))
})
