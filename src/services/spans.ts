import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"

/**
 * What shiro tells a tracer: a turn, its steps, the model's answers and the calls of tools, named after OpenTelemetry's
 * conventions for generative AI. A span holds names, counts and outcomes. Prompts, answers, paths, commands, inputs, results and the words of
 * errors are in none of them, so that a collector may be anybody's.
 */
const kinds = ["invoke_agent", "step", "chat", "execute_tool"] as const
export type Kind = (typeof kinds)[number]
export type Facts = Readonly<Record<string, string | number | boolean>>

/** Every attribute that such a span may have. */
export const facts: ReadonlySet<string> = new Set([
  "gen_ai.operation.name", "gen_ai.agent.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.tool.name", "gen_ai.usage.input_tokens",
  "gen_ai.usage.output_tokens", "gen_ai.usage.cache_read.input_tokens", "shiro.step", "shiro.steps", "shiro.stop", "shiro.tool.touches",
  "shiro.answer.complete", "error.type"
])

/** Tokens as spans name them. */
export const tokens = ({ cachedTokens, inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number }): Facts => ({
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  "gen_ai.usage.cache_read.input_tokens": cachedTokens
})

/** Whether a span is one of these: other ones (each `Effect.fn` makes one) carry errors with all they say. */
export const isTold = (name: string): boolean => kinds.some((kind) => name === kind || name.startsWith(`${kind} `))

/** A failure by its tag alone. */
const errorType = (cause: Cause.Cause<unknown>): string => {
  if (Cause.isInterruptedOnly(cause)) return "interrupted"
  const failure = Cause.failureOption(cause)
  if (failure._tag === "None") return "defect"
  const { value } = failure
  // What the tool itself failed with says more than that a tool failed.
  return tagOf(value) === "ToolFailed" && typeof value === "object" && value !== null && "cause" in value ? tagOf(value.cause) : tagOf(value)
}
const tagOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "_tag" in value && typeof value._tag === "string" ? value._tag : "failure"

/** Begins a span below the one that is there, or below `parent`; `end` has to be called. */
export const begin = (kind: Kind, of: string, facts: Facts, parent?: Tracer.AnySpan): Effect.Effect<Tracer.Span> =>
  Effect.makeSpan(of === "" ? kind : `${kind} ${of}`, {
    attributes: kind === "step" ? facts : { "gen_ai.operation.name": kind, ...facts },
    kind: kind === "chat" ? "client" : "internal",
    captureStackTrace: false,
    ...(parent === undefined ? {} : { parent })
  })

export const end = (span: Tracer.Span, facts: Facts, exit: Exit.Exit<unknown, unknown> = Exit.void): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeNanos, (now) => {
    for (const [name, value] of Object.entries(facts)) span.attribute(name, value)
    if (Exit.isSuccess(exit)) return span.end(now, Exit.void)
    const type = errorType(exit.cause)
    span.attribute("error.type", type)
    span.end(now, Exit.fail(type))
  })

export const within = <A, E, R>(span: Tracer.AnySpan | null, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  span === null ? effect : Effect.withParentSpan(effect, span)

/** The effect as a span; `told` gives what is known when it has ended well or not. */
export const spanned = <A, E, R>(
  span: { readonly kind: Kind; readonly of: string; readonly facts: Facts },
  effect: Effect.Effect<A, E, R>,
  told: Effect.Effect<Facts> = Effect.succeed({})
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(begin(span.kind, span.of, span.facts), (begun) =>
      Effect.flatMap(Effect.exit(restore(within(begun, effect))), (exit) =>
        Effect.zipRight(Effect.flatMap(told, (facts) => end(begun, facts, exit)), exit))))

/** Everything that is there but the span: what is gathered for later belongs to whoever asks for it then. */
export const gathered = <R>(): Effect.Effect<Context.Context<R>, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    const services = new Map(context.unsafeMap)
    services.delete(Tracer.ParentSpan.key)
    return Context.unsafeMake<R>(services)
  })
