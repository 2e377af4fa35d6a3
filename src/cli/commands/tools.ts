import * as Effect from "effect/Effect"
import { Toolbox } from "../../services/Toolbox.js"
import { wholeToolbox } from "../layers.js"
import { exitCode } from "../output/exitCode.js"
import { errLine, outJson, outLine } from "../output/text.js"
import type { Main } from "../run.js"
import { serverTroubles } from "../troubles.js"

/** `shiro tools`: what there is, which set it is from, what it costs, and what is off and why. */
export const main: Main = (line) =>
  Effect.gen(function*() {
    const listing = yield* (yield* Toolbox).listing
    for (const trouble of yield* serverTroubles) yield* errLine(`notice: ${trouble}`)
    if (line.flags.has("json")) {
      yield* outJson(listing)
      return exitCode.done
    }
    const live = listing.filter((tool) => tool.live)
    const width = Math.max(...listing.map(({ name }) => name.length)) + 2
    for (const { access, bytes, name, set, why } of listing) {
      yield* outLine(`${name.padEnd(width)}${(set ?? "-").padEnd(11)}${access.padEnd(10)}${String(bytes).padStart(5)} B${why === null ? "" : `  off: ${why}`}`)
    }
    const sum = (tools: typeof listing) => tools.reduce((bytes, tool) => bytes + tool.bytes, 0).toLocaleString("en-US")
    yield* outLine(`\n${live.length} offered of ${listing.length} registered; ${sum(live)} B with every request, ${sum(listing.filter(({ set }) => set === "core"))} B of them core`)
    return exitCode.done
  }).pipe(Effect.provide(wholeToolbox(line)), Effect.scoped)
