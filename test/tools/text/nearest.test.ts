import { assert, describe, it } from "@effect/vitest"
import { nearest, sameButForSpace } from "../../../src/tools/text/nearest.js"

const file = `import { a } from "./a.js"

export const total = (items: Array<Item>) => {
\tlet sum = 0
\tfor (const item of items) {
\t\tsum += item.price * item.count
\t}
\treturn sum
}
`

describe("nearest", () => {
  it("shows the same text but for white space, with its line numbers", () => {
    assert.strictEqual(
      nearest(file, "  for (const item of items) {\n    sum += item.price * item.count\n  }", "oldString"),
      "The same text but for white space is at lines 5-7 (with tabs):\n5: \tfor (const item of items) {\n6: \t\tsum += item.price * item.count\n7: \t}"
    )
  })

  it("finds it across other line breaks and in several places", () => {
    assert.deepStrictEqual(sameButForSpace(["f(a,", "  b)", "x", "f(a, b)"], "f( a, b )"), [{ first: 0, count: 2 }, { first: 3, count: 1 }])
    assert.deepStrictEqual(sameButForSpace(["", "a"], " \n"), [])
  })

  it("says that line numbers came along", () => {
    assert.include(nearest(file, "4: \tlet sum = 0\n5: \tfor (const item of items) {", "oldString"), "line numbers")
  })

  it("says that the new text is there already", () => {
    assert.strictEqual(nearest(file, "return total", "oldString", "\treturn sum"), "The new text is already there, at line 8.")
  })

  it("says that a text is escaped once too often", () => {
    assert.include(nearest(file, "import { a } from \\\"./a.js\\\"", "oldString"), "escaped once too often: with its backslashes resolved it is at line 1")
  })

  it("else shows the most similar lines", () => {
    assert.strictEqual(nearest(file, "sum += item.prize * item.amount", "oldString"), "Most similar:\n6: \t\tsum += item.price * item.count")
    assert.strictEqual(
      nearest(file, "let sum = 1\nfor (const item of items) {\n  sum += item.price", "oldString"),
      "Most similar:\n4: \tlet sum = 0\n5: \tfor (const item of items) {\n6: \t\tsum += item.price * item.count"
    )
  })

  it("shows nothing that is not similar", () => {
    assert.strictEqual(nearest(file, "zzz qqq", "oldString"), "No line is similar. Read the file again.")
    assert.strictEqual(nearest("", "x", "oldString"), "The file is empty.")
  })

  it("stays short and quick on big files of long lines", () => {
    const big = Array.from({ length: 20_000 }, (_, index) => `const value${index} = compute(${index}, "${"x".repeat(120)}")`).join("\n")
    const hint = nearest(`${big}\nfunction someName(first, second) {`, "function sameName(first, second): number {", "oldString")
    assert.strictEqual(hint, "Most similar:\n20001: function someName(first, second) {")
    assert.isBelow(nearest("y".repeat(3_000_000), "y z y", "oldString").length, 1_000)
    assert.isBelow(nearest(`${"word ".repeat(400_000)}\n`, "words are here", "oldString").length, 1_000)
  })
})
