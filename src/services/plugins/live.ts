import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CommandsLive } from "../command/live.js"
import type { Commands } from "../Commands.js"
import { Config } from "../Config.js"
import type { Plugin } from "../Plugins.js"
import { Plugins } from "../Plugins.js"
import type { Surroundings } from "../Surroundings.js"
import { SurroundingsLive } from "../surroundings/live.js"
import { guard } from "./guard.js"

interface BuiltIn {
  readonly plugin: Effect.Effect<Plugin, never, Commands | Surroundings>
  /** what holds where the configuration says nothing of it */
  readonly on: boolean
}
/** Ours; the first ones are on unless the configuration switches them off, the others are opt-in. */
const builtIn: ReadonlyArray<BuiltIn> = [{ plugin: guard, on: true }]

const make = Effect.fnUntraced(function*(on: boolean) {
  const { values } = yield* Config
  if (!on) return Plugins.of({ all: [] })
  const all = yield* Effect.forEach(builtIn, ({ on: usual, plugin }) =>
    Effect.map(plugin, (each) => values.plugins?.[each.name] ?? usual ? [each] : []))
  return Plugins.of({ all: all.flat() })
})

/** `on: false` is `--no-plugins`: none at all. */
export const PluginsLive = (on: boolean) =>
  Layer.effect(Plugins, make(on)).pipe(Layer.provide(Layer.merge(CommandsLive, SurroundingsLive)))
