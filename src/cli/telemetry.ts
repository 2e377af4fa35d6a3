import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { transport } from "../services/model/transport.js"
import { facts } from "../services/spans.js"
import { onlyOwnSpans } from "../services/spans/only.js"

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

const isFact = (each: unknown) => typeof each === "object" && each !== null && "key" in each && typeof each.key === "string" && facts.has(each.key)
const bare = (span: unknown): unknown =>
  typeof span === "object" && span !== null && "attributes" in span && Array.isArray(span.attributes)
    ? { ...span, attributes: span.attributes.filter(isFact), events: [], links: [] }
    : span
/** As JSON, each span with nothing but what is told on purpose, whatever a plugin, a log line or the exporter itself adds. */
const serialization = Layer.effect(
  OtlpSerialization.OtlpSerialization,
  Effect.map(OtlpSerialization.OtlpSerialization, (json) => ({
    ...json,
    traces: (data: unknown) =>
      HttpBody.text(JSON.stringify(data, (name, value: unknown) => name === "spans" && Array.isArray(value) ? value.map(bare) : value), "application/json")
  }))
).pipe(Layer.provide(OtlpSerialization.layerJson))

/** The span that whoever started shiro wants its turns below, in the form of the header of that name. */
const under = (traceparent: string) => {
  const [, traceId, spanId] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(traceparent) ?? []
  return <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    traceId === undefined || spanId === undefined ? program : Effect.withParentSpan(program, Tracer.externalSpan({ traceId, spanId }))
}

/** Runs the program with its spans sent over OTLP (HTTP, JSON); what is left is sent at its end, within two seconds. */
export const telling = (env: Env, version: string) => <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  // A variable that is empty counts as not set.
  const said = (name: string) => env[name]?.trim() ?? ""
  const resource = said("OTEL_RESOURCE_ATTRIBUTES")
  const service = said("OTEL_SERVICE_NAME") || /(?:^|,)\s*service\.name=([^,]+)/.exec(resource)?.[1]?.trim() || "shiro"
  return Effect.scoped(Effect.gen(function*() {
    const tracer = yield* OtlpTracer.make({
      url: said("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") || `${said("OTEL_EXPORTER_OTLP_ENDPOINT").replace(/\/+$/, "")}/v1/traces`,
      resource: { serviceName: service, serviceVersion: version },
      headers: headersIn(said("OTEL_EXPORTER_OTLP_TRACES_HEADERS") || said("OTEL_EXPORTER_OTLP_HEADERS")),
      shutdownTimeout: "2 seconds"
    }).pipe(
      Effect.provide(Layer.merge(serialization, Layer.succeed(HttpClient.HttpClient, client))),
      // A name given here twice would be sent twice.
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["OTEL_RESOURCE_ATTRIBUTES", resource.replace(/(^|,)\s*service\.name=[^,]*/, "")]])))
    )
    return yield* Effect.withTracer(under(said("TRACEPARENT"))(program), onlyOwnSpans(tracer))
  }))
}
