import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SyntaxLive } from "../../../src/services/syntax/live.js"
import { outline } from "../../../src/tools/extra/outline.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, workspace } from "../workspace.js"

const given = (tree: Readonly<Record<string, string>>, denied: ReadonlyArray<string> = []) =>
  Effect.provide(workspace(tree, denied).pipe(Layer.provideMerge(SyntaxLive)))

describe("outline", () => {
  it.live("shows headings with line ranges, nested, without fields", () =>
    Effect.gen(function*() {
      const text = yield* call(outline, { path: "src/a.ts" })
      assert.strictEqual(text, `src/a.ts (TypeScript, 9 lines)
1: export const port = 8080
3-9: export class Server<A> extends Base
  6-8: async start(port: number, host: string): Promise<void>`)
    }).pipe(given({
      "src/a.ts": `export const port = 8080
/** About it. */
@sealed()
export class Server<A>
  extends Base { private name = "a"
  async start(port: number,
    host: string): Promise<void> {
  }
}
`
    })))

  it.live("says that a file declares nothing", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(outline, { path: "a.py" }), "a.py (Python, 1 line) declares nothing.")
    }).pipe(given({ "a.py": "# class A: pass\n" })))

  it.live("says that parts do not parse", () =>
    Effect.gen(function*() {
      assert.include(yield* call(outline, { path: "a.go" }), "(some of it does not parse; what is declared there may be missing)")
    }).pipe(given({ "a.go": "package a\nfunc f() {}\nfunc (((\n" })))

  it.live("leaves members out when the whole would not fit a result", () =>
    Effect.gen(function*() {
      const text = yield* call(outline, { path: "a.ts" })
      assert.isBelow(text.length, 30_000)
      assert.include(text, "members are left out")
      assert.include(text, "4996-4999: class C999")
      assert.notInclude(text, "method999")
    }).pipe(given({ "a.ts": Array.from({ length: 1_000 }, (_, n) => `class C${n} {\n  method${n}(): string {}\n  another${n}() {}\n}\n\n`).join("").slice(0, -1) })))

  it.live("shows nothing of a denied file", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(outline, { path: "secret.ts" }))
      assert.include(error.message, "secret.ts is denied on read")
      assert.notInclude(error.message, "token")
    }).pipe(given({ "secret.ts": "export const token = 1\n" }, ["secret.ts"])))

  it("costs few bytes of a request", () => assert.isAtMost(bytesOf(outline), 280))
})
