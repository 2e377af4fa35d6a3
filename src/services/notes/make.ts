import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Note, NotesUnusable } from "../Notes.js"
import { longestNote, mostNotes, noteKinds, NoteNotFound, Notes, NoteUnfit } from "../Notes.js"

/** One line of the file. Hits and removals name notes by their text, which is unique. */
const Entry = Schema.parseJson(Schema.Union(
  Schema.Struct({ add: Schema.String, kind: Schema.Literal(...noteKinds), at: Schema.Number }),
  Schema.Struct({ hit: Schema.Array(Schema.String) }),
  Schema.Struct({ forget: Schema.String })
))
const decode = Schema.decodeEither(Entry)
const encode = Schema.encodeSync(Entry)

export interface NotesPort {
  /** every line so far; a half-written last one is there as it is */
  readonly lines: Effect.Effect<ReadonlyArray<string>, NotesUnusable>
  /** in one write at the end of the file */
  readonly append: (line: string) => Effect.Effect<void, NotesUnusable>
}

const same = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase()

/** The lines played from first to last; what can't be read is passed over. */
const replay = (lines: ReadonlyArray<string>): ReadonlyArray<Note> => {
  const notes = new Map<string, Note>()
  for (const line of lines) {
    const entry = decode(line)
    if (Either.isLeft(entry)) continue
    const change = entry.right
    if ("add" in change) {
      if (notes.size < mostNotes && !notes.has(same(change.add))) {
        notes.set(same(change.add), { kind: change.kind, text: change.add, created: change.at, hits: 0 })
      }
    } else if ("hit" in change) {
      for (const text of change.hit) {
        const note = notes.get(same(text))
        if (note !== undefined) notes.set(same(text), { ...note, hits: note.hits + 1 })
      }
    } else {
      for (const [key, note] of notes) if (note.text.includes(change.forget)) notes.delete(key)
    }
  }
  return [...notes.values()]
}

const unfit = (text: string, notes: ReadonlyArray<Note>): string | null => {
  if (text === "") return "The note is empty."
  if (text.includes("\n")) return "A note is one line; send the lines as notes of their own."
  if (text.length > longestNote) return `The note has ${text.length} characters, and ${longestNote} are the most. Say it shorter.`
  if (notes.length >= mostNotes) return `There are ${mostNotes} notes already, the most there can be. Forget some that no longer hold.`
  return null
}

export const make = (port: NotesPort) => {
  const all = Effect.map(port.lines, replay)
  return Notes.of({
    all,
    remember: Effect.fn("Notes.remember")(function*(kind, raw) {
      const text = raw.trim()
      const notes = yield* all
      if (notes.some((note) => same(note.text) === same(text))) return false
      const why = unfit(text, notes)
      if (why !== null) return yield* new NoteUnfit({ why })
      yield* port.append(encode({ add: text, kind, at: yield* Clock.currentTimeMillis }))
      return true
    }),
    recall: Effect.fn("Notes.recall")(function*(query) {
      const terms = query.toLowerCase().split(/\s+/).filter((term) => term !== "")
      const found = (yield* all).filter((note) => terms.every((term) => `${note.kind} ${note.text}`.toLowerCase().includes(term)))
        .reverse().slice(0, 15)
      if (found.length > 0) yield* port.append(encode({ hit: found.map(({ text }) => text) }))
      return found
    }),
    forget: Effect.fn("Notes.forget")(function*(text) {
      const gone = (yield* all).filter((note) => note.text.includes(text)).length
      if (gone === 0) return yield* new NoteNotFound({ text })
      yield* port.append(encode({ forget: text }))
      return gone
    }),
    top: (count) =>
      Effect.map(all, (notes) => [...notes].sort((one, other) => other.hits - one.hits || other.created - one.created).slice(0, count))
  })
}
