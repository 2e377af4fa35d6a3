import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Notes } from "../../../src/services/Notes.js"
import { NotesMemory } from "../../../src/services/notes/memory.js"
import { PermissionsMemory } from "../../../src/services/permissions/memory.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { forget } from "../../../src/tools/agent/forget.js"
import { recall } from "../../../src/tools/agent/recall.js"
import { remember } from "../../../src/tools/agent/remember.js"
import { call } from "../../../src/tools/pipeline.js"

const given = (...notes: ReadonlyArray<string>) =>
  Effect.provide(Layer.mergeAll(NotesMemory(notes), PermissionsMemory(), SecretsMemory()))
const texts = Effect.flatMap(Notes, ({ all }) => Effect.map(all, (notes) => notes.map(({ text }) => text)))

describe("forget", () => {
  it.effect("removes every note that contains the text and keeps the rest", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(forget, { text: "yarn" }), "Forgot 2 notes.")
      assert.deepStrictEqual(yield* texts, ["tests run with vitest"])
    }).pipe(given("use yarn", "tests run with vitest", "yarn 4")))

  it.effect("says that nothing was removed when no note matches", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(forget, { text: "pnpm" }))
      assert.strictEqual(error.message, "No note contains \"pnpm\". Nothing was removed. Use recall to see the notes.")
    }).pipe(given("use yarn")))

  const Line = Schema.String.pipe(Schema.pattern(/^[^\s]\S*$/), Schema.maxLength(40))
  it.effect.prop("forgets nothing else", { notes: Schema.Array(Line).pipe(Schema.maxItems(8)), text: Line }, ({ notes, text }) =>
    Effect.gen(function*() {
      const before = yield* texts
      yield* Effect.either(call(forget, { text }))
      assert.deepStrictEqual(yield* texts, before.filter((note) => !note.includes(text)))
    }).pipe(given(...notes)))
})

describe("remember", () => {
  it.effect("keeps a line once, whatever its case and spacing", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(remember, { kind: "command", text: "npm run check" }), "Remembered.")
      assert.strictEqual(yield* call(remember, { kind: "fact", text: " NPM run  check " }), "That is remembered already.")
      assert.deepStrictEqual(yield* texts, ["npm run check"])
    }).pipe(given()))

  it.effect("refuses a line of 401 characters and says how long it is", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(remember, { kind: "fact", text: "x".repeat(401) }))
      assert.include(error.message, "401")
      assert.deepStrictEqual(yield* texts, [])
    }).pipe(given()))

  it.effect("keeps at most 300 notes", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(remember, { kind: "fact", text: "one more" }))
      assert.include(error.message, "300 notes already")
    }).pipe(given(...Array.from({ length: 300 }, (_, n) => `note ${n}`))))
})

describe("recall", () => {
  it.effect("gives the notes that hold every term, newest first, and counts the hits", () =>
    Effect.gen(function*() {
      const text = yield* call(recall, { query: "vitest RUN" })
      assert.deepStrictEqual(text.split("\n").map((line) => line.replace(/^\S+ fact: /, "")), ["vitest: run once", "run vitest"])
      const top = yield* (yield* Notes).top(2)
      assert.deepStrictEqual(top.map(({ hits, text: note }) => [note, hits]), [["run vitest", 1], ["vitest: run once", 1]])
    }).pipe(given("run vitest", "run jest", "vitest: run once")))
})
