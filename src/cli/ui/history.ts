import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { appendFileSync, mkdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Home } from "../../services/Home.js"
import { Jail } from "../../services/Jail.js"

/** Prompts that are offered again. */
const mostPrompts = 500

const textOf = (line: string): ReadonlyArray<string> => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "string" ? [value] : []
  } catch {
    return []
  }
}

/** Earlier prompts of this project, kept beside its notes as one JSON string a line. A history that can't be kept is no error. */
export const promptHistory = Effect.gen(function*() {
  const { folder } = yield* Home
  const { root } = yield* Jail
  const file = join(folder, "history", `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.jsonl`)
  const text = yield* Effect.promise(() => readFile(file, "utf8").catch(() => ""))
  const past = text.split("\n").flatMap(textOf).slice(-mostPrompts)
  return {
    past: (): ReadonlyArray<string> => past,
    add: (prompt: string) =>
      Effect.sync(() => {
        if (past.at(-1) === prompt || prompt.trim() === "/exit") return
        past.push(prompt)
        try {
          // At once, so that prompts stay in order and the last one is kept though shiro ends.
          mkdirSync(join(folder, "history"), { recursive: true, mode: 0o700 })
          appendFileSync(file, `${JSON.stringify(prompt)}\n`, { mode: 0o600 })
        } catch {
          // offered in this run only
        }
      })
  }
})
