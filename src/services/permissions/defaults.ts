import type { Decision, Touches } from "../Permissions.js"

/** The default of a tool nobody wrote a rule for, derived from what it says it touches; a tool nobody knows asks. */
export const defaultDecision = (touches: Touches | undefined): Decision => {
  switch (touches) {
    case "reads":
    case "ownState":
      return "allow"
    case "writes":
    case "executes":
    case "network":
    case undefined:
      return "ask"
  }
}
/** What the read-only agents and sub-agents may hold. */
export const isReadOnly = (touches: Touches): boolean => touches === "reads" || touches === "ownState" || touches === "network"
