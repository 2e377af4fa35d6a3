import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Permissions, type Request } from "../../../src/services/Permissions.js"
import { allLines, corpus, Line } from "../../support/corpus.js"
import { bash, judging, verdictOn } from "../../support/judging.js"

/** `--yolo` and a rule that allows everything: what stops a call now is the guard. */
const bold = {
  yolo: true,
  guard: true,
  rules: { "*": "allow" },
  surroundings: { files: ["src/a.ts", "README.md"], refs: ["main", "dev", "v1.0"] }
} as const

const wrong = (name: string, decision: string) =>
  Effect.filter(corpus(name, Line), ({ line }) => Effect.map(verdictOn(line), (verdict) => verdict.decision !== decision))

describe("the guard", () => {
  it.effect("refuses every irreversible command of the corpus, whatever its spelling", () =>
    Effect.gen(function*() {
      assert.isAtLeast(corpus("refused", Line).length, 200)
      assert.deepStrictEqual(yield* wrong("refused", "deny"), [])
    }).pipe(Effect.provide(judging(bold))))

  it.effect("asks about every grave command of the corpus, which nothing folds", () =>
    Effect.gen(function*() {
      assert.isAtLeast(corpus("asked", Line).length, 100)
      assert.deepStrictEqual(yield* wrong("asked", "ask"), [])
    }).pipe(Effect.provide(judging(bold))))

  it.effect("has nothing to say of the ordinary commands of the corpus", () =>
    Effect.gen(function*() {
      assert.isAtLeast(corpus("passes", Line).length, 200)
      assert.deepStrictEqual(yield* wrong("passes", "allow"), [])
    }).pipe(Effect.provide(judging(bold))))

  it.effect("names what and why, and has the model hand the command to the user", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        (yield* verdictOn("cd x && sudo rm -fr build")).reason,
        "The guard refuses a recursive delete (rm): rm -fr build. It is irreversible: what it removes cannot be brought back. Nothing was run. If it has to be done, give the command to the user to run."
      )
      assert.deepStrictEqual(
        yield* Effect.map(verdictOn("npm publish"), ({ by, reason }) => [by, reason]),
        ["guard", "The guard asks every time about publishing or withdrawing a package: npm publish. It is grave: others get it at once, and it cannot be taken back."]
      )
    }).pipe(Effect.provide(judging(bold))))

  it.effect("takes an argument of git checkout for a path when it is there and no ref is", () =>
    Effect.gen(function*() {
      const says = (line: string) => Effect.map(verdictOn(line), ({ decision }) => decision)
      assert.strictEqual(yield* says("git checkout README.md"), "deny")
      assert.strictEqual(yield* says("cd src && git checkout a.ts"), "deny")
      assert.strictEqual(yield* says("git checkout main"), "allow")
      assert.strictEqual(yield* says("git checkout nowhere"), "allow")
    }).pipe(Effect.provide(judging(bold))))

  it.effect("lets the same commands through without plugins", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* verdictOn("rm -rf build")).by, "rules")
    }).pipe(Effect.provide(judging({ rules: { bash: "allow" } }))))

  it.effect("is not outranked by a rule for the whole line", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* verdictOn("rm -rf build")).by, "guard")
    }).pipe(Effect.provide(judging({ guard: true, rules: { bash: { "rm -rf build": "allow" } } }))))

  it.effect("looks at what other tools run", () =>
    Effect.gen(function*() {
      const permissions = yield* Permissions
      const say = (input: unknown, touches: Request<string, unknown>["touches"] = "executes") =>
        Effect.map(permissions.explain({ tool: "mcp__x__y", touches, subjects: ["*"], input }), ({ by, decision }) => `${decision} ${by}`)
      for (
        const input of [
          { command: "rm -rf build" },
          { cmd: "ls; git reset --hard" },
          { command: "bash", args: ["-c", "rm -rf build"] },
          { command: ["git", "push", "--force"] },
          { argv: ["x"], command: ["sh", "-c", "ls && rm -r x"] },
          { options: { script: "curl x | sh" } }
        ]
      ) {
        assert.strictEqual(yield* say(input), "deny guard", JSON.stringify(input))
      }
      assert.strictEqual(yield* say({ command: "rm -rf build" }, "reads"), "allow rules")
      assert.strictEqual(yield* say({ query: "rm -rf build" }), "allow rules")
      assert.strictEqual(yield* say({ command: "ls", text: "rm -rf build" }), "allow rules")
    }).pipe(Effect.provide(judging(bold))))

  it.effect("answers in time about words that many of its patterns could part in many ways", () =>
    Effect.gen(function*() {
      for (const line of [`npm ${"--a=b ".repeat(9_000)}x`, `kubectl ${"--a=b -c d ".repeat(5_000)}get`, `psql -c '${"with a) ".repeat(9_000)}'`, `busctl ${"login1.".repeat(9_000)}`, `sed '${"s!".repeat(9_000)}'`]) {
        assert.strictEqual((yield* verdictOn(line)).decision, "allow", line.slice(0, 40))
      }
      assert.strictEqual((yield* verdictOn(`npm ${"--a=b -c d ".repeat(50)}publish`)).decision, "ask")
    }).pipe(Effect.provide(judging(bold))))

  it.effect("answers for every line of all corpora", () =>
    Effect.gen(function*() {
      const permissions = yield* Permissions
      for (const line of allLines()) assert.isString((yield* permissions.explain(bash(line))).reason)
    }).pipe(Effect.provide(judging({ guard: true }))))
})
