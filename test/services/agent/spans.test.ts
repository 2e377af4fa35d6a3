import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Shiro } from "../../../src/index.js"
import { HostMemory, ModelScripted } from "../../../src/testing.js"

/** A tracer as an embedder may have one, which keeps what it is told. */
const recording = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      let status: Tracer.SpanStatus = { _tag: "Started", startTime }
      const span: Tracer.Span = {
        _tag: "Span", name, parent, context, links, kind, attributes, sampled: true, traceId: "1", spanId: String(spans.length + 1),
        get status() {
          return status
        },
        end: (endTime, exit) => {
          status = { _tag: "Ended", startTime, endTime, exit }
        },
        attribute: (key, value) => void attributes.set(key, value),
        event: () => {},
        addLinks: () => {}
      }
      spans.push(span)
      return span
    },
    context: (run) => run()
  })
  const pathOf = (span: Tracer.AnySpan): string =>
    span._tag === "ExternalSpan" ? "" : Option.match(span.parent, { onNone: () => span.name, onSome: (parent) => `${pathOf(parent)} > ${span.name}` })
  return { tracer, spans, paths: () => spans.map(pathOf) }
}

const place = Effect.acquireRelease(
  Effect.sync(() => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "shiro-spans-")))
    writeFileSync(join(root, "a.txt"), "one\n")
    return root
  }),
  (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)
const model = ModelScripted({
  steps: [{ tools: [{ name: "task", input: { kind: "explore", description: "look", prompt: "look" } }] }, { text: "done" }],
  agents: { look: [{ tools: [{ name: "read_file", input: { path: "secret-name.txt" } }] }, { text: "seen" }] }
})

describe("an embedder's tracer", () => {
  it.scopedLive("hears of turns, steps, answers and calls below the embedder's span, also of helpers, where the layer is built within that span", () =>
    Effect.gen(function*() {
      const root = yield* place
      const { paths, spans, tracer } = recording()
      const options = { root, host: HostMemory({ env: { PATH: process.env["PATH"] }, homeFolder: root, cwd: root }), model, mcp: false }
      const answer = yield* Shiro.answer("go").pipe(
        Effect.provide(Shiro.layer(options)), Effect.scoped, Effect.withTracer(Shiro.onlyOwnSpans(tracer)),
        Effect.withSpan("job"), Effect.withTracer(tracer)
      )
      assert.strictEqual(answer, "done")
      const turn = "job > invoke_agent default"
      const helper = `${turn} > step > execute_tool task > invoke_agent explore`
      assert.sameMembers(paths(), [
        "job", turn, ...["", " > chat script"].flatMap((path) => [`${turn} > step${path}`, `${turn} > step${path}`]), `${turn} > step > execute_tool task`,
        helper, ...["", " > chat script"].flatMap((path) => [`${helper} > step${path}`, `${helper} > step${path}`]), `${helper} > step > execute_tool read_file`
      ])
      assert.isTrue(spans.every(({ status }) => status._tag === "Ended"))
      const own = spans.filter(({ name }) => name !== "job").map(({ attributes, name, status }) => [name, [...attributes], status._tag === "Ended" ? status.exit : null])
      assert.notInclude(JSON.stringify(own), "secret-name")
      assert.include(JSON.stringify(own), "NoSuchFile")
    }))
})
