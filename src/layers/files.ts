import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FilesLive } from "../services/files/live.js"
import { Toolbox } from "../services/Toolbox.js"
import { editFile } from "../tools/core/editFile.js"
import { readFile } from "../tools/core/readFile.js"
import { writeFile } from "../tools/core/writeFile.js"
import { offer } from "../tools/pipeline.js"
import type { RunOptions } from "./machine.js"
import { judgedLayer } from "./machine.js"

/** Tools that need nothing but files: a `shiro tool` that runs one of them loads nothing else. */
export const fileToolbox = (options: RunOptions) =>
  Layer.effect(
    Toolbox,
    Effect.map(Effect.all([offer(readFile), offer(writeFile), offer(editFile)]), (all) =>
      Toolbox.of({ all: Effect.succeed(all), live: Effect.succeed(all), deferred: Effect.succeed([]), listing: Effect.succeed([]) }))
  ).pipe(Layer.provideMerge(FilesLive), Layer.provideMerge(judgedLayer(options)))
