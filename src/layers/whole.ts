import * as Layer from "effect/Layer"
import { AgentLive } from "../services/agent/live.js"
import { AskerNobody } from "../services/Asker.js"
import { CommandsOnDemand } from "../services/command/onDemand.js"
import { FilesLive } from "../services/files/live.js"
import { GitLive } from "../services/git/live.js"
import { McpClientMemory } from "../services/McpClient.js"
import { McpClientLive } from "../services/mcpClient/live.js"
import { McpInPrompt } from "../services/mcpClient/prompt.js"
import { ModelLive } from "../services/model/live.js"
import { ModelRecorded } from "../services/model/record.js"
import { NotesLive } from "../services/notes/live.js"
import { NotesInPrompt } from "../services/notes/prompt.js"
import { askerWithPlugins, PluginsInPrompt } from "../services/plugins/around.js"
import { PromptPartsLive } from "../services/PromptParts.js"
import { SearchLive } from "../services/search/live.js"
import { KeepersLive } from "../services/sessions/keepers.js"
import { SessionsLive } from "../services/sessions/live.js"
import { ShellLive } from "../services/shell/live.js"
import { SkillsLive } from "../services/skills/live.js"
import { SkillsInPrompt } from "../services/skills/prompt.js"
import { SubagentsLive } from "../services/Subagents.js"
import { SyntaxLive } from "../services/syntax/live.js"
import { TodosLive } from "../services/todos/live.js"
import { SnapshotsLive } from "../services/undo/snapshots.js"
import { UndoLive } from "../services/undo/live.js"
import { WalkerLive } from "../services/walker/live.js"
import { WebOnDemand } from "../services/web/onDemand.js"
import { builtIn } from "../tools/builtIn.js"
import { toolboxLayer } from "../tools/registry.js"
import type { RunOptions } from "./machine.js"
import { judgedLayer } from "./machine.js"

const modelOf = ({ model, record }: RunOptions) => {
  const answering = model ?? ModelLive
  return record === undefined ? answering : ModelRecorded(record).pipe(Layer.provide(answering))
}

/** The services that tools need, over one workspace. */
export const servicesLayer = (options: RunOptions) =>
  Layer.mergeAll(
    Layer.merge(UndoLive, SnapshotsLive).pipe(Layer.provideMerge(FilesLive)),
    SearchLive,
    ShellLive(options.background),
    GitLive,
    modelOf(options),
    SyntaxLive,
    NotesLive,
    SkillsLive,
    SubagentsLive,
    CommandsOnDemand,
    WebOnDemand,
    options.mcp === false ? McpClientMemory() : McpClientLive
  ).pipe(
    Layer.provideMerge(WalkerLive),
    Layer.provideMerge(askerWithPlugins(options.asker ?? AskerNobody)),
    Layer.provideMerge(judgedLayer(options))
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
    Layer.provideMerge(Layer.mergeAll(NotesInPrompt, SkillsInPrompt, McpInPrompt, PluginsInPrompt)),
    Layer.provideMerge(toolboxOver(options))
  )
