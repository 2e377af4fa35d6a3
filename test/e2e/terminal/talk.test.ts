import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { desk, keys, openTerminal, scripted } from "../../support/terminal.js"

const sizes = [{ columns: 80, rows: 24 }, { columns: 200, rows: 50 }]
const edit = (from: string, to: string) => ({ tools: [{ name: "edit_file", input: { path: "a.txt", oldString: from, newString: to } }] })

describe("the interactive terminal", () => {
  it.scopedLive.each(sizes)("takes a turn from the header over approvals to undo and a resumed session at $columns x $rows", (size) =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\ntwo\nthree\n", "src/names.ts": "export const names = []\n" })
      const a = () => readFileSync(join(at.root, "a.txt"), "utf8")
      const terminal = yield* openTerminal(at, scripted(at, [
        { text: "I change **one** first.", tools: edit("one", "first").tools },
        edit("two", "second"),
        edit("three", "third"),
        { text: "All done here." },
        { text: "The second answer." }
      ], size))
      yield* terminal.see("what shall be done?")
      for (const said of [/shiro \d+\.\d+/, "script/", "session", "workspace", "edit-plus", "guard", "asks"]) yield* terminal.see(said)

      yield* terminal.type("number the lines")
      yield* terminal.see("› number the lines")
      yield* terminal.type(keys.enter)
      yield* terminal.see("edit_file wants to run")
      for (const said of ["I change one first.", "-one", "+first", "y allow once", "n deny"]) yield* terminal.see(said)
      assert.strictEqual(a(), "one\ntwo\nthree\n")
      yield* terminal.type("n")
      yield* terminal.see("Why not?")
      yield* terminal.type(`leave one alone${keys.enter}`)
      yield* terminal.see("edit_file: leave one alone.")
      yield* terminal.see("+second")
      assert.strictEqual(a(), "one\ntwo\nthree\n")
      yield* terminal.type("y")
      yield* terminal.see("+third")
      assert.strictEqual(a(), "one\nsecond\nthree\n")
      yield* terminal.type("a")
      yield* terminal.see("All done here.")
      assert.strictEqual(a(), "one\nsecond\nthird\n")

      yield* terminal.type(`/undo${keys.enter}`)
      yield* terminal.until("the file as it was", () => a() === "one\ntwo\nthree\n")
      yield* terminal.see("a.txt")

      yield* terminal.type("see @nam")
      yield* terminal.see("@src/names.ts")
      yield* terminal.type(keys.tab)
      yield* terminal.see("› see @src/names.ts")
      yield* terminal.type(keys.enter)
      yield* terminal.see("The second answer.")
      yield* terminal.type(`/exit${keys.enter}`)
      assert.strictEqual(yield* terminal.ended, 0)
      assert.include(terminal.whole().replace(/\s+/g, " "), "denied: The user said no to this call of edit_file: leave one alone.")

      const again = yield* openTerminal(at, scripted(at, [{ text: "Still here." }], { ...size, args: ["-c"] }))
      yield* again.see("what shall be done?")
      yield* again.type(keys.up)
      yield* again.see("› see @src/names.ts")
      yield* again.type(keys.enter)
      yield* again.see("Still here.")
      yield* again.type(`/context${keys.enter}`)
      // three prompts and all that came of them: the old session goes on
      yield* again.see(/tokens in 1\d messages/)
    }))
})
