import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Config } from "../Config.js"
import type { Plugin } from "../Plugins.js"
import { Plugins } from "../Plugins.js"

/** Ours; the first ones are on unless the configuration switches them off, the others are opt-in. */
const builtIn: ReadonlyArray<{ readonly plugin: Plugin; readonly on: boolean }> = []

/** `on: false` is `--no-plugins`: none at all. */
export const PluginsLive = (on: boolean) =>
  Layer.effect(Plugins, Effect.map(Config, ({ values }) =>
    Plugins.of({ all: on ? builtIn.filter((each) => values.plugins?.[each.plugin.name] ?? each.on).map(({ plugin }) => plugin) : [] })))
