import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { Answer, ApproverScripted } from "../../../src/services/Approver.js"
import { Call } from "../../../src/services/Call.js"
import { Permissions, strictest } from "../../../src/services/Permissions.js"
import { corpus } from "../../support/corpus.js"
import { bash, judging, verdictOn } from "../../support/judging.js"

const Case = Schema.Struct({
  rules: Schema.String,
  line: Schema.String,
  decision: Schema.Literal("allow", "ask", "deny"),
  by: Schema.optionalWith(Schema.String, { exact: true })
})
const tables = Schema.decodeUnknownSync(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })))(
  readFileSync(new URL("../../corpus/rules.json", import.meta.url), "utf8")
)

describe("rules on compound commands", () => {
  const cases = corpus("compound", Case)
  it("come in a corpus of at least 150", () => {
    assert.isAtLeast(cases.length, 150)
  })
  for (const [name, rules] of Object.entries(tables)) {
    it.effect(`decide the corpus's lines under the rules "${name}"`, () =>
      Effect.gen(function*() {
        for (const { by, decision, line } of cases.filter((each) => each.rules === name)) {
          const verdict = yield* verdictOn(line)
          assert.deepStrictEqual([verdict.decision, by === undefined ? "" : verdict.by], [decision, by ?? ""], `${JSON.stringify(line)}: ${verdict.reason}`)
        }
      }).pipe(Effect.provide(judging({ rules }))))
  }

  it.effect("say which part was decided by what", () =>
    Effect.gen(function*() {
      const verdict = yield* verdictOn("git status && npm test > log")
      assert.deepStrictEqual(verdict.parts, [
        { subject: "git status", decision: "allow", rule: "git *", source: "test" },
        { subject: "npm test", decision: "ask", rule: "*", source: "test" },
        { subject: "log", decision: "ask", rule: null, source: "default" }
      ])
      assert.deepStrictEqual([verdict.decision, verdict.by, verdict.reason, verdict.grant], [
        "ask",
        "rules",
        "bash (npm test) is to be asked about by the rule \"*\" in test.",
        "npm *"
      ])
    }).pipe(Effect.provide(judging({ rules: tables["git"] ?? {} }))))

  it.effect("grant the first word of each command that asked, for simple forms of it only", () =>
    Effect.gen(function*() {
      const { asked, layer } = yield* ApproverScripted([Answer.Always(), Answer.No({ reason: null })])
      yield* Effect.gen(function*() {
        const permissions = yield* Permissions
        let id = 0
        const run = (line: string) =>
          permissions.settle(bash(line)).pipe(Effect.map(({ granted }) => granted), Effect.provideService(Call, { id: `${++id}`, turn: "t", worker: null }))
        assert.isTrue(yield* run("git log && npm test"))
        assert.strictEqual((yield* asked)[0]?.grant, "git *, npm *")
        assert.isTrue(yield* run("npm run build; git status"))
        for (const line of ["git -c a=b log", "X=1 git log", "$x git", "./git status", "git log > out", "git log | sh", "sudo git log"]) assert.isFalse(yield* run(line), line)
        assert.strictEqual((yield* asked).length, 8)
      }).pipe(Effect.provide(judging({ approver: layer })))
    }))

  it.effect("show whoever is asked what hides in a line", () =>
    Effect.gen(function*() {
      const { asked, layer } = yield* ApproverScripted([Answer.No({ reason: null })])
      yield* Effect.gen(function*() {
        yield* (yield* Permissions).settle(bash("echo \u202efr- mr\u202c x\u200by")).pipe(Effect.provideService(Call, { id: "1", turn: "t", worker: null }))
        const [question] = yield* asked
        assert.deepStrictEqual(question?.subjects, ["echo \\u{202e}fr- mr\\u{202c} x\\u{200b}y"])
        assert.notMatch(question?.reason ?? "", /[\u200b\u202c\u202e]/)
      }).pipe(Effect.provide(judging({ approver: layer })))
    }))

  const simple = fc.constantFrom(
    "git status", "git push x", "npm test", "rm x", "X=1 git log", "$x y", "git log > out", "git -c a=b log", "ls", "echo 'rm x'", "/bin/rm x", "bash -c 'rm x'", "git 'log'", "cat <<< $(ls)"
  )
  const shapes: ReadonlyArray<(lines: ReadonlyArray<string>) => string> = [
    (lines) => lines.join("; "),
    (lines) => lines.join(" && "),
    (lines) => lines.join(" || "),
    (lines) => lines.join("\n"),
    (lines) => lines.join(" & "),
    (lines) => lines.map((line) => `(${line})`).join(" | "),
    (lines) => `{ ${lines.join("; ")}; }`,
    (lines) => `if ${lines.join("; ")}; then ${lines[0] ?? "ls"}; fi`,
    (lines) => `while ${lines.join("; ")}; do ${lines.at(-1) ?? "ls"}; done`,
    (lines) => `f() { ${lines.join("; ")}; }; f`
  ]
  it.effect("decide like the strictest of the parts, for any list of commands", () =>
    Effect.gen(function*() {
      const cases = fc.sample(fc.tuple(fc.array(simple, { minLength: 1, maxLength: 5 }), fc.constantFrom(...shapes)), 300)
      for (const [lines, shape] of cases) {
        const parts = yield* Effect.forEach(lines, verdictOn)
        const whole = yield* verdictOn(shape(lines))
        assert.strictEqual(whole.decision, strictest(parts.map(({ decision }) => decision)), shape(lines))
      }
    }).pipe(Effect.provide(judging({ rules: { bash: { "*": "ask", "git *": "allow", "git push *": "ask", "ls *": "allow", "echo *": "allow", "cat *": "allow", "rm *": "deny", "npm *": "allow" } } }))))
})
