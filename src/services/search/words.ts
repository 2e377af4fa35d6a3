import * as Effect from "effect/Effect"
import { InvalidRegex } from "../Search.js"
import type { Search } from "../Search.js"
import type { Ripgrep, Services } from "./engines.js"
import { nameArgs, shownFiles } from "./engines.js"
import type { SearchPort } from "./make.js"
import { compilePattern } from "./pattern.js"
import { makeRecords } from "./records.js"

type Query = Parameters<typeof Search.Service.filesWithWord>[0]

const byCodeUnits = (one: string, other: string) => one < other ? -1 : one > other ? 1 : 0

/** The paths with a line that passes. */
const judgedLines = (line: NonNullable<Query["line"]>) => {
  const paths: Array<string> = []
  let path: string | null = null
  return {
    paths,
    records: makeRecords({
      file: (found) => {
        path = found
        return true
      },
      hit: (_, head, units) => {
        if (path === null || (units === head.length && !line(head, path))) return
        paths.push(path)
        path = null
      }
    })
  }
}

/** null where it could not be run */
const byRipgrep = Effect.fnUntraced(function*(ripgrep: Ripgrep, { extensions, line, literal }: Query, target: string) {
  const args = [...ripgrep.scopeArgs(false), ...nameArgs(extensions.map((extension) => `*${extension}`)), "--null", "--fixed-strings", "--word-regexp"]
  const what = ["-e", literal, "--", `./${target}`]
  if (line !== undefined) {
    const { paths, records } = judgedLines(line)
    const { code } = yield* ripgrep.run([...args, "--with-filename", "--line-number", "--no-heading", ...what], records)
    return code === null ? null : paths
  }
  const parts: Array<Buffer> = []
  const { code } = yield* ripgrep.run([...args, "--files-with-matches", ...what], (chunk) => parts.push(chunk))
  if (code === null) return null
  return Buffer.concat(parts).toString("utf8").split("\0").filter((path) => path !== "").map((path) => path.replace(/^\.\/+/, ""))
})

/** Whole words of ripgrep's `--word-regexp`: no letter may touch them, whatever they begin with. */
const wordPattern = (literal: string) =>
  `\\b{start-half}${[...literal].map((char) => `\\x{${(char.codePointAt(0) ?? 0).toString(16)}}`).join("")}\\b{end-half}`

export const makeFilesWithWord = (port: SearchPort, { jail, secrets, walker }: Services) => {
  /** The folder as the walker takes it; a single file is its folder and itself. */
  const place = Effect.fnUntraced(function*(folder: string) {
    const path = yield* jail.relative(folder)
    if (path === ".") return { folder: path, target: "", only: null }
    return yield* walker.walk({ folder: path, depth: 1 }).pipe(
      Effect.as({ folder: path, target: `${path}/`, only: null }),
      Effect.catchTag("WrongKind", (fault) =>
        port.look(path) === null
          ? fault
          : Effect.succeed({ folder: path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".", target: path, only: path }))
    )
  })

  return Effect.fn("Search.filesWithWord")(function*(query: Query) {
    const { extensions, folder, literal } = query
    const { only, ...where } = yield* place(folder ?? ".")
    const hides = yield* walker.hides()
    const shows = (path: string) =>
      (only === null || path === only) && extensions.some((extension) => path.endsWith(extension)) && !secrets.deniedName(path) && !hides(path)
    const ripgrep = yield* port.ripgrep
    const found = ripgrep === null ? null : yield* byRipgrep(ripgrep, query, where.target)
    if (found !== null) return found.filter(shows).sort(byCodeUnits)
    const ours = compilePattern(wordPattern(literal), false)
    if (ours instanceof InvalidRegex) return []
    const { paths } = yield* shownFiles(walker, { shows, names: null, includeIgnored: false }, where.folder)
    const { files } = yield* port.runJob({ paths, matcher: ours.matcher, limit: Infinity, perFile: 1 }).pipe(Effect.orDie)
    return files.map(({ path }) => path)
  })
}
