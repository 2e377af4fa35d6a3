import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Answer, ApproverNobody, ApproverScripted } from "../../../src/services/Approver.js"
import { Call } from "../../../src/services/Call.js"
import { ConfigMemory } from "../../../src/services/Config.js"
import { JailMemory } from "../../../src/services/Jail.js"
import { PermissionsLive } from "../../../src/services/permissions/live.js"
import { Permissions, type Request, type Subject, type Touches } from "../../../src/services/Permissions.js"
import { type Plugin, PluginsMemory } from "../../../src/services/Plugins.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { SurroundingsMemory } from "../../../src/services/surroundings/memory.js"

const request = (tool: string, touches: Touches, subjects: ReadonlyArray<Subject> = ["*"], input: unknown = { tool }): Request<string, unknown> =>
  ({ tool, touches, subjects, input })
const write = (...paths: ReadonlyArray<string>) => request("write_file", "writes", paths.map((path) => ({ path })), paths)
const read = (...paths: ReadonlyArray<string>) => request("read_file", "reads", paths.map((path) => ({ path })), paths)

const run = <A, E>(
  given: {
    readonly rules?: Readonly<Record<string, unknown>>
    readonly plugins?: ReadonlyArray<Plugin>
    readonly answers?: ReadonlyArray<Answer>
    readonly yolo?: boolean
    readonly secrets?: ReadonlyArray<string>
    readonly links?: Readonly<Record<string, string | null>>
  },
  use: (asked: Effect.Effect<ReadonlyArray<{ readonly reason: string; readonly grant: string | null }>>) => Effect.Effect<A, E, Permissions>
) =>
  Effect.gen(function*() {
    const scripted = given.answers === undefined ? null : yield* ApproverScripted(given.answers)
    const layer = PermissionsLive.pipe(Layer.provide(Layer.mergeAll(
      ConfigMemory(given.rules === undefined ? {} : { permission: given.rules }, given.yolo),
      JailMemory(),
      PluginsMemory(given.plugins),
      SecretsMemory(given.secrets),
      SurroundingsMemory({ links: given.links ?? {} }),
      scripted?.layer ?? ApproverNobody
    )))
    return yield* use(scripted?.asked ?? Effect.succeed([])).pipe(Effect.provide(layer))
  })

const inCall = (id: string, turn = "t") => Effect.provideService(Call, { id, turn, worker: null })
const settled = (asking: Request<string, unknown>, id: string, turn?: string) =>
  Effect.flatMap(Permissions, (permissions) => permissions.permit(asking)).pipe(
    Effect.match({ onSuccess: () => "granted", onFailure: (denied) => `${denied.by}: ${denied.reason}` }),
    inCall(id, turn)
  )
const explained = (asking: Request<string, unknown>) => Effect.flatMap(Permissions, (permissions) => permissions.explain(asking))

describe("the judge", () => {
  it.effect("asks the approver where rules ask, and tells the model of a no", () =>
    run({ answers: [Answer.Once(), Answer.No({ reason: "use npm" })] }, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* settled(write("a"), "1"), "granted")
        assert.strictEqual(
          yield* settled(write("b"), "2"),
          "default: The user said no to this call of write_file: use npm. It was not run. Ask what to do instead."
        )
      })))

  it.effect("denies what asks when nobody is there, and says how to allow it", () =>
    run({}, () =>
      Effect.gen(function*() {
        assert.match(yield* settled(write("a"), "1"), /^default: write_file asks by default.*Nobody is here to ask.*--yolo/)
      })))

  it.effect("asks once per call id, whoever asks about it how often", () =>
    run({ answers: [Answer.Once()] }, (asked) =>
      Effect.gen(function*() {
        const permissions = yield* Permissions
        const both = yield* Effect.all([permissions.review(write("a")), permissions.settle(write("a")), permissions.settle(write("a"))], {
          concurrency: "unbounded"
        }).pipe(inCall("1"))
        assert.strictEqual(both[0].decision, "ask")
        assert.deepStrictEqual(both.slice(1), [{ granted: true }, { granted: true }])
        assert.strictEqual(yield* settled(write("a"), "1"), "granted")
        assert.strictEqual((yield* asked).length, 1)
      })))

  it.effect("does not let a call id that was used carry another call", () =>
    run({ answers: [Answer.Once(), Answer.No({ reason: null })] }, (asked) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* settled(write("a"), "1"), "granted")
        assert.match(yield* settled(write("a"), "1"), /^default: The user said no/)
        assert.match(yield* settled(write("b"), "1"), /^default: The user said no/)
        assert.strictEqual((yield* asked).length, 3)
      })))

  it.effect("remembers always for the tool, and never past a deny", () =>
    run({ rules: { write_file: { "*": "ask", "secret/*": "deny" } }, answers: [Answer.Always()] }, (asked) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* settled(write("a"), "1"), "granted")
        assert.strictEqual(yield* settled(write("b"), "2"), "granted")
        assert.strictEqual((yield* asked).length, 1)
        assert.match(yield* settled(write("secret/x"), "3"), /^rules: /)
        const verdict = yield* explained(write("b"))
        assert.deepStrictEqual([verdict.decision, verdict.by], ["allow", "grant"])
      })))

  it.effect("asks at the third identical call of a turn, whatever the order of keys", () =>
    run({ answers: [Answer.No({ reason: null })] }, () =>
      Effect.gen(function*() {
        const call = (input: unknown, id: string, turn?: string) => settled(request("grep", "reads", ["*"], input), id, turn)
        assert.strictEqual(yield* call({ a: 1, b: { c: [1], d: 2 } }, "1"), "granted")
        assert.strictEqual(yield* call({ b: { d: 2, c: [1] }, a: 1 }, "2"), "granted")
        assert.strictEqual(yield* call({ a: 2 }, "3"), "granted")
        assert.match(yield* call({ a: 1, b: { c: [1], d: 2 } }, "4"), /^repeat: The user said no/)
        assert.strictEqual(yield* call({ a: 1, b: { c: [1], d: 2 } }, "5", "next turn"), "granted")
      })))

  it.effect("denies the third identical call when nobody can answer, and folds it under --yolo", () =>
    Effect.gen(function*() {
      const thrice = Effect.forEach(["1", "2", "3"], (id) => settled(read("a"), id))
      assert.match((yield* run({}, () => thrice))[2] ?? "", /^repeat: This is call 3 of read_file with the same input in this turn, and nobody is here/)
      assert.deepStrictEqual(yield* run({ yolo: true }, () => thrice), ["granted", "granted", "granted"])
    }))

  it.effect("counts commands anew after a write that went well", () =>
    run({ rules: { bash: "allow", write_file: "allow" } }, () =>
      Effect.gen(function*() {
        const permissions = yield* Permissions
        const bash = request("bash", "executes", [{ command: "npm test" }])
        yield* settled(bash, "1")
        yield* settled(bash, "2")
        yield* permissions.ended(write("a")).pipe(inCall("w"))
        assert.deepStrictEqual(yield* Effect.forEach(["3", "4"], (id) => settled(bash, id)), ["granted", "granted"])
        assert.match(yield* settled(bash, "5"), /^repeat/)
        for (const id of ["a", "b"]) yield* settled(read("x"), id)
        yield* permissions.ended(write("a")).pipe(inCall("w2"))
        assert.match(yield* settled(read("x"), "c"), /^repeat/)
      })))

  it.effect("counts nothing for explain, and once for a call that is reviewed and then run", () =>
    run({}, () =>
      Effect.gen(function*() {
        const permissions = yield* Permissions
        for (let i = 0; i < 5; i++) assert.strictEqual((yield* explained(read("a"))).decision, "allow")
        for (const id of ["1", "2"]) {
          yield* permissions.review(read("a")).pipe(inCall(id))
          assert.strictEqual(yield* settled(read("a"), id), "granted")
        }
      })))

  it.effect("lets a plugin refuse before rules, grants and --yolo", () =>
    run({
      yolo: true,
      rules: { write_file: "allow" },
      plugins: [{ name: "guard", description: "", beforeToolCall: () => Effect.succeed({ say: "refuse", reason: "No." }) }]
    }, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* settled(write("a"), "1"), "guard: No.")
        assert.deepStrictEqual((yield* explained(write("a"))).parts, [{ subject: "a", decision: "deny", rule: null, source: "guard" }])
      })))

  it.effect("asks where a plugin says so, --yolo or not, unless the rules deny", () =>
    Effect.gen(function*() {
      const plugins: ReadonlyArray<Plugin> = [{ name: "guard", description: "", beforeToolCall: () => Effect.succeed({ say: "ask", reason: "Grave." }) }]
      const asked = yield* run({ yolo: true, plugins, rules: { write_file: "allow" } }, () => settled(write("a"), "1"))
      assert.match(asked, /^guard: Grave/)
      assert.match(yield* run({ yolo: true, plugins, rules: { write_file: "deny" } }, () => settled(write("a"), "1")), /^rules: /)
    }))

  it.effect("blocks the call when a plugin throws or fails", () =>
    Effect.gen(function*() {
      const bad: ReadonlyArray<NonNullable<Plugin["beforeToolCall"]>> = [
        () => Effect.fail("x"),
        () => Effect.die(new Error("x")),
        () => {
          throw new Error("x")
        }
      ]
      for (const beforeToolCall of bad) {
        const plugins = [{ name: "odd", description: "", beforeToolCall }]
        assert.match(yield* run({ plugins, yolo: true }, () => settled(read("a"), "1")), /^plugin: The plugin odd broke down.*blocked/)
      }
    }))

  it.effect("lets a plugin's auto-approval stand in for the default ask only", () =>
    Effect.gen(function*() {
      const plugins: ReadonlyArray<Plugin> = [{ name: "mine", description: "", autoApprove: ["write_file"] }]
      assert.strictEqual(yield* run({ plugins }, () => settled(write("a"), "1")), "granted")
      assert.match(yield* run({ plugins, rules: { write_file: "ask" } }, () => settled(write("a"), "1")), /^rules/)
    }))

  it.effect("folds ask, not deny, under --yolo", () =>
    run({ yolo: true, rules: { write_file: { "*": "ask", x: "deny" } } }, () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* explained(write("a"))).by, "yolo")
        assert.match(yield* settled(write("x"), "1"), /^rules: /)
      })))
})

describe("paths", () => {
  const rules = { write_file: { "*": "allow", "src/generated/*": "deny" }, read_file: { "*": "allow", "private/*": "deny" } }
  it.effect("are judged by their normalised name", () =>
    run({ rules }, () =>
      Effect.gen(function*() {
        for (const path of ["src/generated/a", "./src/x/../generated/a", "/ws/src/generated/a", "src//generated/./a"]) {
          const verdict = yield* explained(write(path))
          assert.deepStrictEqual([verdict.decision, verdict.parts[0]?.subject], ["deny", "src/generated/a"], path)
        }
      })))

  it.effect("one match among many is enough", () =>
    run({ rules }, () => Effect.map(explained(write("a", "src/generated/b", "c")), ({ decision, parts }) => {
      assert.strictEqual(decision, "deny")
      assert.deepStrictEqual(parts.map((part) => part.decision), ["allow", "deny", "allow"])
    })))

  it.effect("are judged by where links lead too, the stricter wins", () =>
    run({ rules, links: { short: "src/generated", out: null, "src/generated/ok": "docs" } }, () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* explained(write("short/a"))).decision, "deny")
        assert.strictEqual((yield* explained(write("src/generated/ok/a"))).decision, "deny")
        const out = yield* explained(write("out/a"))
        assert.deepStrictEqual([out.decision, out.by, out.reason], ["deny", "jail", "Path escapes workspace: out/a"])
      })))

  it.effect("outside are refused, and for what only reads that is left to the tool while something is inside", () =>
    run({ rules }, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual((yield* explained(write("../x"))).by, "jail")
        assert.deepStrictEqual((yield* explained(read("../x"))).by, "jail")
        assert.deepStrictEqual((yield* explained(read("../x", "a"))).decision, "allow")
        assert.deepStrictEqual((yield* explained(write("../x", "a"))).by, "jail")
      })))

  it.effect("that are denied on read stay denied under an allow, but for tools that show nothing of them", () =>
    run({ rules: { "*": "allow" }, secrets: [".env"] }, () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* explained(read(".env"))).by, "secrets")
        assert.strictEqual((yield* explained(request("edit_file", "writes", [{ path: ".env" }]))).by, "secrets")
        assert.strictEqual((yield* explained(write(".env"))).decision, "allow")
      })))

  it.effect("that are protected are not written, or ask under an allow", () =>
    run({ rules: { "*": "allow" } }, () =>
      Effect.gen(function*() {
        for (const path of [".git/hooks/pre-commit", "sub/.GIT/config", ".shiro/config.json", ".git"]) {
          assert.strictEqual((yield* explained(write(path))).by, "protected", path)
          assert.strictEqual((yield* explained(write(path))).decision, "deny", path)
        }
        for (const path of [".bashrc", "x/.mcp.json", ".vscode/tasks.json", ".idea/workspace.xml"]) {
          assert.deepStrictEqual([(yield* explained(write(path))).by, (yield* explained(write(path))).decision], ["protected", "ask"], path)
        }
        assert.strictEqual((yield* explained(read(".git/config"))).decision, "allow")
        assert.strictEqual((yield* explained(write(".gitignore"))).decision, "allow")
      })))
})

describe("a command that copies or moves a denied file", () => {
  const verdict = (command: string) => explained(request("bash", "executes", [{ command }]))
  it.effect("is denied where the new name is not denied, whatever rules say", () =>
    run({ rules: { "*": "allow" }, yolo: true, secrets: [".env", ".env.bak", "config/.env", "backup/.env"] }, () =>
      Effect.gen(function*() {
        for (const line of ["cp .env copy.txt", "mv ./.env x", "cd config && cp .env ../x", "sudo cp .env x", "bash -c 'cp .env x'", "x=.env; cp $x y", "cp -t out .env"]) {
          assert.deepStrictEqual([(yield* verdict(line)).decision, (yield* verdict(line)).by], ["deny", "secrets"], line)
        }
        for (const line of ["cp .env.example .env", "mv .env .env.bak", "cp .env backup/", "cp a b", "cat .env"]) {
          assert.strictEqual((yield* verdict(line)).decision, "allow", line)
        }
      })))
})
