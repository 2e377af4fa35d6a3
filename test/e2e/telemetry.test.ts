import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const command = resolve("dist/cli/main.js")
/** Stands in everything that is nobody's business: prompt, file, path, secret, command, error, answer. */
const marker = "private-7f3a"

const Value = Schema.Struct({ stringValue: Schema.optional(Schema.String), intValue: Schema.optional(Schema.Unknown), boolValue: Schema.optional(Schema.Boolean) })
const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Value }))
const Span = Schema.Struct({
  traceId: Schema.String, spanId: Schema.String, parentSpanId: Schema.optional(Schema.String), name: Schema.String, kind: Schema.Number,
  attributes: Attributes, events: Schema.Array(Schema.Unknown), status: Schema.Struct({ code: Schema.Number, message: Schema.optional(Schema.String) })
})
const Traces = Schema.parseJson(Schema.Struct({
  resourceSpans: Schema.Array(Schema.Struct({
    resource: Schema.Struct({ attributes: Attributes }),
    scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) }))
  }))
}))
type Span = typeof Span.Type

/** A collector of traces. `hangs`: it takes what comes and never answers. */
const collector = (hangs = false) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly bodies: Array<string>; readonly headers: Array<string>; readonly close: () => void }>((resume) => {
      const bodies: Array<string> = []
      const headers: Array<string> = []
      const server = createServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => { body += String(chunk) })
        request.on("end", () => {
          bodies.push(body)
          headers.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
          if (!hangs) response.writeHead(200, { "content-type": "application/json" }).end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({
          url: `http://127.0.0.1:${port}`, bodies, headers,
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const script = {
  steps: [
    { text: `I look at ${marker}`, tools: [{ name: "read_file", input: { path: "a.txt" } }, { name: "read_file", input: { path: `${marker}.txt` } }] },
    { tools: [{ name: "bash", input: { command: `echo ${marker}` } }, { name: "task", input: { kind: "explore", description: `look ${marker}`, prompt: marker } }] },
    { text: `done ${marker}` }
  ],
  agents: { [`look ${marker}`]: [{ tools: [{ name: "read_file", input: { path: "a.txt" } }] }, { text: `report ${marker}` }] }
}
const sleeping = { steps: [{ tools: [{ name: "bash", input: { command: `sleep 60; echo ${marker}` } }] }] }
/** `interruptedAt`: plays one long command, and SIGINT comes when stderr has said this */
const run = (env: Readonly<Record<string, string>>, more: ReadonlyArray<string> = [], { interruptedAt }: { readonly interruptedAt?: string } = {}) =>
  Effect.gen(function*() {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-otel-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    mkdirSync(join(folder, "ws"))
    writeFileSync(join(folder, "ws", "a.txt"), `${marker}\n`)
    writeFileSync(join(folder, "ws", ".env"), `TOKEN=${marker}-secret\n`)
    writeFileSync(join(folder, "script.json"), JSON.stringify(interruptedAt === undefined ? script : sleeping))
    const child = spawn(process.execPath, [command, "-p", `say ${marker}`, "--provider", "script", "--yolo", ...more], {
      cwd: join(folder, "ws"),
      env: { PATH: process.env["PATH"], HOME: folder, SHIRO_HOME: join(folder, "home"), SHIRO_SCRIPT: join(folder, "script.json"), ...env },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += String(chunk)
      if (interruptedAt !== undefined && said.includes(interruptedAt)) child.kill("SIGINT")
    })
    const code = yield* Effect.promise(() => new Promise<number | null>((done) => child.once("close", done)))
    return { code, said }
  })

const spansOf = (bodies: ReadonlyArray<string>): ReadonlyArray<Span> =>
  bodies.flatMap((body) => Schema.decodeSync(Traces)(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
const attribute = (span: Span, key: string) => span.attributes.find((each) => each.key === key)?.value.stringValue
/** Names from the root down. */
const pathOf = (span: Span, spans: ReadonlyArray<Span>): string => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? span.name : `${pathOf(parent, spans)} > ${span.name}`
}

describe("traces", () => {
  it.scopedLive("tell of turns, steps, answers and calls, and of nothing that was said, read or run", () =>
    Effect.gen(function*() {
      const { bodies, headers, url } = yield* collector()
      const { code, said } = yield* run({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_EXPORTER_OTLP_HEADERS: "x-team=a%20b", OTEL_SERVICE_NAME: "mine" })
      assert.strictEqual(code, 0, said)
      assert.match(headers[0] ?? "", /^POST \/v1\/traces .*"x-team":"a b"/)
      assert.notInclude(bodies.join(""), marker)
      assert.include(bodies.join(""), "\"service.name\",\"value\":{\"stringValue\":\"mine\"}")
      const spans = spansOf(bodies)
      assert.strictEqual(new Set(spans.map(({ traceId }) => traceId)).size, 1)
      const turn = "invoke_agent default"
      assert.sameMembers(spans.map((span) => pathOf(span, spans)), [
        turn,
        ...["", "", "", " > chat script", " > chat script", " > chat script", " > execute_tool read_file", " > execute_tool read_file"].map((path) => `${turn} > step${path}`),
        ...[" > execute_tool bash", " > execute_tool task"].map((path) => `${turn} > step${path}`),
        ...["", " > step", " > step", " > step > chat script", " > step > chat script", " > step > execute_tool read_file"]
          .map((path) => `${turn} > step > execute_tool task > invoke_agent explore${path}`)
      ])
      const failed = spans.filter(({ status }) => status.code === 2)
      assert.deepStrictEqual(failed.map((span) => [span.name, span.status.message, attribute(span, "error.type")]), [["execute_tool read_file", "NoSuchFile", "NoSuchFile"]])
      assert.isTrue(spans.every(({ events }) => events.length === 0))
      assert.strictEqual(attribute(spans.find(({ name }) => name === "chat script") ?? assert.fail(), "gen_ai.operation.name"), "chat")
    }))

  it.scopedLive("of a turn that ends by a limit are sent as well, and none where the variables say so", () =>
    Effect.gen(function*() {
      const { bodies, url } = yield* collector()
      assert.strictEqual((yield* run({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/own` }, ["--max-steps", "1"])).code, 4)
      assert.deepStrictEqual(spansOf(bodies).filter(({ name }) => name === "step").length, 1)
      assert.deepStrictEqual(spansOf(bodies).filter(({ name }) => name === "invoke_agent default").map((span) => attribute(span, "shiro.stop")), ["steps"])
      const sent = bodies.length
      for (const off of [{ OTEL_SDK_DISABLED: "true" }, { OTEL_TRACES_EXPORTER: "none" }]) {
        assert.strictEqual((yield* run({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...off })).code, 0)
      }
      assert.strictEqual(bodies.length, sent)
    }))

  it.scopedLive("stand below the span that the environment names, and variables that are empty count as not set", () =>
    Effect.gen(function*() {
      const { bodies, headers, url } = yield* collector()
      const { code, said } = yield* run({
        OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "", OTEL_SERVICE_NAME: "", OTEL_RESOURCE_ATTRIBUTES: "service.name=ours,team=a",
        OTEL_SDK_DISABLED: "", TRACEPARENT: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`
      })
      assert.strictEqual(code, 0, said)
      assert.match(headers[0] ?? "", /^POST \/v1\/traces /)
      assert.strictEqual(bodies.join("").split("\"service.name\",\"value\":{\"stringValue\":\"ours\"}").length, 2)
      const spans = spansOf(bodies)
      assert.isTrue(spans.every(({ traceId }) => traceId === "ab".repeat(16)))
      assert.deepStrictEqual(spans.filter(({ parentSpanId }) => parentSpanId === "cd".repeat(8)).map(({ name }) => name), ["invoke_agent default"])
    }))

  it.scopedLive("of a turn that is interrupted are sent, and say so", () =>
    Effect.gen(function*() {
      const { bodies, url } = yield* collector()
      const { code } = yield* run({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, [], { interruptedAt: "bash sleep" })
      assert.strictEqual(code, 130)
      const spans = spansOf(bodies)
      assert.notInclude(bodies.join(""), marker)
      // whether the call had begun is a matter of moments
      const paths = spans.filter(({ name }) => name !== "execute_tool bash").map((span) => pathOf(span, spans))
      assert.sameMembers(paths, ["", " > step", " > step > chat script"].map((path) => `invoke_agent default${path}`))
      assert.deepStrictEqual(spans.filter(({ name }) => name.startsWith("invoke_agent")).map((span) => attribute(span, "shiro.stop")), ["interrupted"])
    }))

  it.scopedLive("are lost in silence where the collector is down or does not answer", () =>
    Effect.gen(function*() {
      const { bodies, url } = yield* collector(true)
      const gone = yield* Effect.scoped(Effect.map(collector(), (there) => there.url))
      const plain = yield* run({})
      for (const endpoint of [url, gone]) {
        const { code, said } = yield* run({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
        assert.strictEqual(code, 0)
        assert.strictEqual(said, plain.said)
      }
      assert.strictEqual(bodies.length, 1)
    }))
})
