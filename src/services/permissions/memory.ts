import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Decision, Judge, Request, Verdict } from "../Permissions.js"
import { fromJudge, Permissions } from "../Permissions.js"
import { defaultDecision } from "./defaults.js"

/** Allows every call, or decides by tool name; for tests of tools, where permissions are not the point. */
export const PermissionsMemory = (decisions: Readonly<Record<string, Decision>> | Decision = "allow") => {
  const verdict = <Name extends string, In>(request: Request<Name, In>): Verdict => ({
    decision: typeof decisions === "string" ? decisions : decisions[request.tool] ?? defaultDecision(request.touches),
    by: "rules",
    reason: `${request.tool} is decided by the test's rules.`,
    parts: [],
    grant: null
  })
  const judge: Judge = {
    explain: (request) => Effect.sync(() => verdict(request)),
    review: (request) => Effect.sync(() => verdict(request)),
    settle: (request) =>
      Effect.sync(() => {
        const { decision, by, reason } = verdict(request)
        return decision === "allow" ? { granted: true } : { granted: false, by, reason }
      }),
    spent: () => Effect.void,
    ended: () => Effect.void
  }
  return Layer.succeed(Permissions, fromJudge(judge))
}
