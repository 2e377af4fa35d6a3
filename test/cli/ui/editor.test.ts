import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as E from "../../../src/cli/ui/editor.js"

/** `|` marks the cursor. */
const at = (marked: string): E.Editor => ({ text: marked.replace("|", ""), cursor: marked.indexOf("|") })
const shown = ({ cursor, text }: E.Editor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`

describe("the input line", () => {
  it.each([
    ["left", E.left, "a👨‍👩‍👧|b", "a|👨‍👩‍👧b"],
    ["left over a line end", E.left, "a\n|b", "a|\nb"],
    ["right", E.right, "|é́b", "é́|b"],
    ["right at the end", E.right, "ab|", "ab|"],
    ["home", E.home, "one\ntw|o", "one\n|two"],
    ["end", E.end, "o|ne\ntwo", "one|\ntwo"],
    ["word left", E.wordLeft, "fix src/main.ts|", "fix src/main.|ts"],
    ["word right", E.wordRight, "|fix it", "fix| it"],
    ["backspace", E.backspace, "ab🎉|c", "ab|c"],
    ["backspace at the start", E.backspace, "|c", "|c"],
    ["delete", E.deleteRight, "a|🎉c", "a|c"],
    ["kill to the end", E.killToEnd, "a|bc\nd", "a|\nd"],
    ["kill at a line's end", E.killToEnd, "abc|\nd", "abc|d"],
    ["kill to the start", E.killToStart, "x\nab|c", "x\n|c"],
    ["kill a word", E.killWord, "npm run  test|", "npm run  |"]
  ] as const)("moves and cuts: %s", (_, edit, from, to) => {
    assert.strictEqual(shown(edit(at(from))), to)
  })
  it("goes up and down within a text and says when it can't", () => {
    assert.strictEqual(shown(E.vertical(at("abcd\nef\ngh|i"), -1) ?? E.empty), "abcd\nef|\nghi")
    assert.strictEqual(shown(E.vertical(at("ab|cd\ne"), 1) ?? E.empty), "abcd\ne|")
    assert.isNull(E.vertical(at("a|b\nc"), -1))
    assert.isNull(E.vertical(at("ab\nc|"), 1))
  })
  it("sends on enter, or breaks the line after a backslash", () => {
    assert.deepStrictEqual(E.enter(at("go|")), { send: "go" })
    assert.deepStrictEqual(E.enter(at("one\\|")), { edited: at("one\n|") })
  })
  it("keeps a paste whole, without what a terminal would act on", () => {
    assert.strictEqual(E.paste(E.empty, "a\r\nb\rc\x1b[31m\td").text, "a\nb\nc[31m\td")
  })
  it("knows what is being completed", () => {
    assert.deepStrictEqual(E.completing(at("/mo|")), { kind: "command", from: 0, word: "mo" })
    assert.deepStrictEqual(E.completing(at("see @src/ma|")), { kind: "path", from: 4, word: "src/ma" })
    assert.isNull(E.completing(at("me@host|")))
    assert.isNull(E.completing(at("a /mo|")))
    assert.strictEqual(shown(E.complete(at("see @src/ma|!"), 4, "@src/main.ts ")), "see @src/main.ts |!")
  })
  it("goes back through history and comes back to the draft", () => {
    const start: E.History = { past: ["one", "two"], back: 0, draft: "" }
    const first = E.recallOlder(start, "dra")
    const second = first === null ? null : E.recallOlder(first.history, "two")
    assert.deepStrictEqual([first?.text, second?.text], ["two", "one"])
    assert.isNull(second === null ? "none" : E.recallOlder(second.history, "one"))
    const newer = second === null ? null : E.recallNewer(second.history)
    const draft = newer === null ? null : E.recallNewer(newer.history)
    assert.deepStrictEqual([newer?.text, draft?.text], ["two", "dra"])
  })
  it("never leaves the cursor inside a grapheme or outside the text", () => {
    const moves = [E.left, E.right, E.home, E.end, E.wordLeft, E.wordRight, E.backspace, E.deleteRight, E.killToEnd, E.killToStart, E.killWord]
    FastCheck.assert(FastCheck.property(FastCheck.string({ unit: "grapheme", maxLength: 20 }), FastCheck.array(FastCheck.nat(moves.length - 1)), (text, steps) => {
      let editor = E.withText(text)
      for (const step of steps) editor = (moves[step] ?? E.left)(editor)
      assert.isTrue(editor.cursor >= 0 && editor.cursor <= editor.text.length)
      assert.notMatch(editor.text, /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    }))
  })
})
