import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { transport } from "../services/model/transport.js"
import { isTold } from "../services/spans.js"

type Env = Readonly<Record<string, string | undefined>>

/** `a=b,c=d` with percent signs, as OpenTelemetry writes headers. */
const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(",").flatMap((pair): ReadonlyArray<readonly [string, string]> => {
    const at = pair.indexOf("=")
    if (at < 1) return []
    const value = pair.slice(at + 1).trim()
    try {
      return [[pair.slice(0, at).trim(), decodeURIComponent(value)]]
    } catch {
      return [[pair.slice(0, at).trim(), value]]
    }
  }))

/** Sends once. A collector that is not there, or does not want it, is nobody's trouble here: there is no second try and no word. */
const client = HttpClient.make((request, url, signal) => {
  const { body, headers, method } = request
  const answered = (response: Response) => HttpClientResponse.fromWeb(request, response)
  const content = body._tag === "Uint8Array" ? Buffer.from(body.body).toString("utf8") : undefined
  const send = Effect.tryPromise(() => transport(url, { method, headers, signal, ...(content === undefined ? {} : { body: content }) }))
  return Effect.map(send, answered).pipe(Effect.catchAll(() => Effect.succeed(answered(new Response(null, { status: 204 })))))
})

/** Stands for a span that is not told: what is begun below it belongs to the next one above. */
const untold = (name: string, parent: Option.Option<Tracer.AnySpan>, given: Pick<Tracer.Span, "context" | "kind" | "links">, startTime: bigint): Tracer.Span => ({
  ...given,
  _tag: "Span",
  name,
  spanId: Option.match(parent, { onNone: () => "", onSome: ({ spanId }) => spanId }),
  traceId: Option.match(parent, { onNone: () => "", onSome: ({ traceId }) => traceId }),
  parent,
  status: { _tag: "Started", startTime },
  attributes: new Map(),
  sampled: false,
  end: () => {},
  attribute: () => {},
  event: () => {},
  addLinks: () => {}
})
const toldAbove = (parent: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> =>
  Option.flatMap(parent, (span) => span._tag === "ExternalSpan" || isTold(span.name) ? Option.some(span) : toldAbove(span.parent))

/** Only what shiro tells on purpose: see `services/spans.ts`. */
const sifted = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      const above = toldAbove(parent)
      return isTold(name)
        ? tracer.span(name, above, context, links, startTime, kind, options)
        : untold(name, above, { context, kind, links: [...links] }, startTime)
    },
    context: (run, fiber) => tracer.context(run, fiber)
  })

const isQuirk = (each: unknown) =>
  typeof each === "object" && each !== null && "key" in each && (each.key === "span.label" || each.key === "status.interrupted")
/** As JSON, without what the exporter adds to a failure on its own: that it was interrupted, and an event that says no more than the status. */
const serialization = Layer.effect(
  OtlpSerialization.OtlpSerialization,
  Effect.map(OtlpSerialization.OtlpSerialization, (json) => ({
    ...json,
    traces: (data: unknown) => {
      const told = JSON.stringify(data, (name, value: unknown) =>
        name === "events" ? [] : name === "attributes" && Array.isArray(value) ? value.filter((each) => !isQuirk(each)) : value)
      return HttpBody.text(told, "application/json")
    }
  }))
).pipe(Layer.provide(OtlpSerialization.layerJson))

const url = (env: Env) =>
  env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? `${(env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "").replace(/\/+$/, "")}/v1/traces`

/** Runs the program with its spans sent over OTLP (HTTP, JSON); what is left is sent at its end, within two seconds. */
export const telling = (env: Env, version: string) => <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.scoped(Effect.gen(function*() {
    const tracer = yield* OtlpTracer.make({
      url: url(env),
      resource: { serviceName: env["OTEL_SERVICE_NAME"] ?? "shiro", serviceVersion: version },
      headers: headersIn(env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] ?? env["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""),
      shutdownTimeout: "2 seconds"
    }).pipe(Effect.provide(Layer.merge(serialization, Layer.succeed(HttpClient.HttpClient, client))))
    return yield* Effect.withTracer(program, sifted(tracer))
  }))
