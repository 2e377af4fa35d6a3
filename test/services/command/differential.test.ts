import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type BashSandbox, bashSandbox } from "../../support/bashSandbox.js"
import { allLines, differed } from "../../support/corpus.js"
import { compare, type Difference } from "../../support/differential.js"
import { mutants } from "../../support/mutants.js"

/**
 * A sample by default, since every line starts some processes. `SHIRO_BASH_MUTANTS=2000` (CI) and `100000` (nightly) run
 * the whole corpus and that many mutants; `SHIRO_BASH_SEED` names another run.
 */
const given = process.env["SHIRO_BASH_MUTANTS"]
const count = Number(given ?? "150")
const lines = [...differed(), ...allLines().filter((_, index) => given !== undefined || index % 12 === 0)]
const seed = Number(process.env["SHIRO_BASH_SEED"] ?? "1")
const batch = 250

const differences = Effect.fnUntraced(function*(sandbox: BashSandbox, lines: ReadonlyArray<string>) {
  const found: Array<Difference> = []
  let programs = 0
  for (let from = 0; from < lines.length; from += batch) {
    const compared = compare(sandbox, lines.slice(from, from + batch))
    found.push(...compared.differences)
    programs += compared.programs
    yield* Effect.sleep("1 millis")
  }
  return { found, programs }
})

describe("the analysis against bash itself", () => {
  it.scopedLive("knows of every program that bash executes for the corpus and its mutants", () =>
    Effect.gen(function*() {
      const sandbox = yield* Effect.acquireRelease(Effect.sync(bashSandbox), (each) => Effect.sync(() => each?.remove()))
      if (sandbox === null) {
        process.stderr.write("Not compared with bash: this system gives no namespaces (unshare, setpriv).\n")
        return
      }
      const own = yield* differences(sandbox, lines)
      assert.deepStrictEqual(own.found, [])
      assert.isAbove(own.programs, lines.length / 2)
      const mutated = yield* differences(sandbox, mutants(allLines(), count, seed))
      assert.deepStrictEqual(mutated.found, [])
      assert.isAbove(mutated.programs, count / 2)
    }), 600_000 + count * 3_000)
})
