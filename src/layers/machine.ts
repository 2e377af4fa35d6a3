import * as Layer from "effect/Layer"
import type { Approver } from "../services/Approver.js"
import { ApproverNobody } from "../services/Approver.js"
import type { Asker } from "../services/Asker.js"
import { ConfigLive } from "../services/config/live.js"
import type { ConfigValues } from "../services/config/schema.js"
import { DiskLive } from "../services/disk/live.js"
import { HomeLive } from "../services/Home.js"
import type { Host } from "../services/Host.js"
import { IdsLive } from "../services/Ids.js"
import { JailLive } from "../services/jail/live.js"
import type { Model } from "../services/Model.js"
import { PermissionsLive } from "../services/permissions/live.js"
import type { Plugin } from "../services/Plugins.js"
import { PluginsLive } from "../services/plugins/live.js"
import { ProcessesLive } from "../services/processes/live.js"
import { SecretsLive } from "../services/secrets/live.js"
import type { Background } from "../services/shell/make.js"
import { SurroundingsLive } from "../services/surroundings/live.js"
import type { ToolboxOptions } from "../tools/registry.js"
import { time } from "./plugins.js"

/** What can be said about a run beyond the configuration files. */
export interface RunOptions {
  /** the workspace, absolute or relative to the current folder */
  readonly root: string
  readonly host: Layer.Layer<Host>
  /** wins over files and environment */
  readonly config?: ConfigValues
  readonly yolo?: boolean
  /** the embedder's own, beside those that come with shiro; false: no plugins at all, the guard included */
  readonly plugins?: boolean | ReadonlyArray<Plugin>
  readonly mcp?: boolean
  readonly approver?: Layer.Layer<Approver>
  readonly asker?: Layer.Layer<Asker>
  readonly toolbox?: ToolboxOptions
  /** the model in place of the configured provider */
  readonly model?: Layer.Layer<Model>
  /** the file a script of the run is written to, from which it can be replayed */
  readonly record?: string
  /** what a command leaves running in the background: ends with shiro, or stays */
  readonly background?: Background
}

/** The machine and the place to work in: no configuration is read yet. */
export const machineLayer = ({ host, root }: Pick<RunOptions, "host" | "root">) =>
  Layer.mergeAll(JailLive(root), ProcessesLive, HomeLive, IdsLive, DiskLive).pipe(Layer.provideMerge(host))

const pluginsOf = ({ plugins = true }: RunOptions) =>
  PluginsLive({ on: plugins !== false, ours: [time], own: typeof plugins === "boolean" ? [] : plugins })

/** Whatever a call needs before its body runs: configuration, secrets, plugins, the judge. */
export const judgedLayer = (options: RunOptions) =>
  PermissionsLive.pipe(
    Layer.provideMerge(Layer.mergeAll(SecretsLive, SurroundingsLive, pluginsOf(options))),
    Layer.provideMerge(Layer.mergeAll(ConfigLive(options.config, options.yolo), options.approver ?? ApproverNobody)),
    Layer.provideMerge(machineLayer(options))
  )
