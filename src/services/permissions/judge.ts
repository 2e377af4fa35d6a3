import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Answer, type Approver } from "../Approver.js"
import { Call, type CallFacts } from "../Call.js"
import type { Judge, Request, Settled, Verdict } from "../Permissions.js"
import { type Bench, makeExplain, shown } from "./explain.js"
import { makeGrants } from "./grants.js"
import { makeMemo } from "./memo.js"
import { identityOf, makeRepeats, mostRepeats } from "./repeat.js"
import { visible } from "./visible.js"

/** The repeat guard's word on top of the rules': the third identical call of a turn asks, or is denied where nobody answers. */
const counted = (tool: string, verdict: Verdict, count: number, attended: boolean): Verdict => {
  if (count < mostRepeats || verdict.decision === "deny") return verdict
  const reason = `This is call ${count} of ${tool} with the same input in this turn`
  if (attended) return { ...verdict, decision: "ask", by: "repeat", grant: null, reason: `${reason}.` }
  return {
    ...verdict,
    decision: "deny",
    by: "repeat",
    grant: null,
    reason: `${reason}, and nobody is here to approve it, so it was not run. Use the earlier result, or try something else.`
  }
}

const noFrom = ({ by, reason: why }: Verdict, tool: string, attended: boolean, reason: string | null) =>
  !attended && (by === "guard" || by === "plugin")
    // No rule and no flag allows it, so the approver's advice would mislead.
    ? `${why} Nobody is here to ask, so it was refused. If it has to be done, give it to the user to run.`
    : attended
    ? `The user said no to this call of ${tool}${reason === null ? "" : `: ${reason}`}. It was not run. Ask what to do instead.`
    : reason ?? `${tool} needs approval, and nobody is here to ask. It was not run.`

const outright = ({ by, decision, reason }: Verdict): Settled | null =>
  decision === "allow" ? { granted: true } : decision === "deny" ? { granted: false, by, reason } : null

/** The live judge. What it remembers (grants, counts, verdicts of calls under way) lives as long as it does. */
export const makeJudge = (bench: Bench, approver: Context.Tag.Service<Approver>): Judge => {
  const grants = makeGrants()
  const repeats = makeRepeats()
  const memo = makeMemo()
  const explained = makeExplain(bench, grants)

  const review = Effect.fnUntraced(function*<Name extends string, In>(request: Request<Name, In>) {
    const call = yield* Call
    const entry = memo.of(call, request)
    return yield* entry.once(Effect.gen(function*() {
      if (entry.verdict !== null) return entry.verdict
      const { verdict } = yield* explained(request)
      const count = repeats.count(call.turn, identityOf(request), request.touches === "executes")
      entry.verdict = bench.yolo ? verdict : counted(request.tool, verdict, count, approver.attended)
      return entry.verdict
    }))
  })

  const ask = Effect.fnUntraced(function*<Name extends string, In>(call: CallFacts, request: Request<Name, In>, reviewed: Verdict) {
    // Something may have been granted since the review.
    const now = yield* explained(request)
    const repeated = reviewed.by === "repeat" && now.verdict.decision !== "deny"
    const verdict = repeated ? reviewed : now.verdict
    const settled = outright(verdict)
    if (settled !== null) return settled
    const answer = yield* approver.ask({
      callId: call.id,
      tool: request.tool,
      input: request.input,
      subjects: request.subjects.map((subject) => visible(shown(subject))),
      reason: visible(verdict.reason),
      grant: verdict.grant,
      worker: call.worker,
      preview: request.preview === undefined ? null : yield* request.preview
    })
    return Answer.$match(answer, {
      Once: (): Settled => ({ granted: true }),
      Always: (): Settled => {
        if (!repeated) grants.add(request.tool, now.grants)
        return { granted: true }
      },
      No: ({ reason }): Settled => ({ granted: false, by: verdict.by, reason: noFrom(verdict, request.tool, approver.attended, reason) })
    })
  })

  const settle = Effect.fnUntraced(function*<Name extends string, In>(request: Request<Name, In>) {
    const call = yield* Call
    const entry = memo.of(call, request)
    const verdict = yield* review(request)
    return outright(verdict) ?? (yield* entry.once(Effect.gen(function*() {
      entry.settled ??= yield* ask(call, request, verdict)
      return entry.settled
    })))
  })

  return {
    explain: (request) => Effect.map(explained(request), ({ verdict }) => verdict),
    review,
    settle,
    spent: (request) => Effect.map(Call, (call) => memo.forget(call, request)),
    ended: (request) => Effect.map(Call, ({ turn }) => request.touches === "writes" ? repeats.restart(turn) : undefined)
  }
}
