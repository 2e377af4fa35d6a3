import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Surroundings } from "../Surroundings.js"

/** `links`: path to where it leads, null for out of the workspace. */
export const SurroundingsMemory = (facts: {
  readonly links?: Readonly<Record<string, string | null>>
  readonly files?: ReadonlyArray<string>
  readonly refs?: ReadonlyArray<string>
} = {}) =>
  Layer.succeed(Surroundings, Surroundings.of({
    realPath: (path) =>
      Effect.sync(() => {
        const links = facts.links ?? {}
        const link = Object.keys(links).find((name) => path === name || path.startsWith(`${name}/`))
        if (link === undefined) return path
        const target = links[link]
        return target === undefined || target === null ? null : `${target}${path.slice(link.length)}`
      }),
    exists: (path) => Effect.sync(() => (facts.files ?? []).some((file) => file === path || file.startsWith(`${path}/`))),
    isRef: (name) => Effect.sync(() => (facts.refs ?? []).includes(name))
  }))
