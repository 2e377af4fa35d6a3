import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"

describe("The API reference", () => {
  it("is what the docstrings say, and every export has one", () => {
    const writes = process.env["SHIRO_WRITE_DOCS"] === "1"
    const { status, stderr } = spawnSync(process.execPath, ["scripts/apiReference.mjs", ...(writes ? [] : ["--check"])], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0)
  })
})
