import assert from "node:assert/strict"
import { test } from "node:test"
import { slug } from "../src/slug.js"

test("joins words with hyphens", () => {
  assert.equal(slug("Hello, World!"), "hello-world")
})

test("squeezes every run of other characters into one hyphen", () => {
  assert.equal(slug("  What -- is a slug?  "), "what-is-a-slug")
})
