import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Call } from "../../services/Call.js"
import { Ids } from "../../services/Ids.js"
import { Toolbox } from "../../services/Toolbox.js"
import type { Main } from "../run.js"
import { exitCode } from "../output/exitCode.js"
import { outJson, outLine } from "../output/text.js"
import { readStdin } from "../stdin.js"
import { UsageError } from "../argv.js"
import { oneTool } from "../layers.js"

/** Tools that only make sense while an agent works. */
const needTurn = ["ask", "task", "todo_write", "load_tools"]

const parse = Schema.decodeUnknown(Schema.parseJson())

const inputOf = Effect.fnUntraced(function*(argument: string | undefined) {
  const text = argument === undefined || argument === "-" ? yield* readStdin(argument === "-") : argument
  if (text === null || text.trim() === "") return {}
  return yield* parse(text).pipe(
    Effect.mapError(() => new UsageError({ message: `The input is not JSON: ${text.slice(0, 80)}. Give one object, as '{"path":"README.md"}', or - to read it from standard input.` }))
  )
})

/** `shiro tool <name> [json|-]`: one tool without a model, behind the same pipeline. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    const [name = "", json] = line.positionals
    if (needTurn.includes(name)) {
      return yield* new UsageError({ message: `${name} needs a running turn, so it can't be run by itself. Use it through shiro -p.` })
    }
    const input = yield* inputOf(json)
    return yield* Effect.gen(function*() {
      const tools = yield* (yield* Toolbox).all
      const tool = tools.find((each) => each.name === name)
      if (tool === undefined) {
        return yield* new UsageError({ message: `Unknown tool "${name}". Available: ${tools.map((each) => each.name).join(", ")}` })
      }
      const id = yield* (yield* Ids).next
      const call = { id, turn: id, worker: null }
      if (line.flags.has("explain")) {
        const { by, decision, parts, reason } = yield* tool.explain(input).pipe(Effect.provideService(Call, call))
        yield* outJson({ decision, by, reason, parts })
        return exitCode.done
      }
      yield* outLine(yield* tool.run(input).pipe(Effect.provideService(Call, call)))
      return exitCode.done
    }).pipe(Effect.provide(oneTool(line)), Effect.scoped)
  })
