import { assert, describe, it } from "@effect/vitest"
import { closest } from "../../../src/tools/text/closest.js"

describe("closest", () => {
  it("puts another letter case first, then typing errors, then parts", () => {
    assert.deepStrictEqual(closest("server", ["serverOptions", "Sever", "Server", "client"]), ["Server", "Sever", "serverOptions"])
  })
  it("takes swapped neighbours for one error", () => assert.deepStrictEqual(closest("biuld", ["build", "bold"]), ["build"]))
  it("gives nothing where nothing is like it", () => assert.deepStrictEqual(closest("zzz", ["build", ""]), []))
})
