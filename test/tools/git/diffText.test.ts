import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { FileDiff } from "../../../src/services/Git.js"
import { diffText } from "../../../src/tools/git/diffText.js"

const file = (path: string, size: number, leftOut: FileDiff["leftOut"] = null): FileDiff => ({
  path, from: null, change: "modified", added: size, removed: 0, leftOut,
  text: leftOut === null ? `diff --git a/${path} b/${path}\n${"+x\n".repeat(size)}` : null
})

describe("the text of a diff", () => {
  it.prop("fits, shows each file whole or names it as left out, and keeps the order", [
    FastCheck.array(FastCheck.tuple(FastCheck.nat(400), FastCheck.constantFrom(null, null, null, "secret" as const, "size" as const)), { minLength: 2, maxLength: 12 }),
    FastCheck.integer({ min: 1500, max: 4000 })
  ], ([sizes, room]) => {
    const files = sizes.map(([size, leftOut], at) => file(`f${at}.ts`, size, leftOut))
    const text = diffText({ files, outside: 0 }, room)
    assert.isAtMost(text.length, room)
    const [shown = "", list = ""] = text.split("Left out because")
    const truncated = text.includes("... [truncated")
    let last = -1
    for (const each of files) {
      const at = shown.indexOf(each.leftOut === "secret" ? `${each.path} (` : `diff --git a/${each.path} `)
      const named = list.includes(`\n${each.path} (modified`)
      assert.isTrue(at !== -1 || named, each.path)
      if (at === -1) continue
      assert.isFalse(named, each.path)
      assert.isAbove(at, last)
      last = at
      if (each.text !== null && !truncated) assert.include(`${shown}\n`, each.text)
    }
  })

  it("prefers many small files to a large one", () => {
    const text = diffText({ files: [file("big", 300), file("s1", 10), file("s2", 10)], outside: 0 }, 500)
    assert.include(text, "diff --git a/s1")
    assert.include(text, "diff --git a/s2")
    assert.include(text, "Left out because the diff is too large, 1 file (give path to see one):\nbig (modified, +300 -0)")
  })

  it("says what stays outside the workspace", () => {
    assert.match(diffText({ files: [file("a", 1)], outside: 2 }, 500), /\+x\n\n2 more files outside the workspace left out\.$/)
  })
})
