import * as Effect from "effect/Effect"
import { Undo } from "../../services/Undo.js"
import { configured } from "../layers.js"
import { exitCode } from "../output/exitCode.js"
import { outLine } from "../output/text.js"
import { turnLine, undoneText } from "../output/undone.js"
import type { Main } from "../run.js"

/** `shiro undo [--list]`: a turn is one prompt, or one call of `shiro tool`. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    const undo = yield* Undo
    if (line.flags.has("list")) {
      const turns = yield* undo.list
      yield* outLine(turns.length === 0 ? "There is nothing to undo here." : turns.map(turnLine).join("\n"))
      return exitCode.done
    }
    const done = yield* undo.undoLast
    yield* outLine(undoneText(done))
    return done.refused.length > 0 ? exitCode.failed : exitCode.done
  }).pipe(Effect.provide(configured(line)), Effect.scoped)
