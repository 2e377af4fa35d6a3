import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Touches, Subject } from "./Permissions.js"

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

export interface Plugin {
  readonly name: string
  readonly description: string
  /** A throw or failure blocks the call. */
  readonly beforeToolCall?: (call: PluginCall) => Effect.Effect<PluginWord, unknown>
  /** Names of tools that need no approval. */
  readonly autoApprove?: ReadonlyArray<string>
}

/** The plugins that are on, in the order they are asked. */
export class Plugins extends Context.Tag("shiro/Plugins")<Plugins, {
  readonly all: ReadonlyArray<Plugin>
}>() {}

export const PluginsMemory = (all: ReadonlyArray<Plugin> = []) => Layer.succeed(Plugins, Plugins.of({ all }))
