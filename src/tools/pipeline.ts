import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { LiveOutput } from "../services/Call.js"
import type { Fault } from "../services/Fault.js"
import type { Denied, Request, Settled, Verdict } from "../services/Permissions.js"
import { Permissions } from "../services/Permissions.js"
import { Secrets } from "../services/Secrets.js"
import { gathered, spanned } from "../services/spans.js"
import type { Offered } from "../services/Toolbox.js"
import { expectedAt } from "./expected.js"
import { prepareInput } from "./input.js"
import { limited } from "./limited.js"
import { cap } from "./text/cap.js"
import { escapeStream, withoutEscapes } from "./text/escapes.js"
import type { Tool } from "./Tool.js"
import { inputSchema } from "./Tool.js"

/** The input does not fit the tool's schema. Nothing was run. */
export class InvalidInput extends Data.TaggedError("InvalidInput")<{
  readonly tool: string
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return `Invalid input for ${this.tool}: ${this.faults.join("; ")}. Nothing was run.`
  }
}
/** The body took longer than the tool's limit and was interrupted. */
export class TimedOut extends Data.TaggedError("TimedOut")<{ readonly tool: string; readonly limit: string }> {
  override get message() {
    return `${this.tool} was stopped after ${this.limit}. Ask for less in one call.`
  }
}
/** A tool's own failure, its message masked, free of escapes and capped like a result. */
export class ToolFailed extends Data.TaggedError("ToolFailed")<{
  readonly tool: string
  readonly text: string
  readonly refused: boolean
  readonly cause: unknown
}> {
  override get message() {
    return this.text
  }
}
/** Whatever a call can fail with; each `message` is what a model would read, masked and capped. */
export type CallFault = InvalidInput | TimedOut | Denied | ToolFailed

const decode = Effect.fnUntraced(function*<Name extends string, In, I, E extends Fault, R>(
  tool: Tool<Name, In, I, E, R>,
  raw: unknown
) {
  const prepared = prepareInput(tool.input, raw)
  return yield* Schema.decodeUnknown(tool.input)(prepared, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.mapError((error) =>
      new InvalidInput({
        tool: tool.name,
        faults: ParseResult.ArrayFormatter.formatErrorSync(error).map(({ _tag, message, path }) => {
          const expected = _tag === "Missing" ? expectedAt(tool.wireSchema ?? inputSchema(tool.input), path) : null
          return `${path.length === 0 ? "" : `${path.map(String).join(".")}: `}${message}${expected === null ? "" : `, expected: ${expected}`}`
        })
      }))
  )
})

const requestOf = Effect.fnUntraced(function*<Name extends string, In, I, E extends Fault, R>(
  tool: Tool<Name, In, I, E, R>,
  input: In
) {
  const context = yield* Effect.context<R>()
  const { preview } = tool
  const request: Request<Name, In> = {
    tool: tool.name,
    touches: tool.touches,
    subjects: tool.subjects(input),
    input,
    ...(preview === null ? {} : {
      preview: preview(input).pipe(Effect.provide(context), Effect.catchAll(() => Effect.succeed(null)))
    })
  }
  return request
})

/** What a result, an error and streamed output pass alike: masking, removal of escapes, cap. */
const presentable = Effect.fnUntraced(function*(text: string) {
  const { mask } = yield* Secrets
  const masked = yield* mask(text)
  const plain = withoutEscapes(masked)
  // Again afterwards: a sequence in the middle of a value hides it from the first look.
  return cap(plain === masked ? masked : yield* mask(plain))
})

/** Output on its way to a screen while the tool runs. Most tools send none, so the mask is made for the first piece. */
const masked = Effect.fnUntraced(function*() {
  const live = yield* LiveOutput
  const { maskStream } = yield* Secrets
  const escapes = escapeStream()
  let begun: Effect.Effect.Success<typeof maskStream> | null = null
  const emit = (text: string) => text === "" ? Effect.void : live.emit(text)
  return {
    emit: Effect.fnUntraced(function*(text: string) {
      // Made once, whichever of several fibres comes first.
      const made = begun ?? (yield* maskStream)
      begun ??= made
      yield* emit(begun.push(escapes.push(text)))
    }),
    end: Effect.suspend(() => begun === null ? Effect.void : emit(begun.push(escapes.end()) + begun.end()))
  }
})

const told = <A, E, R>({ name, touches }: { readonly name: string; readonly touches: string }, run: Effect.Effect<A, E, R>) =>
  spanned({ kind: "execute_tool", of: name, facts: { "gen_ai.tool.name": name, "shiro.tool.touches": touches } }, run)

/** Decoded and ready to be judged. */
const requested = <Name extends string, In, I, E extends Fault, R>(tool: Tool<Name, In, I, E, R>, raw: unknown) =>
  Effect.flatMap(decode(tool, raw), (input) => requestOf(tool, input))

const perform = Effect.fnUntraced(function*<Name extends string, In, I, E extends Fault, R>(
  tool: Tool<Name, In, I, E, R>,
  request: Request<Name, In>
) {
  const permissions = yield* Permissions
  const secrets = yield* Secrets
  const permit = yield* permissions.permit(request)
  const limit = tool.limit === undefined ? Duration.seconds(120) : tool.limit(request.input)
  const output = yield* masked()
  const body = tool.run(permit).pipe(
    Effect.provideService(LiveOutput, { emit: output.emit }),
    Effect.ensuring(output.end),
    Effect.ensuring(tool.touches === "writes" || tool.touches === "executes" ? secrets.changed : Effect.void),
    Effect.catchAll((error) =>
      Effect.flatMap(presentable(error.message), (text) =>
        new ToolFailed({ tool: tool.name, text, refused: error.refused === true, cause: error })))
  )
  const late = () => new TimedOut({ tool: tool.name, limit: Duration.format(Duration.decode(limit ?? 0)) })
  const text = yield* limit === null ? body : limited(body, limit, late)
  yield* permissions.ended(request)
  return yield* presentable(text)
})

/**
 * The one way of a call, for every caller: decode, then (guard, rules, repeat guard, approval) behind `permit`,
 * then the body under its limit, then masking and cap.
 */
export const call = <Name extends string, In, I, E extends Fault, R>(tool: Tool<Name, In, I, E, R>, raw: unknown) =>
  told(tool, Effect.flatMap(requested(tool, raw), (request) => perform(tool, request)))

/** The tool as callers see it, its requirements taken from the context it is offered in. */
export const offer = Effect.fnUntraced(function*<Name extends string, In, I, E extends Fault, R>(
  tool: Tool<Name, In, I, E, R>
) {
  const context = yield* gathered<R | Permissions | Secrets>()
  // What was reviewed is what runs: decoded once, whatever becomes of the object in between.
  const reviewed = new WeakMap<object, Request<Name, In>>()
  const anew = (raw: unknown) =>
    Effect.tap(requested(tool, raw), (request) => {
      if (typeof raw === "object" && raw !== null) reviewed.set(raw, request)
    })
  const asReviewed = (raw: unknown) => {
    const known = typeof raw === "object" && raw !== null ? reviewed.get(raw) : undefined
    return known === undefined ? requested(tool, raw) : Effect.succeed(known)
  }
  const judged = <A>(
    request: Effect.Effect<Request<Name, In>, InvalidInput, R>,
    judge: (request: Request<Name, In>) => Effect.Effect<A>,
    bad: (fault: InvalidInput) => A
  ) =>
    request.pipe(
      Effect.matchEffect({ onFailure: (fault) => Effect.succeed(bad(fault)), onSuccess: judge }),
      Effect.provide(context)
    )
  const run = Effect.fnUntraced(function*(raw: unknown) {
    const request = yield* asReviewed(raw)
    if (typeof raw === "object" && raw !== null) reviewed.delete(raw)
    return yield* perform(tool, request)
  })
  const unfit = (fault: InvalidInput): Verdict =>
    ({ decision: "deny", by: "input", reason: fault.message, parts: [], grant: null })
  const permissions = yield* Permissions
  let schema = tool.wireSchema
  const offered: Offered = {
    name: tool.name,
    set: tool.set,
    description: tool.description,
    // made when it is asked for: a tool that is only run needs none
    get inputSchema() {
      return schema ??= inputSchema(tool.input)
    },
    needsRepository: tool.needsRepository ?? tool.set === "git",
    touches: tool.touches,
    explain: (raw) => judged(requested(tool, raw), permissions.explain, unfit),
    review: (raw) => judged(anew(raw), permissions.review, unfit),
    settle: (raw) => judged<Settled>(asReviewed(raw), permissions.settle, (fault) => ({ granted: false, by: "input", reason: fault.message })),
    run: (raw) => told(tool, Effect.provide(run(raw), context))
  }
  return offered
})
