import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What commands change is kept for undo: the workspace is looked at before one runs and after it. */
export class Snapshots extends Context.Tag("shiro/Snapshots")<Snapshots, {
  /**
   * Runs a command. Unless its line is known to change nothing, the workspace is safe in a store before it starts, and
   * what it changed belongs to the turn once it has ended, however it ended. `notes`: sentences on what undo won't cover.
   */
  readonly around: <A, E, R>(line: string, run: Effect.Effect<A, E, R>) => Effect.Effect<{ readonly value: A; readonly notes: ReadonlyArray<string> }, E, R>
}>() {}

/** Keeps nothing: for shells that change no files. */
export const SnapshotsMemory = Layer.succeed(
  Snapshots,
  Snapshots.of({ around: (_, run) => Effect.map(run, (value) => ({ value, notes: [] })) })
)
