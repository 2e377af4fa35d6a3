import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const noteKinds = ["fact", "decision", "gotcha", "command"] as const
export type NoteKind = (typeof noteKinds)[number]
export const longestNote = 400
export const mostNotes = 300

export interface Note {
  readonly kind: NoteKind
  readonly text: string
  /** milliseconds since 1970 */
  readonly created: number
  /** how often `recall` gave it */
  readonly hits: number
}

export class NoteNotFound extends Schema.TaggedError<NoteNotFound>()("NoteNotFound", { text: Schema.String }) {
  override get message() {
    return `No note contains "${this.text}". Nothing was removed. Use recall to see the notes.`
  }
}
export class NoteUnfit extends Schema.TaggedError<NoteUnfit>()("NoteUnfit", { why: Schema.String }) {
  override get message() {
    return `${this.why} Nothing was remembered.`
  }
}
export class NotesUnusable extends Schema.TaggedError<NotesUnusable>()("NotesUnusable", {
  file: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    return `The notes in ${this.file} can't be read or written. They are as they were. Check the folder's permissions and free space.`
  }
}

/** What shiro remembers of one project. Safe under concurrent calls and processes: changes are only ever appended. */
export class Notes extends Context.Tag("shiro/Notes")<Notes, {
  /** oldest first */
  readonly all: Effect.Effect<ReadonlyArray<Note>, NotesUnusable>
  /** One self-contained line; gives false when the same text is there already. */
  readonly remember: (kind: NoteKind, text: string) => Effect.Effect<boolean, NoteUnfit | NotesUnusable>
  /** Notes that hold every term of the query, newest first, at most 15; each counts a hit. */
  readonly recall: (query: string) => Effect.Effect<ReadonlyArray<Note>, NotesUnusable>
  /** Removes every note that contains `text`; gives how many. */
  readonly forget: (text: string) => Effect.Effect<number, NoteNotFound | NotesUnusable>
  /** The `count` notes with the most hits, then the newest, for the prompt. */
  readonly top: (count: number) => Effect.Effect<ReadonlyArray<Note>, NotesUnusable>
}>() {}
