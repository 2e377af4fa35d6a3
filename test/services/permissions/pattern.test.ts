import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { fits } from "../../../src/services/permissions/pattern.js"

describe("a rule's pattern", () => {
  it.each([
    ["git *", "git status", true],
    ["git *", "git", true],
    ["git *", "gitk", false],
    ["git *", "git ", true],
    ["g*t", "g\n/t", true],
    ["*", "", true],
    ["?", "", false],
    ["?", "🛰", true],
    ["??", "🛰", false],
    ["src/*", "src/a/b/c.ts", true],
    ["*.env", "config/.env", true],
    ["*.env", "a.env.x", false],
    ["a.c", "abc", false],
    ["a[b]c", "abc", false],
    ["a[b]c", "a[b]c", true],
    ["(a|b)+$", "(a|b)+$", true],
    ["a*b*c", "aXbYbc", true],
    ["a*b*c", "aXbYb", false]
  ])("%j on %j gives %j", (pattern, text, expected) => {
    assert.strictEqual(fits(pattern, text), expected)
  })

  it("agrees with a regular expression made of it", () => {
    const alphabet = fc.constantFrom("a", "b", "*", "?", " ", "/", "\n", ".", "🛰")
    const texts = fc.array(alphabet, { maxLength: 9 }).map((parts) => parts.join(""))
    const plain = (pattern: string) =>
      new RegExp(`^${pattern.replace(/[.+^${}()|[\]\\/]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}$`, "su")
    fc.assert(fc.property(texts, texts, (pattern, text) => {
      const expected = plain(pattern).test(text) || (pattern.endsWith(" *") && plain(pattern.slice(0, -2)).test(text))
      assert.strictEqual(fits(pattern, text), expected)
    }), { numRuns: 2_000 })
  })

  it("takes no more than a moment on what makes backtracking explode", () => {
    assert.strictEqual(fits(`${"*a".repeat(60)}b`, "a".repeat(20_000)), false)
  })
})
