import { assert, describe, it } from "@effect/vitest"
import { applyPatch } from "diff/lib/patch/apply.js"
import * as fc from "effect/FastCheck"
import { changes, renamed, unified } from "../../../src/tools/text/diff.js"
import { lineTexts } from "../../../src/tools/text/lines.js"
import { fileModel, textOf } from "./arbitraries.js"

describe("changes", () => {
  it("numbers the changed places of the new text with two lines around", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n"
    const after = "1\n2\n3\nfour\nfive\n6\n7\n8\n9\n10\n12\n13\n"
    const { added, removed, snippet } = changes(before, after)
    assert.deepStrictEqual([added, removed], [2, 3])
    assert.strictEqual(snippet, "2: 2\n3: 3\n4: four\n5: five\n6: 6\n7: 7\n...\n9: 9\n10: 10\n11: 12\n12: 13")
  })

  it("says what it does not show", () => {
    const after = Array.from({ length: 100 }, (_, index) => `${index}`).join("\n")
    const { snippet } = changes("", after, 3)
    assert.strictEqual(snippet, "1: 0\n2: 1\n3: 2\n(not shown: lines 4-100)")
  })

  it("shows nothing of an emptied file, and does not show carriage returns", () => {
    assert.deepStrictEqual(changes("a\nb\n", ""), { added: 0, removed: 2, snippet: "" })
    assert.strictEqual(changes("a\r\n", "a\r\nb\r\n").snippet, "1: a\n2: b")
  })

  it("numbers every shown line as the file has it", () => {
    fc.assert(fc.property(fileModel(), fileModel(), (before, after) => {
      const lines = lineTexts(textOf(after))
      for (const line of changes(textOf(before), textOf(after), 1_000).snippet.split("\n")) {
        const [, number = "", text = ""] = /^(\d+): (.*)$/s.exec(line) ?? []
        if (number !== "") assert.strictEqual(text, lines[Number(number) - 1])
      }
    }))
  })

  it("gives the same as the whole texts compared, whatever is left out of the comparison", () => {
    fc.assert(fc.property(fileModel(), fileModel(), fileModel(), fileModel(), (head, before, after, tail) => {
      const ended = (file: typeof head) => textOf({ ...file, terminated: true })
      const [a, b] = [ended(head) + ended(before) + textOf(tail), ended(head) + ended(after) + textOf(tail)].map((text) => text.replaceAll("\r\n", "\n"))
      if (a === undefined || b === undefined) return
      const patch = unified({ path: "x", text: a }, { path: "x", text: b })
      assert.strictEqual(applyPatch(a, patch), b)
    }), { numRuns: 300 })
  })

  it("takes texts too different to compare as one block", () => {
    const lines = (prefix: string) => `same\n${Array.from({ length: 5_000 }, (_, index) => `${prefix}${index}`).join("\n")}\nend\n`
    const { added, removed, snippet } = changes(lines("a"), lines("b"), 3)
    assert.deepStrictEqual([added, removed], [5_000, 5_000])
    assert.isTrue(snippet.startsWith("1: same\n2: b0\n3: b1\n"))
    const patch = unified({ path: "x", text: lines("a") }, { path: "x", text: lines("b") })
    assert.isTrue(patch.startsWith("--- a/x\n+++ b/x\n@@ -1,5002 +1,5002 @@\n same\n-a0\n"))
  })
})

describe("unified", () => {
  it("shows a change, a new file, a removed one and a rename", () => {
    assert.strictEqual(unified({ path: "x", text: "a\r\nb\r\n" }, { path: "x", text: "a\r\nc\r\n" }), "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
    assert.strictEqual(unified(null, { path: "x", text: "a" }), "--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n")
    assert.strictEqual(unified({ path: "x", text: "a\n" }, null), "--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n")
    assert.strictEqual(renamed("x", "y"), "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n")
  })
})
