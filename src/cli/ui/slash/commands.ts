import { agentCommands } from "./agent.js"
import type { SlashCommand } from "./command.js"
import { sessionCommands } from "./sessions.js"
import { showCommands } from "./show.js"
import * as Effect from "effect/Effect"

const keys = [
  "`enter` sends, `\\` + `enter` breaks the line, `esc` aborts the turn, `ctrl-c` stops the running command",
  "`ctrl-r` shows the reasoning, `up` and `down` bring earlier prompts back, `@` completes a path"
]

const help: SlashCommand = {
  name: "help",
  about: "commands and keys",
  run: () => Effect.sync(() => [...slashCommands.map(({ about, name }) => `- **/${name}**: ${about}`), "", ...keys].join("\n"))
}

/** Every slash command, in the order of the menu. */
export const slashCommands: ReadonlyArray<SlashCommand> = [help, ...showCommands, ...agentCommands, ...sessionCommands]
