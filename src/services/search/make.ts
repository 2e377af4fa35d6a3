import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Jail } from "../Jail.js"
import { PathEscapes } from "../Jail.js"
import { Search } from "../Search.js"
import { InvalidRegex } from "../Search.js"
import type { Walker } from "../Walker.js"
import type { Found, Range, Ripgrep, RunJob, Services, Wanted } from "./engines.js"
import { byOurselves, byRipgrep, shownFiles } from "./engines.js"
import type { Glob } from "./glob.js"
import { compileGlob, compileInclude, InvalidGlob } from "./glob.js"
import { compilePattern } from "./pattern.js"
import { makeFilesWithWord } from "./words.js"

export interface SearchPort {
  /** null: there is none, or it is switched off */
  readonly ripgrep: Effect.Effect<Ripgrep | null>
  readonly runJob: RunJob
  /** A file's identity where it has several names, else empty; null where it is no regular file in the workspace (any more). */
  readonly look: (path: string) => string | null
}
/** A glob as it is meant below the root, which its fixed beginning may name in full; it must not leave it. */
export const rootedGlob = Effect.fnUntraced(function*(jail: typeof Jail.Service, glob: string) {
  const wild = glob.search(/[*?[{\\]/)
  const fixed = glob.slice(0, glob.lastIndexOf("/", wild < 0 ? glob.length : wild) + 1)
  const rest = glob.slice(fixed.length)
  if (rest.split("/").includes("..")) return yield* new PathEscapes({ path: glob })
  if (fixed === "") return glob
  const folder = yield* Effect.mapError(jail.relative(fixed), () => new PathEscapes({ path: glob }))
  return `${folder === "." ? "" : `${folder}/`}${rest}`
})

const compiled = Effect.fnUntraced(function*(glob: Glob | InvalidGlob) {
  return glob instanceof InvalidGlob ? yield* glob : glob
})

/** For how long nobody looks whether a new `.shiroignore` takes something back in that ripgrep does not list, in milliseconds. */
const rememberedFor = 30_000

/** Whether ripgrep has to be told to list everything, as a `.shiroignore` takes something back in. */
const makeTakesBack = (walker: typeof Walker.Service) =>
  Effect.map(Ref.make({ at: -Infinity, value: false }), (known) =>
    Ref.get(known).pipe(Effect.map((before) => ({
      before: before.value,
      now: Effect.gen(function*() {
        const at = yield* Clock.currentTimeMillis
        if (at - before.at < rememberedFor) return before.value
        const { takesBack } = yield* walker.walk({})
        yield* Ref.set(known, { at, value: takesBack })
        return takesBack
      })
    }))))

export const make = Effect.fnUntraced(function*(port: SearchPort, { jail, secrets, walker }: Services) {
  const takesBack = yield* makeTakesBack(walker)

  /** By ripgrep where it takes the pattern as we do, else by ourselves. */
  const find = Effect.fnUntraced(function*(wanted: Wanted, range: Range) {
    const ours = compilePattern(wanted.pattern, wanted.ignoreCase)
    const ripgrep = yield* port.ripgrep
    if (ripgrep !== null && (ours instanceof InvalidRegex || !ours.onlyBuiltIn)) {
      const { before, now } = yield* takesBack
      const run = (noIgnore: boolean) => byRipgrep(ripgrep, wanted, range, range.includeIgnored || noIgnore)
      const [first, all] = yield* Effect.all([run(before), range.includeIgnored ? Effect.succeed(before) : now], { concurrency: 2 })
      const found = all === before ? first : yield* run(all)
      if (typeof found !== "string") return found
    }
    return ours instanceof InvalidRegex
      ? yield* ours
      : yield* byOurselves(port.runJob, walker, ours.matcher, wanted.limit, range)
  })

  /** A second name of a denied file is left out like the file. */
  const withoutDenied = Effect.fnUntraced(function*(wanted: Wanted, range: Range) {
    const denied = new Set<string>()
    for (;;) {
      const found: Found = yield* find(wanted, { ...range, shows: (path) => !denied.has(path) && range.shows(path) })
      const hits = found.hits.slice(0, wanted.limit)
      const before = denied.size
      for (const path of new Set(hits.map((hit) => hit.path))) {
        const identity = port.look(path)
        if (identity === null || (identity !== "" && (yield* secrets.deniedIdentity(identity)))) denied.add(path)
      }
      if (denied.size === before) return { hits, more: found.more, unreadable: found.unreadable }
    }
  })

  const grep = Effect.fn("Search.grep")(function*(query: Parameters<typeof Search.Service.grep>[0]) {
    const { ignoreCase = false, includeIgnored = false, limit, pattern } = query
    const include = query.include === undefined ? null : yield* compiled(compileInclude(yield* rootedGlob(jail, query.include)))
    const hides = yield* walker.hides(includeIgnored)
    const inScope = (path: string) => (include === null || include.matches(path)) && !hides(path)
    const found = yield* withoutDenied({ pattern, ignoreCase, limit }, {
      shows: (path) => (include === null || include.matches(path)) && !secrets.deniedName(path) && !hides(path),
      names: include?.names ?? null,
      includeIgnored
    })
    return { ...found, leftOut: (yield* secrets.deniedPaths).filter(inScope).length }
  })

  const files = Effect.fn("Search.files")(function*(query: Parameters<typeof Search.Service.files>[0]) {
    const glob = yield* compiled(compileGlob(yield* rootedGlob(jail, query.pattern)))
    const { paths, unreadable } = yield* shownFiles(walker, {
      shows: glob.matches,
      names: null,
      includeIgnored: query.includeIgnored === true
    })
    return { paths: paths.slice(0, query.limit), more: paths.length > query.limit, unreadable }
  })

  return Search.of({
    grep,
    files,
    filesWithWord: makeFilesWithWord(port, { jail, secrets, walker }),
    engine: Effect.flatMap(port.ripgrep, (ripgrep) => ripgrep === null ? Effect.succeed("the built-in search") : ripgrep.described)
  })
})
