import * as Effect from "effect/Effect"
import { Sessions } from "../../services/Sessions.js"
import type { Message } from "../../services/Model.js"
import { sessionsOf } from "../layers.js"
import { exitCode } from "../output/exitCode.js"
import { outJson, outLine } from "../output/text.js"
import { transcript } from "../output/transcript.js"
import { when } from "../output/when.js"
import type { Main } from "../run.js"

/** `shiro sessions [list|show|rm]`. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    const sessions = yield* Sessions
    const [id = ""] = line.positionals
    const json = line.flags.has("json")
    switch (line.command[1]) {
      case "show": {
        const records = yield* sessions.show(id)
        const messages: ReadonlyArray<Message> = records.flatMap((record) => record.type === "message" ? [record.message] : [])
        yield* json ? outJson(records) : outLine(transcript(messages))
        return exitCode.done
      }
      case "rm":
        yield* sessions.remove(id)
        yield* outLine("Removed.")
        return exitCode.done
      default: {
        const all = yield* sessions.list
        yield* json
          ? outJson(all)
          : outLine(all.length === 0 ? "No session of this folder is saved." : all.map((each) => `${each.id}  ${when(each.used)}  ${each.title}`).join("\n"))
        return exitCode.done
      }
    }
  }).pipe(Effect.provide(sessionsOf(line)), Effect.scoped)
