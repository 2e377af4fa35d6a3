import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { JailLive } from "../../../src/services/jail/live.js"
import { Surroundings } from "../../../src/services/Surroundings.js"
import { SurroundingsLive } from "../../../src/services/surroundings/live.js"
import { SurroundingsMemory } from "../../../src/services/surroundings/memory.js"
import { plantAt, temporaryFolder } from "../files/support.js"

/** `src/a.ts`, the branches main and topic/x, the tag v1; `inside` leads to src, `outside` out of the workspace. */
const onDisk = Layer.unwrapScoped(Effect.map(temporaryFolder, (parent) => {
  const ws = `${parent}/ws`
  plantAt(ws, { "src/a.ts": "", inside: { link: "src" }, outside: { link: ".." }, dangling: { link: "src/later" } })
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", ...args], { cwd: ws, stdio: "ignore" })
  git("init", "-q")
  git("add", ".")
  git("commit", "-qm", "one")
  git("branch", "topic/x")
  git("pack-refs", "--all")
  git("tag", "v1")
  return SurroundingsLive.pipe(Layer.provide(Layer.orDie(JailLive(ws))))
}))
const inMemory = SurroundingsMemory({ files: ["src/a.ts", "inside", "dangling"], refs: ["main", "topic/x", "v1"], links: { inside: "src", outside: null, dangling: "src/later" } })

const contract = (name: string, layer: Layer.Layer<Surroundings>) =>
  describe(`what surrounds a decision, ${name}`, () => {
    it.live("tells where links lead, as far as it exists", () =>
      Effect.gen(function*() {
        const { realPath } = yield* Surroundings
        assert.deepStrictEqual(
          yield* Effect.forEach(["src/a.ts", "new/file", "inside/a.ts", "inside/new/b", "outside", "outside/x", "dangling"], realPath),
          ["src/a.ts", "new/file", "src/a.ts", "src/new/b", null, null, "src/later"]
        )
      }).pipe(Effect.provide(layer)))
    it.live("tells what is there and what is a ref", () =>
      Effect.gen(function*() {
        const { exists, isRef } = yield* Surroundings
        assert.deepStrictEqual(yield* Effect.forEach(["src", "src/a.ts", "dangling", "nowhere"], exists), [true, true, true, false])
        assert.deepStrictEqual(yield* Effect.forEach(["main", "topic/x", "v1", "src", "topic", "../x", ""], isRef), [true, true, true, false, false, false, false])
      }).pipe(Effect.provide(layer)))
  })
contract("on disk", onDisk)
contract("in memory", inMemory)
