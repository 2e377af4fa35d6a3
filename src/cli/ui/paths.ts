import * as Effect from "effect/Effect"
import { Walker } from "../../services/Walker.js"

/** How long a list of the workspace's paths is good for, in milliseconds. */
const freshFor = 5000
const mostShown = 30

/** Whether the letters of `word` come in this order; lower is a closer match, null is none. */
export const distance = (path: string, word: string): number | null => {
  const [whole, part] = [path.toLowerCase(), word.toLowerCase()]
  const at = whole.indexOf(part)
  if (at !== -1) return (whole.lastIndexOf("/") < at ? 0 : 100) + path.length / 1000
  let from = 0
  let gaps = 0
  for (const letter of part) {
    const found = whole.indexOf(letter, from)
    if (found === -1) return null
    gaps += found - from
    from = found + 1
  }
  return 200 + gaps + path.length / 1000
}

/** Paths of the workspace that fit what was typed after `@`. */
export const pathCompletions = Effect.gen(function*() {
  const walker = yield* Walker
  const paths = yield* Effect.cachedWithTTL(
    walker.walk().pipe(
      Effect.map(({ entries }) => entries.map(({ kind, path }) => kind === "folder" ? `${path}/` : path)),
      Effect.catchAll(() => Effect.succeed<ReadonlyArray<string>>([]))
    ),
    freshFor
  )
  return (word: string) =>
    Effect.map(paths, (all) =>
      all.flatMap((path) => {
        const near = distance(path, word)
        return near === null ? [] : [{ path, near }]
      }).sort((one, other) => one.near - other.near).slice(0, mostShown).map(({ path }) => ({ value: `@${path}${path.endsWith("/") ? "" : " "}`, about: "" })))
})
