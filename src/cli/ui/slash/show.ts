import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { Config } from "../../../services/Config.js"
import { Jail } from "../../../services/Jail.js"
import { McpClient } from "../../../services/McpClient.js"
import { Notes } from "../../../services/Notes.js"
import { Plugins } from "../../../services/Plugins.js"
import { Skills } from "../../../services/Skills.js"
import { renderTodos, Todos } from "../../../services/Todos.js"
import { Toolbox } from "../../../services/Toolbox.js"
import type { SlashCommand } from "./command.js"

const init = `Look at this repository and write AGENTS.md at its root, or improve the one that is there: how to install, build, test and lint (the exact commands, verified), how the code is laid out, the conventions that a newcomer would get wrong. At most 60 lines; nothing that the code says itself.`

const notes: SlashCommand["run"] = () =>
  Effect.gen(function*() {
    const all = yield* (yield* Notes).all
    return all.length === 0 ? "Nothing is remembered of this project." : all.map(({ hits, kind, text }) => `- ${kind}: ${text}${hits === 0 ? "" : ` (recalled ${hits} times)`}`).join("\n")
  })

export const showCommands: ReadonlyArray<SlashCommand> = [
  {
    name: "tools",
    about: "the tools that are offered, and their sets",
    run: () =>
      Effect.gen(function*() {
        const listing = yield* (yield* Toolbox).listing
        const live = listing.filter((tool) => tool.live)
        const wide = Math.max(0, ...live.map(({ name }) => name.length))
        return [
          "tools",
          `${live.length} offered this turn of ${listing.length} registered`,
          ...live.map(({ name, set }) => set === null ? `- \`${name}\`` : `- \`${name}\`${" ".repeat(wide - name.length)}  ${set}`),
          ...listing.filter((tool) => !tool.live).map(({ name, why }) => `- ${name}: off, ${why ?? ""}`)
        ].join("\n")
      })
  },
  {
    name: "skills",
    about: "the skills there are",
    run: () =>
      Effect.gen(function*() {
        const skills = yield* Skills
        return [
          ...(yield* skills.all).map(({ description, name, source }) => `- **${name}**: ${description} (${source})`),
          ...yield* skills.problems
        ].join("\n")
      })
  },
  {
    name: "plugins",
    about: "the plugins that are on",
    run: () =>
      Effect.map(Plugins, ({ all, problems }) => [
        ...all.length === 0 ? ["No plugins are on, the guard neither."] : all.map(({ description, name }) => `- **${name}**: ${description}`),
        ...problems
      ].join("\n"))
  },
  {
    name: "mcp",
    about: "MCP servers and how they are",
    run: () =>
      Effect.gen(function*() {
        const servers = yield* (yield* McpClient).servers
        return servers.length === 0
          ? "No MCP server is configured. Put one under mcpServers in your configuration."
          : servers.map(({ name, state, tools, why }) => `- **${name}**: ${state}${state === "ready" ? `, ${tools} tools` : ""}${why === null ? "" : ` (${why})`}`).join("\n")
      })
  },
  {
    name: "todos",
    about: "the task list",
    run: () =>
      Effect.gen(function*() {
        const todos = yield* SubscriptionRef.get((yield* Todos).list)
        return todos.length === 0 ? "There is no task list." : renderTodos(todos)
      })
  },
  { name: "notes", about: "what is remembered of this project", run: notes },
  { name: "memory", about: "the same as /notes", run: notes },
  { name: "init", about: "have AGENTS.md written for this repository", run: ({ prompt }) => Effect.as(prompt(init), "") },
  {
    name: "config",
    about: "where this run's settings come from",
    run: () =>
      Effect.gen(function*() {
        const { sources, warnings } = yield* Config
        const { root } = yield* Jail
        const lines = Object.entries(sources).map(([key, source]) => `- ${key}: ${source}`)
        return [`workspace ${root}`, ...lines.length === 0 ? ["Everything is at its default."] : lines, ...warnings].join("\n")
      })
  }
]
