import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { BinaryFile, NoSuchFile, SecretFile, WrongKind } from "./Files.js"
import type { PathEscapes } from "./Jail.js"
import type { ProcessTimedOut, ProgramMissing } from "./Processes.js"

/** Paths taken are as a model gave them; paths given are workspace-relative with POSIX separators. */

export class NotARepository extends Schema.TaggedError<NotARepository>()("NotARepository", { folder: Schema.String }) {
  override get message() {
    return `${this.folder} is not a git repository.`
  }
}
/** git's own words, which are the most useful thing available. */
export class GitFailed extends Schema.TaggedError<GitFailed>()("GitFailed", { said: Schema.String }) {
  override get message() {
    return this.said
  }
}
/** A ref that git could read as an option, or that is no single line. */
export class BadRef extends Schema.TaggedError<BadRef>()("BadRef", { ref: Schema.String, why: Schema.String }) {
  readonly refused = true
  override get message() {
    return `The ref ${JSON.stringify(this.ref)} is refused: ${this.why}. Nothing was run. Name a branch, tag or commit.`
  }
}
/** shiro itself says no, because git could not be kept from doing harm, or content from coming out. */
export class GitRefused extends Schema.TaggedError<GitRefused>()("GitRefused", { why: Schema.String }) {
  readonly refused = true
  override get message() {
    return this.why
  }
}
export type GitFault =
  | NotARepository | GitFailed | BadRef | GitRefused | PathEscapes | SecretFile | NoSuchFile | WrongKind | BinaryFile
  | ProgramMissing | ProcessTimedOut

/** Where HEAD is. */
export interface Head {
  /** null when it is detached */
  readonly branch: string | null
  /** abbreviated id; null before the first commit */
  readonly commit: string | null
}
/** A file that differs from the last commit, or that git does not know. */
export interface Changed {
  readonly path: string
  /** `staged new`, `modified`, `untracked`, `conflict: both modified`, … in the words of decisions.md */
  readonly states: ReadonlyArray<string>
}
export interface Status {
  readonly head: Head
  /** what has begun and not ended, each a sentence: `A merge is in progress.` */
  readonly underway: ReadonlyArray<string>
  /** in git's order: tracked ones by path, then conflicts, then untracked ones */
  readonly files: ReadonlyArray<Changed>
  /** how many more changed outside the workspace, where it is a folder of a larger repository */
  readonly outside: number
}

export type DiffOf =
  /** work tree against index */
  | { readonly of: "unstaged" }
  /** index against the last commit */
  | { readonly of: "staged" }
  | { readonly of: "commits"; readonly from: string; readonly to: string }

/** One file of a diff. */
export interface FileDiff {
  readonly path: string
  /** the name before, where it was renamed or copied */
  readonly from: string | null
  /** new, modified, deleted, renamed, copied, type changed, conflict */
  readonly change: string
  /** lines; null for binary files and merges */
  readonly added: number | null
  readonly removed: number | null
  /** its part of the unified diff, ended by a newline; null when it is left out */
  readonly text: string | null
  /** why `text` is null: the content is denied on read, or was too large for the room */
  readonly leftOut: "secret" | "size" | null
}
export interface Diff {
  readonly files: ReadonlyArray<FileDiff>
  /** how many more changed outside the workspace */
  readonly outside: number
}
/** How much is asked for. */
export interface DiffScope {
  /** a file or folder */
  readonly path?: string
  /** UTF-16 units of text that are of use; files beyond it come without text */
  readonly room: number
}

export interface Commit {
  /** abbreviated id */
  readonly id: string
  /** YYYY-MM-DD, as its author's clock had it */
  readonly date: string
  readonly author: string
  readonly subject: string
}
/** What a ref names. */
export type Shown =
  | {
    readonly is: "commit"
    readonly id: string
    readonly parents: ReadonlyArray<string>
    readonly author: string
    readonly email: string
    /** ISO 8601 */
    readonly date: string
    readonly message: string
    /** of the annotated tag that led here, else null */
    readonly tag: string | null
    /** against its parent; for a merge what differs from all of them */
    readonly diff: Diff
  }
  | { readonly is: "folder"; readonly names: ReadonlyArray<string> }
  | { readonly is: "file"; readonly text: string }

export interface Blamed {
  readonly id: string
  readonly date: string
  readonly author: string
  /** 1-based, in the file as it is now */
  readonly line: number
  readonly text: string
}
export interface Branch {
  /** `main`, `origin/main` */
  readonly name: string
  readonly current: boolean
  readonly commit: string
  readonly date: string
  readonly subject: string
}
export interface CurrentBranch {
  readonly head: Head
  /** `origin/main`, null where none is set */
  readonly upstream: string | null
  /** null where there is no upstream, or it is gone */
  readonly ahead: number | null
  readonly behind: number | null
}

/**
 * git in the workspace, for reading only: spawned by fixed arguments so that a hostile repository executes and writes
 * nothing (`git/hardening.ts`). Content of denied files never comes out of it.
 */
export class Git extends Context.Tag("shiro/Git")<Git, {
  /** Whether the workspace lies in a repository's work tree that git agrees to read. */
  readonly inRepository: Effect.Effect<boolean>
  readonly status: Effect.Effect<Status, GitFault>
  readonly diff: (what: DiffOf, scope: DiffScope) => Effect.Effect<Diff, GitFault>
  /** Newest first; null before the first commit. `follow` goes on behind renames of a single file. */
  readonly log: (query: {
    readonly limit: number
    readonly path?: string
    readonly follow?: boolean
  }) => Effect.Effect<ReadonlyArray<Commit> | null, GitFault>
  readonly show: (ref: string, scope: DiffScope) => Effect.Effect<Shown, GitFault>
  /** A file's text at a ref. */
  readonly file: (path: string, ref: string) => Effect.Effect<string, GitFault>
  /** Who last changed each line; `last` beyond the end is the end. */
  readonly blame: (path: string, lines: { readonly first: number; readonly last: number | null }) => Effect.Effect<ReadonlyArray<Blamed>, GitFault>
  /** Newest commit first. */
  readonly branches: (also: { readonly remote: boolean }) => Effect.Effect<{
    readonly head: Head
    readonly branches: ReadonlyArray<Branch>
  }, GitFault>
  readonly currentBranch: Effect.Effect<CurrentBranch, GitFault>
  /** Names of tracked files whose content or presence differs between a ref and the work tree. */
  readonly changedSince: (ref: string) => Effect.Effect<ReadonlyArray<string>, GitFault>
}>() {}
