import { assert, describe, it } from "@effect/vitest"
import { parsePs, parseStat, taskkill } from "../../../src/services/processes/tree.js"

describe("the table of processes", () => {
  const stat = (name: string, state: string) =>
    `42 (${name}) ${state} 7 40 40 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 1 0 123456 2703360 200 18446744073709551615`

  it("is read from /proc, whatever a program calls itself", () => {
    for (const name of ["bash", "a b", "x) Z 1 1 (y", ")"]) {
      assert.deepStrictEqual(parseStat(stat(name, "S")), { pid: 42, parent: 7, group: 40, started: "123456" })
    }
  })

  it("does not hold what only waits to be reaped", () => {
    assert.isNull(parseStat(stat("bash", "Z")))
    assert.isNull(parsePs("  42     7    40 Z+   Mon Sep  1 10:00:00 2025"))
    assert.isNull(parseStat(""))
  })

  it("is read from ps where there is no /proc", () => {
    assert.deepStrictEqual(parsePs("  42     7    40 S+   Mon Sep  1 10:00:00 2025"), {
      pid: 42,
      parent: 7,
      group: 40,
      started: "Mon Sep 1 10:00:00 2025"
    })
  })

  it("is left to taskkill on Windows, which ends the children too", () => {
    assert.deepStrictEqual(taskkill(42), ["taskkill", ["/PID", "42", "/T", "/F"]])
  })
})
