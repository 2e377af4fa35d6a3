import type { PermissionLayer } from "../Config.js"

/** Names denied on read (tools.md, The approval model), matched without regard to letter case. */
const denied = ["*.env", "*.env.*", "*.pem"]
const allowed = ["*.env.example"]
const escape = (text: string) => text.replace(/[.+^${}()|[\]\\]/g, "\\$&")

/** A permission pattern as a regular expression: `*` spans anything, `?` is one character, all else is literal. */
const toRegExp = (pattern: string) => new RegExp(`^${escape(pattern).replaceAll("*", ".*").replaceAll("?", ".")}$`, "sui")

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** What the configuration says under `read_file`, as patterns in their order; a project may only add denials. */
const readRules = (layers: ReadonlyArray<PermissionLayer>) =>
  layers.flatMap(({ narrowsOnly, rules }) => {
    const table = rules["read_file"]
    return isRecord(table)
      ? Object.entries(table).filter(([, word]) => word === "deny" || (word === "allow" && !narrowsOnly)).map(([pattern, word]) =>
        ({ pattern: toRegExp(pattern), allow: word === "allow", lifts: word === "allow" && !pattern.startsWith("*") }))
      : []
  })

export interface DeniedNames {
  readonly test: (path: string) => boolean
  /** false when a rule of the configuration denies names that `searchGlobs` do not find */
  readonly onlyBuiltIn: boolean
}

/**
 * The one list for all readers. An `allow` under `read_file` lifts a denial for every tool if it names the file more
 * closely than by a leading `*` (decisions.md, Secrets); a `deny` there adds to the list.
 */
export const deniedNames = (layers: ReadonlyArray<PermissionLayer>): DeniedNames => {
  const builtIn = denied.map(toRegExp)
  const exempt = allowed.map(toRegExp)
  const rules = readRules(layers)
  return {
    onlyBuiltIn: rules.every(({ allow }) => allow),
    test: (path) => {
      const last = rules.findLast(({ pattern }) => pattern.test(path))
      if (last !== undefined && (!last.allow || last.lifts)) return !last.allow
      return builtIn.some((pattern) => pattern.test(path)) && !exempt.some((pattern) => pattern.test(path))
    }
  }
}
