import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { isTold } from "../spans.js"

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
const left = new WeakSet<Tracer.AnySpan>()
/** The parent itself, unless it was left out here; whoever called may have spans of his own. */
const toldAbove = (parent: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> =>
  Option.flatMap(parent, (span) => span._tag === "Span" && left.has(span) ? span.parent : Option.some(span))

/**
 * A tracer that hears of turns, steps, answers and calls and of no other span. What lies below a span that is left out goes to the
 * next one above.
 */
export const onlyOwnSpans = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      const above = toldAbove(parent)
      if (isTold(name)) return tracer.span(name, above, context, links, startTime, kind, options)
      const span = untold(name, above, { context, kind, links: [...links] }, startTime)
      left.add(span)
      return span
    },
    context: (run, fiber) => tracer.context(run, fiber)
  })
