import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Request, Subject, Verdict } from "../Permissions.js"
import type { Plugin, PluginWord } from "../Plugins.js"
import { byDefault, type Judged, strictestOf } from "./decide.js"
import type { Grants } from "./grants.js"

/** What the rules need to be told, and who else has a say. */
export interface Bench {
  /** in the order they are asked */
  readonly plugins: ReadonlyArray<Plugin>
  readonly yolo: boolean
  /** the rules' word on one subject, part by part */
  readonly judge: <Name extends string, In>(request: Request<Name, In>, subject: Subject) => Effect.Effect<ReadonlyArray<Judged>>
}
export interface Found {
  readonly verdict: Verdict
  /** the patterns that "always" adds; empty where it can't be granted */
  readonly grants: ReadonlyArray<string>
}

export const shown = (subject: Subject): string =>
  typeof subject === "string" ? subject : "path" in subject ? subject.path : subject.command

const found = (judged: Judged, parts: ReadonlyArray<Judged>, grants: ReadonlyArray<string> = []): Found => ({
  verdict: {
    decision: judged.decision,
    by: judged.by,
    reason: judged.reason,
    parts: parts.map(({ subject, decision, rule, source }) => ({ subject, decision, rule, source })),
    grant: grants.length === 0 ? null : grants.join(", ")
  },
  grants
})

/** The first refusal, else the first wish to ask. A plugin that breaks down refuses. */
const plugged = Effect.fnUntraced(function*<Name extends string, In>(plugins: ReadonlyArray<Plugin>, request: Request<Name, In>) {
  const { input, subjects, tool, touches } = request
  let asks: { readonly plugin: string; readonly word: NonNullable<PluginWord> } | null = null
  for (const { beforeToolCall, name } of plugins) {
    if (beforeToolCall === undefined) continue
    const said = yield* Effect.exit(Effect.suspend(() => beforeToolCall({ tool, touches, subjects, input })))
    if (Exit.isFailure(said)) {
      if (Exit.isInterrupted(said)) return yield* Effect.interrupt
      const reason = `The plugin ${name} broke down while it looked at this call, so the call is blocked. Nothing was run.`
      return { plugin: name, word: { say: "refuse", reason } } as const
    }
    if (said.value?.say === "refuse") return { plugin: name, word: said.value }
    if (said.value?.say === "ask") asks ??= { plugin: name, word: said.value }
  }
  return asks
})

/** Outside the jail, what only reads is the body's to refuse (`read_many_files` does it file by file), unless all of it is. */
const withoutStrays = (parts: ReadonlyArray<Judged>, reads: boolean): ReadonlyArray<Judged> => {
  const inside = parts.filter(({ by }) => by !== "jail")
  return reads && inside.length > 0 ? inside : parts
}

const grantsOf = (parts: ReadonlyArray<Judged>): ReadonlyArray<string> =>
  [...new Set(parts.flatMap(({ decision, grants }) => decision === "ask" ? grants ?? [] : []))]

/** A part that asks, where a plugin or an earlier "always" takes the asking away. */
const eased = (part: Judged, tool: string, plugins: ReadonlyArray<Plugin>, grants: Grants): Judged => {
  if (part.decision !== "ask") return part
  const approving = part.by === "default" ? plugins.find(({ autoApprove }) => autoApprove?.includes(tool) === true) : undefined
  if (approving !== undefined) {
    const reason = `The plugin ${approving.name} says that ${tool} needs no approval.`
    return { ...part, decision: "allow", source: approving.name, by: "plugin", reason }
  }
  const granted = part.grants === null ? null : grants.find(tool, part.subject)
  if (granted === null) return part
  return { ...part, decision: "allow", rule: granted, source: "session", by: "grant", reason: `${tool} ${granted} was allowed for this session.` }
}

/** Guard and plugins, then rules and grants, then `--yolo`: all that is to say of a call but how often it was made. */
export const makeExplain = (bench: Bench, grants: Grants) =>
  Effect.fnUntraced(function*<Name extends string, In>(request: Request<Name, In>) {
    const { tool, touches } = request
    const said = yield* plugged(bench.plugins, request)
    const by = said?.plugin === "guard" ? "guard" : "plugin"
    if (said?.word.say === "refuse") {
      const subject = request.subjects.map(shown).join(" ")
      const refused: Judged = { subject, decision: "deny", rule: null, source: said.plugin, by, reason: said.word.reason, grants: null }
      return found(refused, [refused])
    }
    const judged = (yield* Effect.forEach(request.subjects, (subject) => bench.judge(request, subject))).flat()
    const parts = judged.map((part) => eased(part, tool, bench.plugins, grants))
    const [first = eased(byDefault(tool, touches, "*"), tool, bench.plugins, grants), ...rest] = withoutStrays(parts, touches === "reads")
    const strictest = strictestOf(first, ...rest)
    if (said?.word.say === "ask" && strictest.decision !== "deny") {
      return found({ ...strictest, decision: "ask", by, reason: said.word.reason }, parts)
    }
    if (strictest.decision !== "ask") return found(strictest, parts)
    return bench.yolo
      ? found({ ...strictest, decision: "allow", by: "yolo", reason: `${strictest.reason} --yolo allows it.` }, parts)
      : found(strictest, parts, grantsOf(parts))
  })
