import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Context from "effect/Context"
import { Files } from "../Files.js"

const names = ["AGENTS.md", "CLAUDE.md"]
const longest = 20_000

/** The project's own instructions in one folder, as a section; empty where it has none. */
const instructionsIn = (files: Context.Tag.Service<Files>, folder: string): Effect.Effect<string> =>
  Effect.gen(function*() {
    for (const name of names) {
      const path = folder === "." ? name : `${folder}/${name}`
      const file = yield* Effect.option(files.read(path))
      if (Option.isNone(file) || file.value.text.trim() === "") continue
      const text = file.value.text.replaceAll("\r\n", "\n").trim()
      const cut = text.length <= longest ? text : `${text.slice(0, longest)}\n[cut; read ${path} for the rest]`
      return `# Project instructions (${path})\n${cut}`
    }
    return ""
  })

const foldersAbove = (path: string): ReadonlyArray<string> => {
  const parts = path.replace(/^(\.?\/)+/, "").split("/").slice(0, -1)
  return parts.includes("..") ? [] : parts.map((_, index) => parts.slice(0, index + 1).join("/"))
}

/** Instructions of the root, read at the beginning of a turn, and of the folders that are worked in, as they come up. */
export const makeInstructions = Effect.gen(function*() {
  const files = yield* Files
  let root = ""
  const nested = new Map<string, string>()
  return {
    refresh: Effect.gen(function*() {
      root = yield* instructionsIn(files, ".")
      for (const folder of nested.keys()) nested.set(folder, yield* instructionsIn(files, folder))
    }),
    /** A tool worked on these paths. */
    touched: (paths: ReadonlyArray<string>) =>
      Effect.forEach([...new Set(paths.flatMap(foldersAbove))].filter((folder) => !nested.has(folder)), (folder) =>
        Effect.map(instructionsIn(files, folder), (text) => {
          nested.set(folder, text)
        }), { discard: true }),
    root: Effect.sync(() => root),
    nested: Effect.sync(() => [...nested.values()].filter((text) => text !== "").join("\n\n"))
  }
})
export type Instructions = Effect.Effect.Success<typeof makeInstructions>
