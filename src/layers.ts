import * as Layer from "effect/Layer"
import { AgentLive } from "./services/agent/live.js"
import type { Approver } from "./services/Approver.js"
import { ApproverNobody } from "./services/Approver.js"
import type { Asker } from "./services/Asker.js"
import { AskerNobody } from "./services/Asker.js"
import { CommandsLive } from "./services/command/live.js"
import { ConfigLive } from "./services/config/live.js"
import type { ConfigValues } from "./services/config/schema.js"
import { DiskLive } from "./services/disk/live.js"
import { FilesLive } from "./services/files/live.js"
import { GitLive } from "./services/git/live.js"
import { HomeLive } from "./services/Home.js"
import { Host } from "./services/Host.js"
import { IdsLive } from "./services/Ids.js"
import { JailLive } from "./services/jail/live.js"
import { McpClientMemory } from "./services/McpClient.js"
import { McpClientLive } from "./services/mcpClient/live.js"
import { McpInPrompt } from "./services/mcpClient/prompt.js"
import { ModelLive } from "./services/model/live.js"
import { NotesLive } from "./services/notes/live.js"
import { NotesInPrompt } from "./services/notes/prompt.js"
import { PermissionsLive } from "./services/permissions/live.js"
import { PluginsLive } from "./services/plugins/live.js"
import { ProcessesLive } from "./services/processes/live.js"
import { PromptPartsLive } from "./services/PromptParts.js"
import { SearchLive } from "./services/search/live.js"
import { SecretsLive } from "./services/secrets/live.js"
import { KeepersLive } from "./services/sessions/keepers.js"
import { SessionsLive } from "./services/sessions/live.js"
import { ShellLive } from "./services/shell/live.js"
import { SkillsLive } from "./services/skills/live.js"
import { SkillsInPrompt } from "./services/skills/prompt.js"
import { SubagentsLive } from "./services/Subagents.js"
import { SurroundingsLive } from "./services/surroundings/live.js"
import { SyntaxLive } from "./services/syntax/live.js"
import { TodosLive } from "./services/todos/live.js"
import { UndoLive } from "./services/undo/live.js"
import { WalkerLive } from "./services/walker/live.js"
import { builtIn } from "./tools/builtIn.js"
import type { ToolboxOptions } from "./tools/registry.js"
import { toolboxLayer } from "./tools/registry.js"

/** What can be said about a run beyond the configuration files. */
export interface RunOptions {
  /** the workspace, absolute or relative to the current folder */
  readonly root: string
  readonly host: Layer.Layer<Host>
  /** wins over files and environment */
  readonly config?: ConfigValues
  readonly yolo?: boolean
  /** false: no plugins at all, the guard included */
  readonly plugins?: boolean
  readonly mcp?: boolean
  readonly approver?: Layer.Layer<Approver>
  readonly asker?: Layer.Layer<Asker>
  readonly toolbox?: ToolboxOptions
  /** what a command leaves running in the background: ends with shiro, or stays */
  readonly background?: Parameters<typeof ShellLive>[0]
}

/** The machine and the place to work in: no configuration is read yet. */
export const machineLayer = ({ host, root }: Pick<RunOptions, "host" | "root">) =>
  Layer.mergeAll(JailLive(root), ProcessesLive, HomeLive, IdsLive, DiskLive).pipe(Layer.provideMerge(host))

/** The services that tools need, over one workspace. */
export const servicesLayer = (options: RunOptions) =>
  Layer.mergeAll(
    PermissionsLive,
    UndoLive.pipe(Layer.provideMerge(FilesLive)),
    SearchLive,
    ShellLive(options.background),
    GitLive,
    ModelLive,
    SyntaxLive,
    NotesLive,
    SkillsLive,
    SubagentsLive,
    options.mcp === false ? McpClientMemory() : McpClientLive
  ).pipe(
    Layer.provideMerge(WalkerLive),
    Layer.provideMerge(Layer.mergeAll(SecretsLive, SurroundingsLive, CommandsLive, PluginsLive(options.plugins ?? true))),
    Layer.provideMerge(Layer.mergeAll(ConfigLive(options.config, options.yolo), options.approver ?? ApproverNobody, options.asker ?? AskerNobody)),
    Layer.provideMerge(machineLayer(options))
  )

/** The tools over their services; what they keep with a session and say in a prompt is registered on the way. */
export const toolboxOver = (options: RunOptions) =>
  toolboxLayer(builtIn, options.toolbox).pipe(
    Layer.provideMerge(TodosLive),
    Layer.provideMerge(Layer.mergeAll(PromptPartsLive, KeepersLive)),
    Layer.provideMerge(servicesLayer(options))
  )

/** Everything: the agent over its tools. */
export const agentLayer = (options: RunOptions) =>
  AgentLive.pipe(
    Layer.provideMerge(SessionsLive),
    Layer.provideMerge(Layer.mergeAll(NotesInPrompt, SkillsInPrompt, McpInPrompt)),
    Layer.provideMerge(toolboxOver(options))
  )
