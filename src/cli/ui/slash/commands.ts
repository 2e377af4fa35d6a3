import { agentCommands } from "./agent.js"
import type { SlashCommand } from "./command.js"
import { sessionCommands } from "./sessions.js"
import { showCommands } from "./show.js"
import * as Effect from "effect/Effect"

const keys: ReadonlyArray<readonly [key: string, does: string]> = [
  ["enter", "sends; while the model works, the prompt waits in the queue"],
  ["\\ + enter", "breaks the line"],
  ["esc", "aborts the turn and clears the queue"],
  ["ctrl-c", "stops the running command; else it clears the line, or leaves"],
  ["ctrl-r", "shows the reasoning"],
  ["up, down", "earlier prompts"],
  ["@", "completes a path"]
]
const row = (name: string, about: string) => `${`\`${name}\``.padEnd(14)}${about}`

const help: SlashCommand = {
  name: "help",
  about: "commands and keys",
  run: () => Effect.sync(() => [...slashCommands.map(({ about, name }) => row(`/${name}`, about)), "", ...keys.map(([key, does]) => row(key, does))].join("\n"))
}

/** Every slash command, in the order of the menu. */
export const slashCommands: ReadonlyArray<SlashCommand> = [help, ...showCommands, ...agentCommands, ...sessionCommands]
