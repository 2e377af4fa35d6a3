import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { appendFile, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Home } from "../Home.js"
import { Jail } from "../Jail.js"
import { Notes, NotesUnusable } from "../Notes.js"
import { make } from "./make.js"

/** `notes/<hash of the project's real path>.jsonl` in shiro's home. */
export const NotesLive = Layer.effect(
  Notes,
  Effect.gen(function*() {
    const { folder } = yield* Home
    const { root } = yield* Jail
    const file = join(folder, "notes", `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.jsonl`)
    const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: (cause) => new NotesUnusable({ file, cause }) })
    return make({
      // For each request's prompt: a small file, read sooner here than on another thread.
      lines: Effect.try({
        try: () => statSync(file, { throwIfNoEntry: false }) === undefined ? [] : readFileSync(file, "utf8").split("\n").filter((line) => line !== ""),
        catch: (cause) => new NotesUnusable({ file, cause })
      }),
      // One write with O_APPEND: lines of concurrent processes never mix. It begins a line of its own after a torn one.
      append: (line) =>
        attempt(async () => {
          await mkdir(join(folder, "notes"), { recursive: true, mode: 0o700 })
          await appendFile(file, `\n${line}\n`, { mode: 0o600 })
        })
    })
  })
)
