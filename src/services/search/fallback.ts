import * as Effect from "effect/Effect"
import { InvalidRegex, SearchTooLong } from "../Search.js"
import type { Done, RunJob, Work } from "./engines.js"
import type { Told } from "./worker.js"

/** Starts a worker on a job; gives what ends it at once. */
export type StartWorker = (work: Work, progress: SharedArrayBuffer, tell: (told: Told) => void) => () => void

/** How often a worker is looked after in its time, and how long that is for one stretch of a file, in milliseconds. */
const beats = 15
const longest = 3000
/** Files that are given up before the pattern is. */
const mostGivenUp = 2

type Result = { readonly kind: "done" } | { readonly kind: "stuck"; readonly at: number } | { readonly kind: "failed"; readonly failure: string }

/**
 * One worker, watched: it is stuck when its progress stands still, as happens when an expression goes through all the
 * ways in which a line could match.
 */
const watch = (start: StartWorker, patience: number, work: Work, tell: (told: Told) => void): Effect.Effect<Result> =>
  Effect.async<Result>((resume) => {
    const shared = new SharedArrayBuffer(8)
    const progress = new Int32Array(shared)
    let seen = -1
    let waited = 0
    const finish = (result: Result) => {
      clearInterval(watching)
      stop()
      resume(Effect.succeed(result))
    }
    const stop = start(work, shared, (told) => {
      if (told.kind !== "end") tell(told)
      else finish(told.failure === null ? { kind: "done" } : { kind: "failed", failure: told.failure })
    })
    const watching = setInterval(() => {
      const now = Atomics.load(progress, 0)
      // Until the first step the worker is still being made, which a busy machine may take long over.
      waited = now === seen && now > 0 ? waited + patience / beats : 0
      seen = now
      if (waited >= patience) finish({ kind: "stuck", at: Atomics.load(progress, 1) })
    }, patience / beats)
    return Effect.sync(() => {
      clearInterval(watching)
      stop()
    })
  })

/** The built-in search in worker threads. A file it gets stuck on is given up and named; a pattern that gets stuck often is. */
export const inWorkers = (start: StartWorker, patience = longest): RunJob =>
  Effect.fnUntraced(function*(work) {
    const files: Array<Done["files"][number]> = []
    const unreadable: Array<string> = []
    const told = (message: Told) => {
      if (message.kind === "found") files.push(message)
      if (message.kind === "unreadable") unreadable.push(`${message.path} could not be read (${message.code}).`)
    }
    let paths = work.paths
    for (let givenUp = 0;;) {
      const found = files.reduce((sum, { lines }) => sum + lines.length, 0)
      const result = yield* watch(start, patience, { ...work, paths, limit: work.limit - found }, told)
      if (result.kind === "failed") return yield* new InvalidRegex({ reason: result.failure })
      if (result.kind === "done") return { files, unreadable }
      if (givenUp++ === mostGivenUp) return yield* new SearchTooLong({ seconds: (givenUp * patience) / 1000 })
      unreadable.push(`${paths[result.at] ?? ""} was given up: the pattern takes too long on it.`)
      paths = paths.slice(result.at + 1)
    }
  })
