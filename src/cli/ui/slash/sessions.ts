import * as Effect from "effect/Effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Agent } from "../../../services/Agent.js"
import { Jail } from "../../../services/Jail.js"
import type { SessionInfo } from "../../../services/Sessions.js"
import { Sessions } from "../../../services/Sessions.js"
import { Undo } from "../../../services/Undo.js"
import { transcript } from "../../output/transcript.js"
import { undoneText } from "../../output/undone.js"
import { when } from "../../output/when.js"
import type { SlashCommand } from "./command.js"

/** What a session is chosen by; of two that read alike, the later ones by their ids, too. */
const labelled = (sessions: ReadonlyArray<SessionInfo>) => {
  const labels = new Map<string, string>()
  for (const { id, title, used } of sessions) {
    const label = `${when(used)}  ${title}`
    labels.set(labels.has(label) ? `${label}  ${id}` : label, id)
  }
  return labels
}

export const sessionCommands: ReadonlyArray<SlashCommand> = [
  {
    name: "undo",
    about: "put back what the last turn changed",
    run: () =>
      Effect.gen(function*() {
        return undoneText(yield* (yield* Undo).undoLast)
      })
  },
  {
    name: "sessions",
    about: "saved sessions of this folder",
    run: () =>
      Effect.gen(function*() {
        const all = yield* (yield* Sessions).list
        return all.length === 0 ? "No session of this folder is saved." : all.slice(0, 20).map(({ id, title, used }) => `- ${id}  ${when(used)}  ${title}`).join("\n")
      })
  },
  {
    name: "resume",
    about: "go on with a saved session",
    run: ({ people, words }) =>
      Effect.gen(function*() {
        const all = yield* (yield* Sessions).list
        const labels = labelled(all.slice(0, 30))
        const chosen = words !== ""
          ? words
          : labels.get((yield* people.inquire({ question: "Which session?", options: [...labels.keys()].map((label) => ({ label })), multiple: false }))?.[0] ?? "")
        if (chosen === undefined) return "The session stays as it is."
        yield* (yield* Agent).resume(chosen)
        const messages = yield* (yield* Agent).messages
        return `Session ${chosen} goes on, ${messages.length} messages so far.`
      })
  },
  {
    name: "export",
    about: "write the conversation as markdown into a file",
    run: ({ words }) =>
      Effect.gen(function*() {
        const { root } = yield* Jail
        const { session } = yield* (yield* Agent).state
        const file = words === "" ? join(root, `shiro-${session.slice(0, 8)}.md`) : join(root, words)
        const text = transcript(yield* (yield* Agent).messages)
        return yield* Effect.tryPromise(() => writeFile(file, text, { flag: "wx", mode: 0o600 })).pipe(
          Effect.match({ onSuccess: () => `Written to ${file}.`, onFailure: () => `${file} can't be written, or is there already. Nothing was changed. Give another name.` })
        )
      })
  },
  { name: "exit", about: "leave shiro", run: ({ exit }) => Effect.as(exit, "") }
]
