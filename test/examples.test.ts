import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Call, Shiro, Tools } from "shiro-neko"
import { HostMemory, ModelScripted, PermissionsMemory, SecretsMemory } from "shiro-neko/testing"
import { askAll } from "../examples/manyWorkspaces.js"
import { ticket, TrackerOf, withTickets } from "../examples/ownTool.js"
import { review } from "../examples/reviewer.js"
import { weather, withWeather } from "../examples/weather.js"

const place = Effect.acquireRelease(
  Effect.sync(() => {
    const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-examples-")))
    const root = (name: string) => {
      mkdirSync(join(parent, name), { recursive: true })
      writeFileSync(join(parent, name, "name.txt"), `${name}\n`)
      return join(parent, name)
    }
    return { parent, root, host: HostMemory({ env: { PATH: process.env["PATH"] }, homeFolder: parent, cwd: parent }) }
  }),
  ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true }))
)

describe("The examples", () => {
  it.scopedLive("a tool with its own service is called by a model, and alone", () =>
    Effect.gen(function*() {
      const { host, root } = yield* place
      const tracker = TrackerOf({ 7: "The parser forgets commas" })
      const answer = yield* Shiro.answer("what is 7 about?").pipe(
        Effect.provide(withTickets(tracker, {
          root: root("one"), host,
          model: ModelScripted([{ tools: [{ name: "ticket", input: { number: 7 } }] }, { text: "Commas.", expect: { lastResultIncludes: "#7: The parser forgets commas" } }])
        })),
        Effect.scoped
      )
      assert.strictEqual(answer, "Commas.")
      const missing = yield* Effect.flip(Tools.call(ticket, { number: 8 }).pipe(
        Effect.provide(Layer.mergeAll(tracker, PermissionsMemory(), SecretsMemory(), Layer.succeed(Call, { id: "1", turn: "1", worker: null })))
      ))
      assert.strictEqual(missing.message, "There is no ticket 8. Ask the user for its number.")
    }))

  it.scopedLive("the tool of the docs runs, by itself and in memory, and is what docs/embedding.md shows", () =>
    Effect.gen(function*() {
      assert.include(readFileSync("docs/embedding.md", "utf8"), `\`\`\`ts\n${readFileSync("examples/weather.ts", "utf8")}\`\`\`\n`)
      const { root } = yield* place
      assert.strictEqual(yield* Shiro.tool("weather", { place: "Bern" }).pipe(Effect.provide(withWeather(root("one"))), Effect.scoped), "Sun in Bern.")
      assert.strictEqual(yield* Tools.call(weather, { place: "Bern" }).pipe(Effect.provide(Layer.mergeAll(PermissionsMemory(), SecretsMemory()))), "Sun in Bern.")
    }))

  it.scopedLive("a reviewer reads, cannot write, and ends with its verdict", () =>
    Effect.gen(function*() {
      const { host, root } = yield* place
      const found = yield* review("+ const x = 1", {
        root: root("one"), host,
        model: ModelScripted([{ tools: [{ name: "read_file", input: { path: "name.txt" } }, { name: "write_file", input: { path: "x", content: "x" } }] }, { text: "name.txt:1 is fine.\nPASS" }])
      })
      assert.deepStrictEqual(found, { text: "name.txt:1 is fine.\nPASS", passes: true })
    }))

  it.scopedLive("many workspaces are asked at once, and one that is missing is told of", () =>
    Effect.gen(function*() {
      const { host, parent, root } = yield* place
      const model = ModelScripted([{ tools: [{ name: "read_file", input: { path: "name.txt" } }] }, { text: "read" }])
      const answers = yield* askAll([root("one"), root("two"), join(parent, "none"), root("three")], "who are you?", { atOnce: 2, host, model })
      assert.deepStrictEqual(answers.map(({ failed }) => failed), [false, false, true, false])
      assert.deepStrictEqual(answers.filter(({ failed }) => !failed).map(({ text }) => text), ["read", "read", "read"])
      assert.include(answers[2]?.text ?? "", "there is no such folder")
    }))
})
