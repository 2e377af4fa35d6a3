import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Jail } from "../Jail.js"
import type { Touches } from "../Permissions.js"
import type { Secrets } from "../Secrets.js"
import type { Surroundings } from "../Surroundings.js"
import { decide, type Judged, strictestOf } from "./decide.js"
import { protection } from "./protected.js"
import type { ToolRules } from "./rules.js"

export interface Places {
  readonly jail: Context.Tag.Service<Jail>
  readonly secrets: Context.Tag.Service<Secrets>
  readonly surroundings: Context.Tag.Service<Surroundings>
}

const refused = (subject: string, by: "jail" | "secrets" | "protected", reason: string): Judged =>
  ({ subject, decision: "deny", rule: null, source: by, by, reason, grants: null })

/** These replace or remove a denied file without showing any of it, so they ask as usual (decisions.md, Secrets). */
const quotesNothing = new Set(["write_file", "delete_file"])

const placed = (rules: ToolRules, tool: string, touches: Touches, path: string, secrets: Places["secrets"]): Judged => {
  const judged = decide(rules, tool, touches, path)
  if (secrets.deniedName(path) && !quotesNothing.has(tool)) {
    return refused(path, "secrets", `${path} is denied on read: it may hold secrets, which must not leave this machine.`)
  }
  if (touches !== "writes") return judged
  const place = protection(path)
  if (place === null) return judged
  if (place.decision === "deny") return refused(path, "protected", `${path} is protected: ${place.why}.`)
  return strictestOf(
    { ...judged, decision: "ask", source: "protected", by: "protected", reason: `Writing ${path} asks every time: ${place.why}.`, grants: null },
    judged
  )
}

/** A path as the model gave it: judged by its normalised name, and by its real one where a link leads elsewhere. */
export const decidePath = Effect.fnUntraced(function*(places: Places, rules: ToolRules, tool: string, touches: Touches, given: string) {
  const path = yield* Effect.option(places.jail.relative(given))
  const outside = refused(given, "jail", `Path escapes workspace: ${given}`)
  if (path._tag === "None") return outside
  const judged = placed(rules, tool, touches, path.value, places.secrets)
  const real = yield* places.surroundings.realPath(path.value)
  if (real === null) return outside
  return real === path.value ? judged : strictestOf(judged, placed(rules, tool, touches, real, places.secrets))
})
