import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { lstatSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import { Search } from "../Search.js"
import { Secrets } from "../Secrets.js"
import { Walker } from "../Walker.js"
import type { Ripgrep } from "./engines.js"
import type { StartWorker } from "./fallback.js"
import { inWorkers } from "./fallback.js"
import { locateRipgrep } from "./locate.js"
import { make } from "./make.js"
import { runRipgrep, scopeArgs } from "./ripgrep.js"
import type { Job } from "./worker.js"
import { workerSource } from "./worker.js"
import { once } from "../once.js"

/** A worker for a job; gives what ends it at once. */
export const startIn = (root: string): StartWorker => (work, progress, tell) => {
  const workerData: Job = { ...work, root, progress }
  const worker = new Worker(workerSource(), { eval: true, workerData, env: {}, execArgv: [] })
  worker.on("message", tell)
  worker.once("error", (error) => tell({ kind: "end", failure: error.message }))
  return () => {
    void worker.terminate()
  }
}

const lookIn = (root: string) => (path: string): string | null => {
  const full = join(root, path)
  try {
    const facts = lstatSync(full, { bigint: true })
    if (!facts.isFile() || realpathSync.native(full) !== full) return null
    return facts.nlink > 1n ? `${facts.dev}:${facts.ino}` : ""
  } catch {
    return null
  }
}

export const SearchLive = Layer.effect(
  Search,
  Effect.gen(function*() {
    const jail = yield* Jail
    const host = yield* Host
    const { root } = jail
    const ripgrep = yield* once(Effect.map(locateRipgrep(host), (found): Ripgrep | null =>
      found && {
        run: (args, output) => runRipgrep(found.path, args, root, output),
        scopeArgs: (includeIgnored) => scopeArgs(root, includeIgnored),
        described: Effect.suspend(() => {
          let text = ""
          return Effect.map(runRipgrep(found.path, ["--version"], root, (chunk) => text += chunk.toString()), ({ code }) =>
            code === 0 ? `${/^ripgrep \S+/.exec(text)?.[0] ?? "ripgrep"} (${found.origin})` : `the built-in search, as ${found.path} could not be run`)
        })
      }))
    return yield* make({ ripgrep, runJob: inWorkers(startIn(root)), look: lookIn(root) }, {
      jail,
      walker: yield* Walker,
      secrets: yield* Secrets
    })
  })
)
