import * as Effect from "effect/Effect"
import type { FileFault } from "../Files.js"
import type { Jail } from "../Jail.js"
import type { Hit, InvalidRegex, SearchTooLong } from "../Search.js"
import type { Secrets } from "../Secrets.js"
import type { Walker } from "../Walker.js"
import { makeBest } from "./best.js"
import { cutLine } from "./line.js"
import { makeRecords } from "./records.js"
import type { Ended } from "./ripgrep.js"
import { unreadableIn } from "./ripgrep.js"
import type { FoundLine, Job } from "./worker.js"

export interface Services {
  readonly jail: typeof Jail.Service
  readonly walker: typeof Walker.Service
  readonly secrets: typeof Secrets.Service
}
export interface Ripgrep {
  /** Runs it below the root; its output goes to `output` as it comes. */
  readonly run: (args: ReadonlyArray<string>, output: (chunk: Buffer) => void) => Effect.Effect<Ended>
  readonly scopeArgs: (includeIgnored: boolean) => ReadonlyArray<string>
  /** what it is, and where it is from */
  readonly described: Effect.Effect<string>
}
export interface Done {
  readonly files: ReadonlyArray<{ readonly path: string; readonly lines: ReadonlyArray<FoundLine> }>
  /** sentences */
  readonly unreadable: ReadonlyArray<string>
}
export type Work = Pick<Job, "limit" | "matcher" | "paths" | "perFile">
/** Runs a job of the built-in search. */
export type RunJob = (work: Work) => Effect.Effect<Done, InvalidRegex | SearchTooLong>

/** Which files a search is about. */
export interface Range {
  /** Whether a file's hits are to be shown. */
  readonly shows: (path: string) => boolean
  /** ripgrep's globs for base names that leave out no file that is shown, or null */
  readonly names: ReadonlyArray<string> | null
  readonly includeIgnored: boolean
}
/** By path (code units), then line; one more than the limit, or some more, where there are more. */
export interface Found {
  readonly hits: ReadonlyArray<Hit>
  readonly more: boolean
  readonly unreadable: ReadonlyArray<string>
}

/** Only files whose base names fit; unlike globs, types leave ignore rules in force. */
export const nameArgs = (names: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  names === null ? [] : [...names.map((name) => `--type-add=shiro:${name}`), "--type=shiro"]

export interface Wanted {
  readonly pattern: string
  readonly ignoreCase: boolean
  readonly limit: number
}

/** `refused`: it takes the pattern for an error; `dead`: it could not be run, or was killed. */
export const byRipgrep = Effect.fnUntraced(function*(ripgrep: Ripgrep, wanted: Wanted, range: Range, noIgnore: boolean) {
  const best = makeBest(wanted.limit)
  let path = ""
  let more = false
  const records = makeRecords({
    file: (found) => {
      path = found
      if (best.isBehind(found)) {
        more ||= range.shows(found)
        return false
      }
      return range.shows(found)
    },
    hit: (line, head, units) => best.add({ path, line, ...cutLine(head, units) })
  })
  const ended = yield* ripgrep.run([
    ...ripgrep.scopeArgs(noIgnore), ...nameArgs(range.names),
    "--line-number", "--no-heading", "--null", "--crlf", `--max-count=${wanted.limit + 1}`,
    ...wanted.ignoreCase ? ["--ignore-case"] : [],
    "-e", wanted.pattern, "--", "./"
  ], records)
  if (ended.code === null) return "dead"
  const unreadable = ended.code > 1 ? unreadableIn(ended.stderr) : []
  if (unreadable === null) return "refused"
  const hits = best.sorted()
  const found: Found = { hits, more: more || best.dropped() || hits.length > wanted.limit, unreadable }
  return found
})

const byCodeUnits = (one: string, other: string) => one < other ? -1 : one > other ? 1 : 0
export const listTrouble = (path: string) => `${path}/ could not be listed.`

/** The paths that are shown, by code units. */
export const shownFiles = Effect.fnUntraced(function*(walker: typeof Walker.Service, range: Range, folder?: string) {
  const walked = yield* walker.walk({ includeIgnored: range.includeIgnored, ...folder === undefined ? {} : { folder } })
  const paths = walked.entries.flatMap(({ kind, path }) => kind === "file" && range.shows(path) ? [path] : [])
  return { paths: paths.sort(byCodeUnits), unreadable: walked.unreadable.map(listTrouble) }
})

export const byOurselves = (
  runJob: RunJob,
  walker: typeof Walker.Service,
  matcher: Job["matcher"],
  limit: number,
  range: Range
): Effect.Effect<Found, InvalidRegex | SearchTooLong | FileFault> =>
  Effect.gen(function*() {
    const { paths, unreadable } = yield* shownFiles(walker, range)
    const done = yield* runJob({ paths, matcher, limit: limit + 1, perFile: limit + 1 })
    const hits = done.files.flatMap(({ lines, path }) =>
      lines.map(({ head, line, units }): Hit => ({ path, line, ...cutLine(head, units) })))
    return { hits, more: hits.length > limit, unreadable: [...unreadable, ...done.unreadable] }
  })
