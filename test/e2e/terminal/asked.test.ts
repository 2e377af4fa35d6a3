import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { desk, keys, openTerminal, scripted } from "../../support/terminal.js"

const ready = "what shall be done?"
const bash = (command: string) => ({ tools: [{ name: "bash", input: { command } }] })
const edit = (oldString: string, newString: string) => ({ tools: [{ name: "edit_file", input: { path: "a.txt", oldString, newString } }] })

describe("answers to approvals", () => {
  it.scopedLive("hold, where always was said, for the same kind of call and for no other", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one two\n" })
      const terminal = yield* openTerminal(at, scripted(at, [
        edit("one", "1"), edit("two", "2"), bash("printf x > made"), bash("printf y >> made"), { text: "All of it is done." }
      ]))
      yield* terminal.see(ready)
      yield* terminal.type(`go${keys.enter}`)
      yield* terminal.see("a always allow edit_file")
      yield* terminal.type("a")
      yield* terminal.see("bash wants to run")
      assert.strictEqual(readFileSync(join(at.root, "a.txt"), "utf8"), "1 2\n")
      assert.isFalse(existsSync(join(at.root, "made")))
      yield* terminal.type("y")
      yield* terminal.see("printf y")
      yield* terminal.see("bash wants to run")
      yield* terminal.type("y")
      yield* terminal.see("All of it is done.")
      assert.strictEqual(readFileSync(join(at.root, "made"), "utf8"), "xy")
      for (const said of ["✓ edit_file a.txt  +1 -1", "✓ bash printf y >> made  no output"]) assert.include(terminal.whole(), said)
    }))

  it.scopedLive("give the reason of a no to the model", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n" })
      const terminal = yield* openTerminal(at, scripted(at, [edit("one", "1"), { text: "Then I leave it.", expect: { lastResultIncludes: "it is read by others" } }]))
      yield* terminal.see(ready)
      yield* terminal.type(`go${keys.enter}`)
      yield* terminal.see("n deny")
      yield* terminal.type("n")
      yield* terminal.see("Why not?")
      yield* terminal.type("it is read by others")
      yield* terminal.see("it is read by others")
      yield* terminal.type(keys.enter)
      yield* terminal.see("Then I leave it.")
      assert.strictEqual(readFileSync(join(at.root, "a.txt"), "utf8"), "one\n")
    }))

  it.scopedLive("come after a long diff has been read to its end, tabs and long lines and all", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const content = Array.from({ length: 100 }, (_, n) => `\t\tnew line ${n + 1} ${n === 40 ? "wide ".repeat(40) : ""}end\n`).join("")
      const terminal = yield* openTerminal(at, scripted(at, [{ tools: [{ name: "write_file", input: { path: "new.txt", content } }] }, { text: "Written." }]))
      yield* terminal.see(ready)
      yield* terminal.type(`go${keys.enter}`)
      yield* terminal.see("↓ shows them")
      for (const said of ["write_file wants to run", "   1 +        new line 1 end", "y allow once"]) yield* terminal.see(said)
      const seen = new Set<number>()
      const look = () => [...terminal.screen().matchAll(/\+ +new line (\d+) /g)].map(([, n]) => Number(n))
      while (!terminal.screen().includes("new line 100 end")) {
        const shown = look()
        for (const n of shown) seen.add(n)
        yield* terminal.type(keys.pageDown)
        yield* terminal.until("the next rows", () => look().at(-1) !== shown.at(-1) || terminal.screen().includes("new line 100 end"))
      }
      for (const n of look()) seen.add(n)
      assert.deepStrictEqual([...seen].sort((one, other) => one - other), Array.from({ length: 100 }, (_, n) => n + 1))
      yield* terminal.see("lines above, ↑ shows them")
      yield* terminal.see("y allow once")
      yield* terminal.type("y")
      yield* terminal.see("Written.")
      assert.strictEqual(readFileSync(join(at.root, "new.txt"), "utf8"), content)
    }))
})

describe("sub-agents at the terminal", () => {
  it.scopedLive("each show every call with its outcome while they work beside each other", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n", "b.txt": "two\n" })
      const wait = bash("while [ ! -e go ]; do sleep 0.05; done; cat a.txt")
      const task = (description: string) => ({ name: "task", input: { description, prompt: "look", kind: "worker" } })
      const terminal = yield* openTerminal(at, scripted(at, {
        steps: [{ tools: [task("the first"), task("the second"), ...wait.tools] }, { text: "Both are back." }],
        agents: {
          "the first": [{ tools: [{ name: "read_file", input: { path: "a.txt" } }] }, { tools: [{ name: "read_file", input: { path: "none.txt" } }] }, wait, { text: "report one" }],
          "the second": [{ tools: [{ name: "glob", input: { pattern: "*.txt" } }] }, wait, { text: "report two" }]
        }
      }, { args: ["--yolo"], rows: 30 }))
      yield* terminal.see(ready)
      yield* terminal.type(`look${keys.enter}`)
      for (const said of ["⋯ task the first", "│ read_file a.txt - ok", /│ read_file none\.txt - .*none\.txt/, "⋯ task the second", "│ glob *.txt - ok"]) yield* terminal.see(said)
      writeFileSync(join(at.root, "go"), "")
      yield* terminal.see("Both are back.")
      for (const said of ["✓ task the first  report one", "✓ task the second  report two"]) assert.include(terminal.whole(), said)
    }))
})
