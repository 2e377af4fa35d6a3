import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What a decision has to know of the workspace as it is now. Paths are workspace-relative and normalised. */
export class Surroundings extends Context.Tag("shiro/Surroundings")<Surroundings, {
  /** Where a path really leads once links are followed, as far as it exists; null: out of the workspace. */
  readonly realPath: (path: string) => Effect.Effect<string | null>
  /** Whether something of that name is there, a dangling link too. */
  readonly exists: (path: string) => Effect.Effect<boolean>
  /** Whether the repository has a branch, tag or remote branch of this name. */
  readonly isRef: (name: string) => Effect.Effect<boolean>
}>() {}
