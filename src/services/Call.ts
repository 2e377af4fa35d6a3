import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Who calls a tool and within what; set by whoever starts the call, read by the pipeline and what it asks. */
export interface CallFacts {
  /** Id of this call, as the model or the client gave it. */
  readonly id: string
  /** The turn it belongs to: one prompt of a session, one `shiro tool`, one MCP client's session. */
  readonly turn: string
  /** The label of the worker sub-agent that calls, else null. */
  readonly worker: string | null
}

/** The call that runs: its id, the id of its turn, and the description of the helper that makes it (null: the agent itself). `call`, `turn`, null where nothing else is provided. */
export class Call extends Context.Reference<Call>()("shiro/Call", {
  defaultValue: (): CallFacts => ({ id: "call", turn: "turn", worker: null })
}) {}

/** Where a running tool's output goes before its result is there (masked by the pipeline). */
export class LiveOutput extends Context.Reference<LiveOutput>()("shiro/LiveOutput", {
  defaultValue: (): { readonly emit: (text: string) => Effect.Effect<void> } => ({ emit: () => Effect.void })
}) {}
