import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { analyse } from "../../../src/services/command/analyse.js"
import { allLines } from "../../support/corpus.js"
import { bash, judging } from "../../support/judging.js"
import { mutants, randomFrom } from "../../support/mutants.js"
import { Permissions } from "../../../src/services/Permissions.js"

/** 20,000 by default; `SHIRO_FUZZ=1000000` is the full form. */
const count = Number(process.env["SHIRO_FUZZ"] ?? "20000")
const batch = 2_000

const bytes = (amount: number, seed: number): ReadonlyArray<string> => {
  const random = randomFrom(seed)
  return Array.from({ length: amount }, () =>
    Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256))).toString(random.below(2) === 0 ? "latin1" : "utf8"))
}

describe("the analysis under any input", () => {
  it.live("neither breaks down nor hangs, and calls nothing read that has a control character", () => Effect.gen(function*() {
    const lines = allLines()
    for (let from = 0; from < count; from += batch) {
      yield* Effect.sleep("1 millis")
      const half = Math.min(batch, count - from) / 2
      for (const line of [...mutants(lines, half, 1_000 + from), ...bytes(half, 2_000 + from)]) {
        const { commands, unread, writes } = analyse(line)
        if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line) || commands.length + writes.length === 0) assert.isNotNull(unread, JSON.stringify(line))
      }
    }
  }), 60_000 + count)

  it.effect("never ends in an allow where the line could not be read", () =>
    Effect.gen(function*() {
      const permissions = yield* Permissions
      for (const line of [...mutants(allLines(), 700, 7), ...bytes(300, 8)]) {
        if (analyse(line).unread === null) continue
        assert.notStrictEqual((yield* permissions.explain(bash(line))).decision, "allow", JSON.stringify(line))
      }
    }).pipe(Effect.provide(judging({ rules: { "*": "allow" } }))), 120_000)
})
