import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Analysis, Commands } from "../Commands.js"
import { parse } from "../syntax/runtime.js"
import { agree, seen, sighted } from "./agreement.js"
import { analyse, analyseWords, disputed } from "./analyse.js"
import { read } from "./read.js"

const mostKept = 64
/** A line of this length takes long enough to be a weapon; nobody could judge it either. */
const longest = 100_000
const parseMillis = 250

/** Whether the grammar of tree-sitter sees the same commands; false also where it cannot tell. */
const confirmed = (line: string): Effect.Effect<boolean> =>
  parse("bash", line, sighted, parseMillis).pipe(
    Effect.map((other) => agree(seen(read(line).script), other)),
    Effect.catchAll(() => Effect.succeed(false))
  )

const make = Effect.sync(() => {
  const kept = new Map<string, Analysis>()
  const analysed = Effect.fnUntraced(function*(line: string) {
    if (line.length > longest) {
      return { line, commands: [], writes: [], unread: `it is longer than ${longest} characters`, doubts: [], bomb: null }
    }
    const analysis = analyse(line)
    return analysis.unread !== null || (yield* confirmed(line)) ? analysis : disputed(analysis)
  })
  return Commands.of({
    analyse: Effect.fn("Commands.analyse")(function*(line) {
      const known = kept.get(line)
      if (known !== undefined) return known
      const analysis = yield* analysed(line)
      for (const oldest of kept.keys()) {
        if (kept.size < mostKept) break
        kept.delete(oldest)
      }
      kept.set(line, analysis)
      return analysis
    }),
    analyseWords: (words) => Effect.sync(() => analyseWords(words))
  })
})

/** Reads with our own reader, which expands words as bash does, and has tree-sitter's grammar confirm where commands are. */
export const CommandsLive = Layer.effect(Commands, make)
