import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Config } from "./Config.js"
import type { Files } from "./Files.js"
import type { Git } from "./Git.js"
import type { Ids } from "./Ids.js"
import type { Jail } from "./Jail.js"
import type { Model } from "./Model.js"
import type { Permissions, Touches, Subject } from "./Permissions.js"
import type { Search } from "./Search.js"
import type { Secrets } from "./Secrets.js"
import type { Shell } from "./Shell.js"
import type { Offered } from "./Toolbox.js"
import type { Walker } from "./Walker.js"

/** A call as plugins see it, before any approval. */
export interface PluginCall {
  readonly tool: string
  readonly touches: Touches
  readonly subjects: ReadonlyArray<Subject>
  readonly input: unknown
}
/** What a plugin says of a call: refuse it, ask every time whatever else allows it, or nothing. */
export type PluginWord =
  | { readonly say: "refuse"; readonly reason: string }
  | { readonly say: "ask"; readonly reason: string }
  | null

/** How a turn ended. */
export interface TurnEnd {
  readonly prompt: string
  /** `end`, a limit (`steps`, `cost`, `time`), `error` or `interrupted` */
  readonly stop: string
  readonly steps: number
}
/** What plugins' tools may use without bringing it along. */
export type PluginServices = Permissions | Secrets | Files | Search | Walker | Shell | Git | Model | Config | Jail | Ids

/** A plugin: tools of its own, a say before each call, an ear at the end of turns, words in the prompt; whatever it needs of these. */
export interface Plugin {
  readonly name: string
  readonly description: string
  /** Offered like built-in tools, behind the same pipeline; made by `Tools.offer`. */
  readonly tools?: Effect.Effect<ReadonlyArray<Offered>, never, PluginServices>
  /** A throw or failure blocks the call. */
  readonly beforeToolCall?: (call: PluginCall) => Effect.Effect<PluginWord, unknown>
  /** Names of tools that need no approval. */
  readonly autoApprove?: ReadonlyArray<string>
  /** A throw or failure is told to the user; the other plugins are told of the turn nevertheless. */
  readonly afterTurn?: (turn: TurnEnd) => Effect.Effect<void, unknown>
  /** An approval or a question is about to wait for somebody. */
  readonly beforeQuestion?: Effect.Effect<void, unknown>
  /** Added to the system prompt; a text that never changes keeps providers' caches. */
  readonly appendix?: string | Effect.Effect<string, unknown>
}

/** The plugins that are on, in the order they are asked. */
export class Plugins extends Context.Tag("shiro/Plugins")<Plugins, {
  readonly all: ReadonlyArray<Plugin>
  /** Plugin files that could not be taken, a sentence each. */
  readonly problems: ReadonlyArray<string>
}>() {}

/** Exactly these plugins, in this order. */
export const PluginsMemory = (all: ReadonlyArray<Plugin> = []) => Layer.succeed(Plugins, Plugins.of({ all, problems: [] }))
