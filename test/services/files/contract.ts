import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Planted } from "../../../src/services/disk/memory.js"
import { Change, Files } from "../../../src/services/Files.js"
import type { Secrets } from "../../../src/services/Secrets.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"

type Given = (tree: Readonly<Record<string, Planted>>) => Layer.Layer<Files, never, Secrets>

/** What every layer of `Files` does. */
export const contract = (name: string, given: Given) => {
  const on = (tree: Readonly<Record<string, Planted>>, denied: ReadonlyArray<string> = []) =>
    <A, E>(run: Effect.Effect<A, E, Files>) => run.pipe(Effect.provide(given(tree)), Effect.provide(SecretsMemory(denied)))
  const text = (path: string) => Effect.flatMap(Files, (files) => Effect.map(files.read(path), (file) => file.text))

  describe(`Files ${name}`, () => {
    it.live("reads and overwrites", () =>
      Effect.gen(function*() {
        const files = yield* Files
        assert.strictEqual(yield* text("a.txt"), "one\n")
        const done = yield* files.overwrite("a.txt", "two\n")
        assert.deepStrictEqual(done, { value: { path: "a.txt", old: "one\n" }, notes: [] })
        assert.strictEqual(yield* text("a.txt"), "two\n")
      }).pipe(on({ "a.txt": "one\n" })))

    it.live("makes several changes at once", () =>
      Effect.gen(function*() {
        const files = yield* Files
        yield* files.transact(["a", "b", "c", "d/e/f"], (held) =>
          Effect.map(held.read("a"), (like) => ({
            changes: [
              Change.Rewrite({ like, text: "A" }),
              Change.Remove({ path: "b" }),
              Change.Move({ from: "c", to: "b" }),
              Change.Create({ path: "d/e/f", text: "F" })
            ],
            value: null
          })))
        assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "d/e/f"], text), ["A", "c", "F"])
        assert.strictEqual((yield* Effect.flip(text("c"))).message, "No such file: c")
      }).pipe(on({ a: "a", b: "b", c: "c" })))
  })
}
