import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { AgentEvent } from "./agent/events.js"
import type { AgentName } from "./agent/variants.js"
import type { ModelFault, ThinkingLevel } from "./Model.js"
import type { Message } from "./model/messages.js"
import type { SessionFault } from "./Sessions.js"

export { AgentEvent } from "./agent/events.js"
export type { Done, Stop } from "./agent/events.js"

/** What a turn can fail with: the model does not answer or is not configured, or the session cannot be opened or written. */
export type AgentFault = ModelFault | SessionFault

/** What a run leaves out or limits beyond the configuration. */
export class AgentOptions extends Context.Reference<AgentOptions>()("shiro/AgentOptions", {
  defaultValue: (): {
    /** AGENTS.md and its like go into the prompt */
    readonly instructions: boolean
    /** a turn ends with `time` after this many milliseconds; null: never */
    readonly maxMillis: number | null
    /** the session to go on with: its id or the beginning of one, `newest`, or null for a new one */
    readonly resume: string | null
    /** false: nothing is written under `sessions` */
    readonly saves: boolean
  } => ({ instructions: true, maxMillis: null, resume: null, saves: true })
}) {}

/** How the agent stands between turns. */
export interface AgentState {
  readonly session: string
  readonly agent: AgentName
  readonly thinking: ThinkingLevel
  /** tokens of the next request, as far as known, and what the model takes */
  readonly contextTokens: number
  readonly contextWindow: number
  /** of all turns so far */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly costUsd: number | null
}

/** The agent: one session, one turn at a time. */
export class Agent extends Context.Tag("shiro/Agent")<Agent, {
  /**
   * One turn. The stream ends with `done`; where the model failed it tells `error` and `done` first and then fails.
   * Interrupting it aborts the request, kills what runs and leaves a session that can be gone on with.
   */
  readonly turn: (prompt: string) => Stream.Stream<AgentEvent, AgentFault>
  /** Ends the running turn from elsewhere: its stream tells `done` with `interrupted`. Gives whether one ran. */
  readonly interrupt: Effect.Effect<boolean>
  readonly state: Effect.Effect<AgentState, AgentFault>
  readonly messages: Effect.Effect<ReadonlyArray<Message>, AgentFault>
  readonly choose: (choice: { readonly agent?: AgentName; readonly thinking?: ThinkingLevel }) => Effect.Effect<void>
  /** Puts a summary in place of the conversation (`/compact`); gives tokens before and after. */
  readonly compact: Effect.Effect<{ readonly before: number; readonly after: number }, AgentFault>
  /** Goes on with a saved session. */
  readonly resume: (id: string) => Effect.Effect<void, AgentFault>
  /** A new session from here on. */
  readonly clear: Effect.Effect<void, AgentFault>
}>() {}
