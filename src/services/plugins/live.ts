import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CommandsOnDemand } from "../command/onDemand.js"
import { Commands } from "../Commands.js"
import { Config } from "../Config.js"
import { Home } from "../Home.js"
import { Jail } from "../Jail.js"
import type { Plugin, PluginCall } from "../Plugins.js"
import { Plugins } from "../Plugins.js"
import type { Surroundings } from "../Surroundings.js"
import { SurroundingsLive } from "../surroundings/live.js"
import { bell } from "./bell.js"
import { readPluginFiles } from "./data.js"

interface BuiltIn {
  readonly plugin: Plugin
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

export interface PluginsOptions {
  /** false is `--no-plugins`: none at all */
  readonly on: boolean
  /** ours that are made elsewhere, on unless the configuration switches them off */
  readonly ours: ReadonlyArray<Plugin>
  /** the embedder's, asked after ours and before those in files */
  readonly own: ReadonlyArray<Plugin>
}

const make = Effect.fnUntraced(function*({ on, ours, own }: PluginsOptions) {
  if (!on) return Plugins.of({ all: [], problems: [] })
  const { values } = yield* Config
  const reading = { commands: yield* Commands, jail: yield* Jail }
  const files = readPluginFiles(`${(yield* Home).folder}/plugins`, reading)
  const usual = (plugin: Plugin) => ({ plugin, on: true })
  const offered: ReadonlyArray<BuiltIn> = [usual(yield* guard), ...ours.map(usual), { plugin: bell, on: false }, ...own.map(usual), ...files.plugins.map(usual)]
  const names = new Set<string>()
  const all: Array<Plugin> = []
  const problems = [...files.problems]
  for (const { on: isUsual, plugin } of offered) {
    // A second guard must not pass for the first, nor be switched off with it.
    if (names.has(plugin.name)) problems.push(`There is a plugin called ${plugin.name} already, so the second one was left out. Give it another name.`)
    else if (values.plugins?.[plugin.name] ?? isUsual) all.push(plugin)
    names.add(plugin.name)
  }
  for (const name of Object.keys(values.plugins ?? {})) {
    if (!names.has(name)) problems.push(`The configuration names a plugin ${name}, which does not exist. Plugins: ${[...names].join(", ")}`)
  }
  return Plugins.of({ all, problems })
})

export const PluginsLive = (options: PluginsOptions) =>
  Layer.effect(Plugins, make(options)).pipe(Layer.provide(Layer.merge(CommandsOnDemand, SurroundingsLive)))
