import { assert, describe, it } from "@effect/vitest"
import { type BashSandbox, bashSandbox } from "../../support/bashSandbox.js"
import { allLines } from "../../support/corpus.js"
import { compare, type Difference } from "../../support/differential.js"
import { mutants } from "../../support/mutants.js"

/** 2,000 by default; `SHIRO_BASH_MUTANTS=100000` is the nightly form. `SHIRO_BASH_SEED` names another run. */
const count = Number(process.env["SHIRO_BASH_MUTANTS"] ?? "2000")
const seed = Number(process.env["SHIRO_BASH_SEED"] ?? "1")
const batch = 500

const differences = (sandbox: BashSandbox, lines: ReadonlyArray<string>) => {
  const found: Array<Difference> = []
  let programs = 0
  for (let from = 0; from < lines.length; from += batch) {
    const compared = compare(sandbox, lines.slice(from, from + batch))
    found.push(...compared.differences)
    programs += compared.programs
  }
  return { found, programs }
}

describe("the analysis against bash itself", () => {
  it("knows of every program that bash executes for the corpus and its mutants", () => {
    const sandbox = bashSandbox()
    if (sandbox === null) {
      process.stderr.write("Not compared with bash: this system gives no namespaces (unshare, setpriv).\n")
      return
    }
    try {
      const own = differences(sandbox, allLines())
      assert.deepStrictEqual(own.found, [])
      assert.isAbove(own.programs, 1_000)
      const mutated = differences(sandbox, mutants(allLines(), count, seed))
      assert.deepStrictEqual(mutated.found, [])
      assert.isAbove(mutated.programs, count / 4)
    } finally {
      sandbox.remove()
    }
  }, 60_000 + count * 3_000)
})
