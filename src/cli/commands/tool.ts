import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Call } from "../../services/Call.js"
import { Config } from "../../services/Config.js"
import type { Fault } from "../../services/Fault.js"
import { Ids } from "../../services/Ids.js"
import { Plugins } from "../../services/Plugins.js"
import { Toolbox } from "../../services/Toolbox.js"
import type { Main } from "../run.js"
import { exitCode } from "../output/exitCode.js"
import { errLine, outJson, outLine } from "../output/text.js"
import { readStdin } from "../stdin.js"
import type { Line } from "../argv.js"
import { UsageError } from "../argv.js"
import { optionsOf } from "../options.js"

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

/** The few tools that need only files start without the rest of shiro. */
const fileTools: ReadonlyArray<string> = ["read_file", "write_file", "edit_file"]
const toolboxFor = (name: string, line: Line): Effect.Effect<Layer.Layer<Toolbox | Ids | Plugins | Config, Fault>> =>
  Effect.promise(async () =>
    fileTools.includes(name)
      ? (await import("../../layers/files.js")).fileToolbox(optionsOf(line))
      : (await import("../layers.js")).oneTool(line))

/** Why a server's tool may be missing. */
const tellOfServers = Effect.gen(function*() {
  const [{ McpClient }, { serverTroubles }] = yield* Effect.promise(() => Promise.all([import("../../services/McpClient.js"), import("../troubles.js")]))
  const client = yield* Effect.serviceOption(McpClient)
  if (Option.isNone(client)) return
  for (const trouble of yield* Effect.provideService(serverTroubles, McpClient, client.value)) yield* errLine(`notice: ${trouble}`)
})

/** `shiro tool <name> [json|-]`: one tool without a model, behind the same pipeline. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    const [name = "", json] = line.positionals
    if (needTurn.includes(name)) {
      return yield* new UsageError({ message: `${name} needs a running turn, so it can't be run by itself. Use it through shiro -p.` })
    }
    const input = yield* inputOf(json)
    const toolbox = yield* toolboxFor(name, line)
    return yield* Effect.gen(function*() {
      // A rule or a refusal that does not hold must not go unseen.
      for (const problem of [...(yield* Config).warnings, ...(yield* Plugins).problems]) yield* errLine(`notice: ${problem}`)
      const tools = yield* (yield* Toolbox).all
      const tool = tools.find((each) => each.name === name)
      if (tool === undefined) {
        if (name.startsWith("mcp__")) yield* tellOfServers
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
    }).pipe(Effect.provide(toolbox), Effect.scoped)
  })
