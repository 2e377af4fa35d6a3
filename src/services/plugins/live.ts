import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CommandsOnDemand } from "../command/onDemand.js"
import type { Commands } from "../Commands.js"
import { Config } from "../Config.js"
import type { Plugin, PluginCall } from "../Plugins.js"
import { Plugins } from "../Plugins.js"
import type { Surroundings } from "../Surroundings.js"
import { SurroundingsLive } from "../surroundings/live.js"

interface BuiltIn {
  readonly plugin: Effect.Effect<Plugin, never, Commands | Surroundings>
  /** what holds where the configuration says nothing of it */
  readonly on: boolean
}
const mayRun = ({ subjects, touches }: PluginCall) =>
  touches === "executes" || touches === "network" || subjects.some((subject) => typeof subject === "object" && "command" in subject)

/** The guard's tables are loaded by the first call that might run something. */
const guard = Effect.map(Effect.context<Commands | Surroundings>(), (context): Plugin => ({
  name: "guard",
  description: "Refuses irreversible commands, and asks every time about grave ones.",
  beforeToolCall: (call) =>
    !mayRun(call) ? Effect.succeed(null) : Effect.gen(function*() {
      const { guard: load } = yield* Effect.promise(() => import("./guard.js"))
      const { beforeToolCall } = yield* load
      return beforeToolCall === undefined ? null : yield* beforeToolCall(call)
    }).pipe(Effect.provide(context))
}))

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
  Layer.effect(Plugins, make(on)).pipe(Layer.provide(Layer.merge(CommandsOnDemand, SurroundingsLive)))
