import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { DiskFault } from "./Disk.js"
import type { PathEscapes } from "./Jail.js"
import type { Plan } from "./journal/record.js"

/** What a path is to be when the transaction is done. Paths are workspace-relative, without a link in them. */
export type Want =
  | { readonly is: "nothing" }
  | { readonly is: "content"; readonly bytes: Uint8Array; readonly mode: number | null; readonly owner: Owner | null }
  /** The very file or link that is at `from` now; `from` needs a goal of its own. */
  | { readonly is: "moved"; readonly from: string }
  /** As it was before a finished transaction. */
  | { readonly is: "earlier"; readonly transaction: string }
export interface Owner {
  readonly uid: number
  readonly gid: number
}
export interface Goal {
  readonly path: string
  readonly want: Want
  /** The stamp that it must still have, null: there must be nothing. */
  readonly expect: string | null
}
export interface CommitFacts {
  readonly turn: string
  /** the turn that this takes back */
  readonly undoes?: string
  /** folders to be removed if nothing is left in them then */
  readonly emptied?: ReadonlyArray<string>
}
export interface Committed {
  /** paths whose owner could not be kept */
  readonly disowned: ReadonlyArray<string>
  /** the new stamp of each path that is there now */
  readonly stamps: ReadonlyMap<string, string>
}

/** What stopped a transaction, and what became of it. */
export class NotCommitted extends Data.TaggedError("NotCommitted")<{
  /** where it stopped */
  readonly path: string
  /** `taken`: there is something already; `changed`: not what was expected */
  readonly why: DiskFault | PathEscapes | "taken" | "changed" | "locked"
  /** paths that could not be put back; empty: all is as it was */
  readonly stuck: ReadonlyArray<string>
}> {}

/** A finished transaction. */
export interface Entry extends Plan {
  readonly id: string
}

/**
 * Changes of several files that happen as one: all of them or none, also when the program or the machine dies in
 * between. What was there before is kept, for undo.
 */
export class Journal extends Context.Tag("shiro/Journal")<Journal, {
  /** Runs while nobody else who asks here, in this process or another, changes these paths. */
  readonly locked: <A, E, R>(paths: ReadonlyArray<string>, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NotCommitted, R>
  /** The paths must be locked. */
  readonly commit: (goals: ReadonlyArray<Goal>, facts: CommitFacts) => Effect.Effect<Committed, NotCommitted>
  /**
   * Takes up what somebody else, a command, has done already. `fill` is given the real path of the entry's folder to put
   * the kept contents there, under names of its own, and gives the steps.
   */
  readonly record: <E, R>(
    facts: { readonly turn: string; readonly folders: ReadonlyArray<string> },
    fill: (folder: string) => Effect.Effect<Pick<Entry, "steps" | "beyond">, E, R>
  ) => Effect.Effect<void, E | DiskFault, R>
  /** Finished transactions, oldest first. */
  readonly entries: Effect.Effect<ReadonlyArray<Entry>, DiskFault>
  /** Rolls back what died half-way; gives sentences on what was done. Runs by itself when the service starts. */
  readonly recover: Effect.Effect<ReadonlyArray<string>>
  /** The sentences that nobody has been told yet. */
  readonly news: Effect.Effect<ReadonlyArray<string>>
}>() {}
