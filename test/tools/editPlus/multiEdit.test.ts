import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { multiEdit } from "../../../src/tools/editPlus/multiEdit.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given, textAt } from "../workspace.js"

const failing = (input: unknown) => Effect.map(Effect.flip(call(multiEdit, input)), (error) => error.message)

describe("multi_edit", () => {
  it.effect("applies edits in order, each on the result of the one before, and shows the places", () =>
    Effect.gen(function*() {
      const edits = [{ oldString: "one", newString: "two" }, { oldString: "two", newString: "2", replaceAll: true }, { oldString: "nine", newString: "9" }]
      const text = yield* call(multiEdit, { path: "a", edits })
      assert.strictEqual(
        text,
        "Applied 3 edits to a: replaced 4 places (+3 -3 lines).\n1: 2\n2: 2\n3: x\n4: x\n...\n6: x\n7: x\n8: 9"
      )
      assert.strictEqual(yield* textAt("a"), "2\n2\nx\nx\nx\nx\nx\n9\n")
    }).pipe(given({ a: "one\ntwo\nx\nx\nx\nx\nx\nnine\n" })))

  it.effect("names the edit that fails, in the words of tools.md, and applies none", () =>
    Effect.gen(function*() {
      const edit = (oldString: string, newString: string) => ({ oldString, newString })
      assert.isTrue((yield* failing({ path: "src/users.ts", edits: [edit("alpha", "A"), edit("nowhere", "x"), edit("gamma", "G")] })).startsWith(
        "edit 2: oldString not found in src/users.ts. No edits were applied.\n"
      ))
      assert.isTrue((yield* failing({ path: "src/users.ts", edits: [edit("alpha", "beta"), edit("beta", "x")] })).startsWith(
        "edit 2: oldString appears 2 times in src/users.ts. Add surrounding context or set replaceAll. No edits were applied.\nThey begin at lines 1 and 2."
      ))
      assert.include(yield* failing({ path: "src/users.ts", edits: [edit("alpha", "A"), edit("alpha", "x")] }), "It was there before the earlier edits")
      assert.include(yield* failing({ path: "src/users.ts", edits: [edit("alpha", "A"), edit("", "x")] }), "edit 2: oldString is empty.")
      assert.include(yield* failing({ path: "src/users.ts", edits: [] }), "edits: Expected at least one edit")
      assert.include(yield* failing({ path: "gone", edits: [edit("a", "b")] }), "No such file: gone")
      assert.strictEqual(yield* textAt("src/users.ts"), "alpha\nbeta\ngamma\n")
    }).pipe(given({ "src/users.ts": "alpha\nbeta\ngamma\n" })))

  it.effect("says when edits cancel each other", () =>
    Effect.gen(function*() {
      const text = yield* call(multiEdit, { path: "a", edits: [{ oldString: "x", newString: "y" }, { oldString: "y", newString: "x" }] })
      assert.include(text, "Together they change nothing.")
    }).pipe(given({ a: "x\n" })))

  it.effect.prop("equals the edits made one by one, or leaves the file as it was", {
    text: fc.string({ unit: fc.constantFrom("a", "b", "c", "\n"), maxLength: 12 }),
    edits: fc.array(
      fc.record({
        oldString: fc.constantFrom("a", "ab", "b\n", "c", ""),
        newString: fc.constantFrom("", "b", "a\n", "cc"),
        replaceAll: fc.boolean()
      }),
      { minLength: 1, maxLength: 4 }
    )
  }, ({ edits, text }) => {
    const expected = edits.reduce<string | null>((done, { newString, oldString, replaceAll }) => {
      if (done === null || oldString === "" || oldString === newString) return null
      const places = done.split(oldString).length - 1
      return places === 1 || (places > 1 && replaceAll) ? done.split(oldString).join(newString) : null
    }, text)
    return Effect.gen(function*() {
      const done = yield* Effect.isSuccess(call(multiEdit, { path: "a", edits }))
      assert.strictEqual(done, expected !== null)
      assert.strictEqual(yield* textAt("a"), expected ?? text)
    }).pipe(given({ a: text }))
  }, { fastCheck: { numRuns: 15 } })

  it("costs a request at most what tools.md says", () => assert.isAtMost(bytesOf(multiEdit), 934))
})
