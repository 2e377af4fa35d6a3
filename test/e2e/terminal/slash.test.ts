import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { slashCommands } from "../../../src/cli/ui/slash/commands.js"
import { desk, keys, openTerminal, scripted } from "../../support/terminal.js"

/** What each command answers after one turn that wrote a file, a note and a task list; in this order. */
const answers: ReadonlyArray<readonly [line: string, answer: RegExp]> = [
  ["/help", /\/compact +put a[^]*@ +completes a path/],
  ["/tools", /\d+ offered this turn of \d+ registered[^]*read_file +core/],
  ["/skills", /review: .+ \(built.in\)/],
  ["/plugins", /guard: /],
  ["/mcp", /No MCP server is configured/],
  ["/todos", /write the file/],
  ["/notes", /fact: the answer is forty-two/],
  ["/memory", /fact: the answer is forty-two/],
  ["/config", /provider: flag/],
  ["/context", /[\d,]+ of [\d,]+ tokens in \d+ messages/],
  ["/cost", /[\d,]+ tokens in \(/],
  ["/agent plan", /agent: plan/],
  ["/agent nobody", /Unknown agent "nobody"\. Available: default, quick, deep, plan, review/],
  ["/agent default", /agent: default/],
  ["/think high", /level: high/],
  ["/model other", /model: other \(for this run/],
  ["/sessions", /[0-9a-f-]{36}  \d{4}-\d\d-\d\d \d\d:\d\d/],
  ["/export said.md", /Written to .*said\.md/],
  ["/export said.md", /is there already\. Nothing was changed/],
  ["/undo", /new\.txt/],
  ["/compact", /tokens became|nothing to compact|too short/i],
  ["/nonsense", /Unknown command \/nonsense\. \/help lists them\./],
  ["/init", /An AGENTS\.md is not needed\./],
  ["/clear", /A new session begins\./]
]

describe("slash commands", () => {
  it.scopedLive("answer, every one that there is", () =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n" })
      const terminal = yield* openTerminal(at, scripted(at, [
        { tools: [
          { name: "write_file", input: { path: "new.txt", content: "new\n" } },
          { name: "remember", input: { kind: "fact", text: "the answer is forty-two" } },
          { name: "todo_write", input: { todos: [{ content: "write the file", status: "in_progress" }] } }
        ] },
        { text: "Done, and noted." },
        { text: "An AGENTS.md is not needed." },
        { text: "The end." }
      ], { args: ["--yolo"], columns: 160, rows: 60 }))
      yield* terminal.see("what shall be done?")
      yield* terminal.type(`begin${keys.enter}`)
      yield* terminal.see("Done, and noted.")
      for (const [line, answer] of answers) {
        const before = [...terminal.whole().matchAll(new RegExp(answer, "g"))].length
        yield* terminal.type(`${line}${keys.enter}`)
        yield* terminal.until(`the answer ${answer} to ${line}`, () => [...terminal.whole().matchAll(new RegExp(answer, "g"))].length > before)
      }
      assert.isFalse(existsSync(join(at.root, "new.txt")))
      assert.include(readFileSync(join(at.root, "said.md"), "utf8"), "Done, and noted.")

      yield* terminal.type(`/resume${keys.enter}`)
      yield* terminal.see(/Which session\?\s+› 1\. \d{4}-\d\d-\d\d \d\d:\d\d  \S/)
      yield* terminal.type(keys.enter)
      yield* terminal.until("the session", () => /Session [0-9a-f-]{36} goes on, \d+ messages so far\./.test(terminal.whole()))
      yield* terminal.type(`/provider${keys.enter}`)
      yield* terminal.see("Which provider shall answer?")
      yield* terminal.type(keys.escape)
      yield* terminal.see("No provider was set up.")
      yield* terminal.type(`/exit${keys.enter}`)
      assert.strictEqual(yield* terminal.ended, 0)
      const tried = [...answers.map(([line]) => line), "/resume", "/provider", "/exit"]
      assert.deepStrictEqual(slashCommands.map(({ name }) => name).filter((name) => !tried.some((line) => line.split(" ")[0] === `/${name}`)), [])
    }))

  it.scopedLive("are offered by a menu as they are typed", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, []))
      yield* terminal.see("what shall be done?")
      yield* terminal.type("/co")
      for (const name of ["/context", "/cost", "/compact", "/config"]) yield* terminal.see(name)
      yield* terminal.type("st")
      yield* terminal.gone("/context")
      yield* terminal.type(keys.enter)
      yield* terminal.see("tokens in (0 from cache), 0 out.")
    }))
})
