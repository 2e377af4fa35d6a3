import type { Touches } from "../Permissions.js"
import { decide, type Judged } from "./decide.js"
import { fits, hasWildcard } from "./pattern.js"
import type { Entry, ToolRules } from "./rules.js"

/** What a wildcard must not carry before the line is taken apart. */
const notPlain = /[^\w \-./:@%+,]|=/

/** A shell line by its text: an allow with a wildcard decides only where nothing in it means anything to a shell. */
export const decideLine = (rules: ToolRules, tool: string, touches: Touches, line: string): Judged => {
  const allows = ({ pattern }: Entry) => pattern === line || (fits(pattern, line) && !(hasWildcard(pattern) && notPlain.test(line)))
  const bare = rules.own?.bare === true
  return decide(rules, tool, touches, line, (entry) => entry.decision === "allow" && !bare ? allows(entry) : fits(entry.pattern, line))
}
