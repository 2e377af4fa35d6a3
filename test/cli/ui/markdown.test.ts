import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import { makeMarkdown } from "../../../src/cli/ui/markdown.js"
import { outcomeOf } from "../../../src/cli/ui/outcome.js"
import { coloured, plain } from "../../../src/cli/ui/style.js"

const at = (columns: number) => makeMarkdown(plain, () => columns)

describe("markdown that streams", () => {
  it("is drawn as it will be printed while its line is not finished", () => {
    for (const line of ["A **bold** word and `code` in a sentence that is longer than the line.", "- an item that is longer than a line of forty columns", "# A heading", "> what was quoted"]) {
      const markdown = at(40)
      assert.deepStrictEqual(markdown.push(line), [])
      const drawn = markdown.drawn()
      assert.notMatch(drawn, /\*\*|`|^- |^#|^>/)
      assert.deepStrictEqual(markdown.push("\n"), drawn.split("\n"))
    }
    const colours = makeMarkdown(coloured, () => 40)
    colours.push("an `unfinished` line")
    assert.include(colours.drawn(), coloured.cyan("unfinished"))
  })
  it("is drawn without the escapes that are in it, and of a long line only the end", () => {
    const markdown = at(40)
    markdown.push(`begin ${"word ".repeat(2000)}\x1b[2Jend`)
    assert.notInclude(markdown.drawn(), "\x1b")
    assert.notInclude(markdown.drawn(), "begin")
    assert.include(markdown.drawn(), "end")
    assert.isAtMost(markdown.drawn().split("\n").length, 12)
  })
  it("keeps bold words that stand before a link", () => {
    const markdown = makeMarkdown(coloured, () => 80)
    assert.deepStrictEqual(markdown.push("That was **all**, see [the docs](https://example.com/a).\n"), [
      `That was ${coloured.bold("all")}, see the docs ${coloured.dim("(https://example.com/a)")}.`
    ])
  })
  it("is drawn as it is within a fence", () => {
    const markdown = at(40)
    markdown.push("```\na **b** `c`")
    assert.strictEqual(markdown.drawn(), "  a **b** `c`")
  })
})

describe("a table", () => {
  const rows = (markdown: ReturnType<typeof at>) => [...markdown.push("| file | what became of it |\n| --- | --- |\n| `a.ts` | one two three four five six seven eight nine |\n| b.ts | short |\n"), ...markdown.end()]
  it("has its cells broken where it is wider than the terminal", () => {
    const drawn = rows(at(30))
    for (const line of drawn) assert.isAtMost(stringWidth(line), 30)
    assert.deepStrictEqual(drawn, [
      "file  what became of it",
      "────  ────────────────────────",
      "a.ts  one two three four five",
      "      six seven eight nine",
      "b.ts  short"
    ])
  })
  it("is as wide as its cells where there is room", () => {
    assert.include(rows(at(80)), "a.ts  one two three four five six seven eight nine")
  })
})

describe("the outcome of a call", () => {
  it("of a change is its size", () => {
    assert.strictEqual(outcomeOf("edit_file", "Edited a.ts: replaced 1 place (+1 -2 lines).").text, "+1 -2")
    assert.strictEqual(outcomeOf("write_file", "Wrote 6 chars to b.txt (new file, 3 lines).").text, "new file, 3 lines")
  })
  it("is how far a task list is, not how long", () => {
    assert.deepStrictEqual(outcomeOf("todo_write", "1 of 2 tasks done.\n[x] one\n[>] two"), { text: "1 of 2 done", well: true })
  })
})
