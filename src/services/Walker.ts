import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FileFault } from "./Files.js"

export interface Entry {
  /** workspace-relative, POSIX separators, no trailing slash */
  readonly path: string
  /**
   * A link to a folder is a "link": hidden by the rules that hide folders, and never walked into. Any other link, a
   * dangling one too, is a "file".
   */
  readonly kind: "file" | "folder" | "link" | "other"
  /** bytes; 0 unless asked for with `stat` */
  readonly size: number
  /** milliseconds since 1970; 0 unless asked for with `stat` */
  readonly modified: number
}
export interface WalkOptions {
  /** where to begin, as the model gave it; default the root */
  readonly folder?: string
  /** levels to descend; 1 is the folder's own entries; default all */
  readonly depth?: number
  /** also what ignore rules hide (never `.git` and `node_modules`) */
  readonly includeIgnored?: boolean
  /** fill `size` and `modified` */
  readonly stat?: boolean
}
export interface Walked {
  /** the folder as it is called in the workspace, `.` for the root */
  readonly folder: string
  /** The folder itself is hidden by ignore rules, or is one that never is walked; there are no entries then. */
  readonly hidden: boolean
  /** Some `.shiroignore` takes back in (`!`) what other rules may hide. */
  readonly takesBack: boolean
  /** depth first, each folder's names by code unit, a folder right before its entries */
  readonly entries: ReadonlyArray<Entry>
  /** folders that could not be listed, workspace-relative */
  readonly unreadable: ReadonlyArray<string>
}

/**
 * The workspace's tree under `.gitignore` (up to the repository's top), `.git/info/exclude`, `.shiroignore`. Dot files are
 * entries like others; `.git` and `node_modules` never are; links are not followed.
 */
export class Walker extends Context.Tag("shiro/Walker")<Walker, {
  readonly walk: (options?: WalkOptions) => Effect.Effect<Walked, FileFault>
  /**
   * Tells of files (workspace-relative, normalised, without links in the path), whether or not they exist, if a walk
   * leaves them out. Looks at each folder once: for one call, not to be kept.
   */
  readonly hides: (includeIgnored?: boolean) => Effect.Effect<(file: string) => boolean>
}>() {}
