import type * as Effect from "effect/Effect"
import type { Agent } from "../../../services/Agent.js"
import type { Config } from "../../../services/Config.js"
import type { Fault } from "../../../services/Fault.js"
import type { Files } from "../../../services/Files.js"
import type { Home } from "../../../services/Home.js"
import type { Jail } from "../../../services/Jail.js"
import type { McpClient } from "../../../services/McpClient.js"
import type { Model } from "../../../services/Model.js"
import type { Notes } from "../../../services/Notes.js"
import type { Plugins } from "../../../services/Plugins.js"
import type { Secrets } from "../../../services/Secrets.js"
import type { Sessions } from "../../../services/Sessions.js"
import type { Skills } from "../../../services/Skills.js"
import type { Todos } from "../../../services/Todos.js"
import type { Toolbox } from "../../../services/Toolbox.js"
import type { Undo } from "../../../services/Undo.js"
import type { People } from "../people.js"

/** What slash commands may use. */
export type SlashServices =
  | Agent | Config | Files | Home | Jail | McpClient | Model | Notes | Plugins | Secrets | Sessions | Skills | Todos | Toolbox | Undo

/** What a command has beside the services. */
export interface Desk {
  /** the rest of the line, trimmed */
  readonly words: string
  readonly people: People
  /** puts a prompt in the queue, as if it had been typed */
  readonly prompt: (text: string) => Effect.Effect<void>
  readonly exit: Effect.Effect<void>
}
export interface SlashCommand {
  readonly name: string
  readonly about: string
  /** markdown or plain lines to print */
  readonly run: (desk: Desk) => Effect.Effect<string, Fault, SlashServices>
}
