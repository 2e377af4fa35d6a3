import { fits } from "./pattern.js"

/** What a person granted with "always": for this session, in memory only. A grant turns an ask into an allow, never a deny. */
export interface Grants {
  readonly add: (tool: string, patterns: ReadonlyArray<string>) => void
  /** The granted pattern that the subject fits, else null. */
  readonly find: (tool: string, subject: string) => string | null
}

export const makeGrants = (): Grants => {
  const granted = new Map<string, Set<string>>()
  return {
    add: (tool, patterns) => {
      const before = granted.get(tool) ?? new Set()
      for (const pattern of patterns) before.add(pattern)
      granted.set(tool, before)
    },
    find: (tool, subject) => [...granted.get(tool) ?? []].find((pattern) => fits(pattern, subject)) ?? null
  }
}
