import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Commands } from "../Commands.js"

/** The analysis, loaded by the first line there is to take apart: most runs of one file tool have none. */
export const CommandsOnDemand = Layer.effect(
  Commands,
  Effect.map(
    Effect.cached(Effect.flatMap(Effect.promise(() => import("./live.js")), ({ CommandsLive }) => Effect.provide(Commands, CommandsLive))),
    (loaded) =>
      Commands.of({
        analyse: (line) => Effect.flatMap(loaded, (commands) => commands.analyse(line)),
        analyseWords: (words) => Effect.flatMap(loaded, (commands) => commands.analyseWords(words))
      })
  )
)
