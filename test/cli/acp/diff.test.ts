import { assert, describe, it } from "@effect/vitest"
import { diffContent } from "../../../src/cli/acp/diff.js"
import { unified } from "../../../src/tools/text/diff.js"

const lines = (count: number, changed: ReadonlyArray<number> = []) =>
  Array.from({ length: count }, (_, at) => changed.includes(at) ? `new ${at}\n` : `line ${at}\n`).join("")
const of = (before: string | null, after: string) =>
  diffContent(unified(before === null ? null : { path: "src/a b.ts", text: before }, { path: "src/a b.ts", text: after }), "/ws")

describe("a unified diff for an editor", () => {
  it("is one diff a hunk, each with its context", () => {
    assert.deepStrictEqual(of(lines(40), lines(40, [2, 30])).map((each) => each.type === "diff" ? [each.path, each.oldText?.split("\n")[0], each.newText.split("\n").length] : []), [
      ["/ws/src/a b.ts", "line 0", 7],
      ["/ws/src/a b.ts", "line 27", 8]
    ])
  })
  it("has no old text for a new file, and keeps a missing final newline and lines that look like headers", () => {
    assert.deepStrictEqual(of(null, "--- a\n+++ b\n@@ x"), [{ type: "diff", path: "/ws/src/a b.ts", oldText: null, newText: "--- a\n+++ b\n@@ x" }])
    assert.deepStrictEqual(of("-- x\n", "-- x"), [{ type: "diff", path: "/ws/src/a b.ts", oldText: "-- x\n", newText: "-- x" }])
  })
  it("is shown as text where it was cut", () => {
    const [shown, ...more] = of(lines(6000), lines(6000, Array.from({ length: 6000 }, (_, at) => at)))
    assert.deepStrictEqual([shown?.type, more], ["content", []])
  })
})
