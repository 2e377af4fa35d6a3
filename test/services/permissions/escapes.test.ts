import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import { ApproverNobody } from "../../../src/services/Approver.js"
import { ConfigMemory } from "../../../src/services/Config.js"
import { Files } from "../../../src/services/Files.js"
import { Permissions, type Touches } from "../../../src/services/Permissions.js"
import { PermissionsLive } from "../../../src/services/permissions/live.js"
import { PluginsMemory } from "../../../src/services/Plugins.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { SurroundingsLive } from "../../../src/services/surroundings/live.js"
import { filesIn, plantAt, temporaryFolder } from "../files/support.js"
import { corpus } from "../../support/corpus.js"

const link = (to: string) => ({ link: to })
/** A workspace with every kind of way out of it, and what lies outside. */
const planted = Effect.gen(function*() {
  const parent = yield* temporaryFolder
  plantAt(parent, { "outside/s.txt": "OUTSIDE", "ws-evil/s.txt": "OUTSIDE" })
  plantAt(`${parent}/ws`, {
    "src/a.ts": "inside", "src/deep/x": "inside", "inner/x": "inside", "a/b/x": "inside",
    "out": link("../outside"), "abs": link("/etc"), "up": link(".."), "chain": link("chain2"), "chain2": link("../outside"), "filelink": link("../outside/s.txt"), "absfile": link(`${parent}/outside/s.txt`),
    "src/out": link("../../outside"), "src/up2": link("../.."), "src/filelink": link("../../outside/s.txt"), "src/deep/back": link("../../.."),
    "dangling": link("../nothing"), "danglingabs": link(`${parent}/nothing`), "danglingdir": link("../nothing-here"), "self": link("."), "proc": link("/proc/self"), "procself": link("/proc/self"), "evil": link("../ws-evil")
  })
  const files = filesIn(parent)
  const judge = PermissionsLive.pipe(Layer.provide(Layer.mergeAll(
    ConfigMemory({ permission: { "*": "allow" } }), PluginsMemory(), ApproverNobody, SurroundingsLive
  )), Layer.provideMerge(files), Layer.provideMerge(SecretsMemory()))
  const fill = (path: string) => path.replaceAll("${WS}", `${parent}/ws`).replaceAll("${PARENT}", parent)
  return { parent, judge, paths: corpus("escapes", Schema.Struct({ path: Schema.String })).map(({ path }) => fill(path)) }
})
const snapshot = (parent: string) => [
  fs.readdirSync(parent).sort(), fs.readdirSync(`${parent}/outside`), fs.readdirSync(`${parent}/ws-evil`), fs.readFileSync(`${parent}/outside/s.txt`, "utf8"), fs.readFileSync(`${parent}/ws-evil/s.txt`, "utf8")
]

describe("a path that leads out of the workspace", () => {
  it("comes in a corpus of at least 100", () => {
    assert.isAtLeast(corpus("escapes", Schema.Struct({ path: Schema.String })).length, 100)
  })

  it.scopedLive("is refused by the judge, for reading and for writing", () =>
    Effect.gen(function*() {
      const { judge, paths } = yield* planted
      yield* Effect.gen(function*() {
        const permissions = yield* Permissions
        for (const path of paths) {
          for (const [tool, touches] of [["read_file", "reads"], ["write_file", "writes"]] as const satisfies ReadonlyArray<readonly [string, Touches]>) {
            const verdict = yield* permissions.explain({ tool, touches, subjects: [{ path }], input: { path } })
            assert.deepStrictEqual([verdict.decision, verdict.by, verdict.reason], ["deny", "jail", `Path escapes workspace: ${path}`], path)
          }
        }
      }).pipe(Effect.provide(judge))
    }))

  it.scopedLive("is neither read nor written by the file service", () =>
    Effect.gen(function*() {
      const { judge, parent, paths } = yield* planted
      const before = snapshot(parent)
      yield* Effect.gen(function*() {
        const files = yield* Files
        for (const path of paths) {
          const read = yield* Effect.either(files.read(path))
          assert.strictEqual(read._tag, "Left", path)
          const window = yield* Effect.either(files.window(path, { offset: 1, limit: 5 }))
          assert.strictEqual(window._tag, "Left", path)
          const written = yield* Effect.either(files.overwrite(path, "PWNED"))
          assert.strictEqual(written._tag, "Left", path)
        }
      }).pipe(Effect.provide(judge))
      const after = snapshot(parent)
      assert.deepStrictEqual(after.slice(1), before.slice(1))
      assert.isFalse(fs.existsSync(`${parent}/nothing`))
      assert.isFalse(fs.existsSync(`${parent}/nothing-here`))
    }), 60_000)

  it.scopedLive("is told from one that only looks like it", () =>
    Effect.gen(function*() {
      const { judge, parent } = yield* planted
      plantAt(`${parent}/ws`, { "..notes": "inside", "...d/f": "inside", "~x/y": "inside" })
      yield* Effect.gen(function*() {
        const permissions = yield* Permissions
        for (const path of ["src/a.ts", "./src/../src/a.ts", "..notes", "...d/f", `${parent}/ws/src/a.ts`, "self/src/a.ts", "self/self/inner/x", "new/file", "a//b/./x"]) {
          const verdict = yield* permissions.explain({ tool: "write_file", touches: "writes", subjects: [{ path }], input: { path } })
          assert.strictEqual(verdict.decision, "allow", `${path}: ${verdict.reason}`)
        }
      }).pipe(Effect.provide(judge))
    }))
})
