import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Files whose content is denied on read, and the values in them that must not leave the machine. */
export class Secrets extends Context.Tag("shiro/Secrets")<Secrets, {
  /** Whether this name (workspace-relative) is denied by the rules. */
  readonly deniedName: (path: string) => boolean
  /** The denied files that are in the workspace now, workspace-relative; listed once, and again after `changed`. */
  readonly deniedPaths: Effect.Effect<ReadonlyArray<string>>
  /** Whether this `device:inode` belongs to one of them. */
  readonly deniedIdentity: (identity: string) => Effect.Effect<boolean>
  /** Blob ids (hex) of their contents, for the git service. */
  readonly deniedBlobs: Effect.Effect<ReadonlySet<string>>
  /** Replaces secret values by `[secret hidden]`. */
  readonly mask: (text: string) => Effect.Effect<string>
  /** Like `mask`, for a stream: text goes in by pieces, what can be shown comes out; `end` gives the rest. */
  readonly maskStream: Effect.Effect<{
    readonly push: (text: string) => string
    readonly end: () => string
  }>
  /** The workspace may have new denied files or values: after a command or a write. */
  readonly changed: Effect.Effect<void>
  /** Masks this value too from here on, as a key that the user has just given. */
  readonly hide: (value: string) => Effect.Effect<void>
}>() {}
