import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Message } from "./model/messages.js"

/** The folder or file of the sessions can't be used; nothing of the conversation is lost in memory. */
export class SessionTrouble extends Schema.TaggedError<SessionTrouble>()("SessionTrouble", {
  doing: Schema.Literal("saved", "read", "listed", "removed"),
  place: Schema.String,
  code: Schema.String
}) {
  override get message() {
    return `Sessions in ${this.place} cannot be ${this.doing}: ${this.code}. Check that the folder is yours and writable.`
  }
}
export class NoSuchSession extends Schema.TaggedError<NoSuchSession>()("NoSuchSession", {
  wanted: Schema.String,
  /** ids that begin with it */
  matches: Schema.Array(Schema.String)
}) {
  override get message() {
    if (this.matches.length > 1) return `"${this.wanted}" is the beginning of several sessions: ${this.matches.join(", ")}. Give more of the id.`
    return this.wanted === ""
      ? "There is no saved session of this folder."
      : `There is no saved session "${this.wanted}" of this folder. \`shiro sessions\` lists them.`
  }
}
/** Another process writes to it. */
export class SessionInUse extends Schema.TaggedError<SessionInUse>()("SessionInUse", { id: Schema.String, pid: Schema.Number }) {
  override get message() {
    return `The session ${this.id} is open in another shiro (process ${this.pid}). End that first, or start without -c.`
  }
}
export type SessionFault = SessionTrouble | NoSuchSession | SessionInUse

/** One line of a session's file. */
export const SessionRecord = Schema.Union(
  Schema.Struct({ type: Schema.Literal("session"), version: Schema.Literal(1), id: Schema.String, cwd: Schema.String, at: Schema.Number }),
  /** the first prompt, shortened */
  Schema.Struct({ type: Schema.Literal("title"), title: Schema.String }),
  Schema.Struct({ type: Schema.Literal("message"), message: Message }),
  /** everything before was replaced by this summary (`/compact`) */
  Schema.Struct({ type: Schema.Literal("summary"), text: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("usage"),
    model: Schema.String,
    inputTokens: Schema.Number,
    outputTokens: Schema.Number,
    cachedTokens: Schema.Number,
    costUsd: Schema.NullOr(Schema.Number)
  }),
  /** what a service keeps with the session, as the task list; the last one of a name counts */
  Schema.Struct({ type: Schema.Literal("state"), name: Schema.String, value: Schema.Unknown })
)
export type SessionRecord = typeof SessionRecord.Type

export interface SessionInfo {
  readonly id: string
  readonly title: string
  readonly cwd: string
  /** milliseconds since 1970 */
  readonly started: number
  readonly used: number
}

/** A session that this process writes. */
export interface Session {
  readonly id: string
  /** Everything in it, in order, without the lines that are no records; as of when it was opened. */
  readonly records: ReadonlyArray<SessionRecord>
  /** On its way to the disk when this returns. */
  readonly append: (record: SessionRecord) => Effect.Effect<void, SessionTrouble>
  readonly close: Effect.Effect<void>
}

/** Saved conversations of this workspace. */
export class Sessions extends Context.Tag("shiro/Sessions")<Sessions, {
  /** Nothing is written before the first record. */
  readonly create: Effect.Effect<Session>
  /** By id or the unique beginning of one. */
  readonly open: (id: string) => Effect.Effect<Session, SessionFault>
  /** The one used last; found without reading the others. */
  readonly newest: Effect.Effect<Option.Option<string>, SessionTrouble>
  /** Latest first. */
  readonly list: Effect.Effect<ReadonlyArray<SessionInfo>, SessionTrouble>
  readonly show: (id: string) => Effect.Effect<ReadonlyArray<SessionRecord>, SessionFault>
  readonly remove: (id: string) => Effect.Effect<void, SessionFault>
}>() {}

/** What a service keeps with the session. Registered when its layer is built. */
export interface Keeper {
  readonly name: string
  /** JSON */
  readonly current: Effect.Effect<unknown>
  readonly restore: (value: unknown) => Effect.Effect<void>
}
export class Keepers extends Context.Tag("shiro/Keepers")<Keepers, {
  readonly register: (keeper: Keeper) => Effect.Effect<void>
  readonly all: Effect.Effect<ReadonlyArray<Keeper>>
}>() {}
