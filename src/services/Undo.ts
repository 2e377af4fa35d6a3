import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { FileFault } from "./Files.js"

/** No turn is left that could be taken back. */
export class NothingToUndo extends Data.TaggedError("NothingToUndo")<{
  /** the turn that was asked for, null for the last one */
  readonly turn: string | null
}> {
  override get message() {
    return this.turn === null
      ? "There is nothing to undo here."
      : `The turn ${this.turn} changed nothing here that could still be undone. See the turns with shiro undo --list.`
  }
}

/** What one prompt, or one call from the command line, has changed and is still changed. */
export interface Turn {
  readonly id: string
  /** milliseconds since 1970, of its last change */
  readonly time: number
  /** workspace-relative */
  readonly files: ReadonlyArray<string>
}
export interface Undone {
  readonly turn: Turn
  /** back to what they were before the turn: content, mode, being there at all */
  readonly restored: ReadonlyArray<string>
  /** left as they are, with a sentence each */
  readonly refused: ReadonlyArray<{ readonly path: string; readonly why: string }>
  readonly notes: ReadonlyArray<string>
}

/** Takes back what turns have changed in the workspace, file by file, where nobody has changed a file since. */
export class Undo extends Context.Tag("shiro/Undo")<Undo, {
  /** The newest first. */
  readonly list: Effect.Effect<ReadonlyArray<Turn>, FileFault>
  readonly undo: (turn: string) => Effect.Effect<Undone, NothingToUndo | FileFault>
  readonly undoLast: Effect.Effect<Undone, NothingToUndo | FileFault>
}>() {}
