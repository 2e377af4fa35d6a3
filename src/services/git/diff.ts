import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { Diff, DiffScope, FileDiff } from "../Git.js"
import { isDenied, isInside, only, toTop, toWorkspace, without } from "./guard.js"
import type { RawEntry } from "./names.js"
import { absent, changeWord, differs, parseRaw } from "./names.js"
import { failed } from "./program.js"
import type { Repository } from "./repository.js"
import type { Names, Sections } from "./sections.js"
import { prefixes, sectionOf, splitSections, withoutPrefix } from "./sections.js"

/** A diff by one of git's plumbing commands, which write nothing and read few settings. */
export interface Plumbing {
  readonly command: ReadonlyArray<string>
  /** object ids */
  readonly operands: ReadonlyArray<string>
  /** `merge`: against all parents; `conflicts`: conflicted files against both sides, the others as usual */
  readonly combined: "no" | "merge" | "conflicts"
  /** one side is the work tree */
  readonly workTree: boolean
}

const quiet = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "--submodule=short", "-M", "-l1000"]

/** Names, without their contents. `figures` also counts lines, which tells files that differ in their time stamp only. */
export const listed = Effect.fnUntraced(function*(
  repository: Repository,
  { combined, command, operands }: Plumbing,
  { figures, within = [] }: { readonly figures: boolean; readonly within?: ReadonlyArray<string> }
) {
  const text = yield* repository.run([
    ...command, "--raw", "-z", "--no-abbrev", ...figures ? ["--numstat"] : [], ...quiet, "--no-relative",
    "--ita-invisible-in-index", ...combined === "no" ? [] : ["--cc", "--combined-all-paths"], ...operands, "--", ...within.map(only)
  ])
  return parseRaw(text)
})

/** Bytes of one run's output that are read; beyond it the run is stopped and what is missing asked for again. */
const enough = 1_000_000
const mostRuns = 8

const isCombined = ({ letters }: RawEntry) => letters.length > 1 || letters === "U"

const namesOf = ({ prefix }: Repository, entry: RawEntry): Names => {
  const [from] = entry.from
  return {
    path: toWorkspace(prefix, entry.path),
    topPath: entry.path,
    from: from === undefined || !isInside(prefix, from) ? null : toWorkspace(prefix, from),
    combined: isCombined(entry)
  }
}

/** What is to be read of which files. */
interface Wanted {
  readonly entries: ReadonlyArray<RawEntry>
  /** where they are, from the top; none for everywhere */
  readonly within: ReadonlyArray<string>
  /** what must not be read */
  readonly denied: ReadonlyArray<string>
  readonly room: number
}

/** Text of each entry, until `room` is used up; null for what is too large for it. An entry without any text is not in it. */
const bodies = Effect.fnUntraced(function*(
  repository: Repository,
  { combined, command, operands }: Plumbing,
  { denied, entries, room, within }: Wanted
) {
  const { prefix } = repository
  const args = [
    ...command, "-p", "--unified=3", "--inter-hunk-context=0", ...quiet, prefix === "" ? "--no-relative" : `--relative=${prefix}/`,
    "--ita-invisible-in-index", ...combined === "no" ? [] : ["--cc"]
  ]
  const texts = new Map<RawEntry, string | null>()
  // A changed line takes two units at least, so these can't fit.
  for (const entry of entries.length > 1 ? entries : []) {
    if (2 * ((entry.added ?? 0) + (entry.removed ?? 0)) > room) texts.set(entry, null)
  }
  let pending = entries.filter((entry) => !texts.has(entry))
  let used = 0
  for (let runs = 0; pending.length > 0 && runs < mostRuns && used < room; runs++) {
    const mark = randomUUID()
    const all = [...args, ...prefixes(mark), ...operands, "--", ...within.map(only), ...denied.map(without), ...[...texts.keys()].map(({ path }) => without(path))]
    const answer = yield* repository.ask(all, { stopAfterBytes: enough })
    if (!answer.cut && answer.code !== 0) return yield* failed(all, answer)
    const { broken, whole } = splitSections(answer.out, answer.cut)
    const take = (entry: RawEntry, sections: Sections) => {
      const section = sectionOf(sections, mark, namesOf(repository, entry))
      return section !== null && isCombined(entry) ? withoutPrefix(section, prefix) : section
    }
    const alone = entries.length === 1
    for (const entry of pending) {
      const text = take(entry, whole)
      if (text === null) continue
      const fits = alone || text.length <= room
      texts.set(entry, fits ? text : null)
      if (fits) used += text.length
    }
    const stuck = answer.cut ? pending.findIndex((entry) => take(entry, broken) !== null) : -1
    const last = pending[stuck]
    // Whole: what has no section has no text. Nothing recognised: no use to ask again.
    if (last === undefined) return texts
    const partial = take(last, broken) ?? ""
    // What was only begun at the end of a run is asked for again, unless it can't fit.
    const again = !alone && whole.size > 0 && partial.length <= room
    if (!again) texts.set(last, alone ? partial : null)
    pending = pending.slice(again ? stuck : stuck + 1)
  }
  for (const entry of pending) texts.set(entry, null)
  return texts
})

/** Comparing every file with more names than that costs more than looking at them. */
const fewNames = 100
/** More paths than that are not named to git one by one. */
const mostNamed = 1000

/**
 * Tracked files that differ between a tree and the work tree. Where the time stamp of a file differs from the index's,
 * its content is compared.
 */
export const namesSince = Effect.fnUntraced(function*(repository: Repository, tree: string) {
  const plumbing: Plumbing = { command: ["diff-index"], operands: [tree], combined: "no", workTree: true }
  const entries = yield* listed(repository, plumbing, { figures: false })
  const unsure = entries.filter(({ blobs, letters }) => letters === "M" && blobs.some(absent))
  if (unsure.length === 0) return entries
  const places = unsure.length > mostNamed ? [] : unsure.map(({ path }) => path)
  const counted = yield* listed(repository, plumbing, { figures: true, within: places })
  const binary = counted.filter(({ added, counted: told }) => told && added === null)
  const texts = yield* bodies(repository, plumbing, { entries: binary, within: binary.map(({ path }) => path), denied: [], room: Infinity })
  const same = new Set(unsure.map(({ path }) => path))
  for (const entry of counted) if (entry.counted && (entry.added !== null || texts.has(entry))) same.delete(entry.path)
  return entries.filter(({ path }) => !same.has(path))
})

const below = (folder: string) => (path: string) => folder === "" || path === folder || path.startsWith(`${folder}/`)

/**
 * Names first, of the whole repository, so that a rename is seen from both of its ends; then the bodies of those files
 * that may be shown.
 */
export const readDiff = Effect.fnUntraced(function*(repository: Repository, plumbing: Plumbing, { path, room }: DiffScope) {
  const { prefix } = repository
  const folder = path === undefined ? prefix : yield* toTop(repository, path)
  const named = yield* listed(repository, plumbing, { figures: plumbing.combined !== "merge" })
  const all = plumbing.workTree ? named.filter(differs) : named
  const selected = all.filter((entry) => [entry.path, ...entry.from].some(below(folder)))
  const inside = selected.filter((entry) => isInside(prefix, entry.path))
  const verdicts = yield* Effect.forEach(inside, (entry) =>
    isDenied(repository, {
      names: [entry.path, ...entry.from],
      blobs: entry.blobs,
      onDisk: plumbing.workTree && entry.blobs.some(absent)
    }))
  const shown = inside.filter((_, index) => verdicts[index] === false)
  const denied = inside.filter((_, index) => verdicts[index] === true)
  const names = shown.flatMap((entry) => [entry.path, ...entry.from]).filter((name) => isInside(prefix, name))
  const places = folder === "" ? [] : [folder, ...names.filter((name) => !below(folder)(name))]
  const texts = yield* bodies(repository, plumbing, {
    entries: shown,
    // Few names spare git the look at all the other files.
    within: names.length <= fewNames ? names : places,
    denied: denied.flatMap((entry) => [entry.path, ...entry.from]),
    room
  })
  const files = inside.flatMap((entry, index): ReadonlyArray<FileDiff> => {
    const secret = verdicts[index] === true
    const found = secret ? null : texts.get(entry)
    const sure = !isCombined(entry) && (!plumbing.workTree || (entry.added ?? 0) + (entry.removed ?? 0) > 0)
    if (found === undefined && !sure) return []
    const text = found ?? null
    return [{
      path: toWorkspace(prefix, entry.path),
      from: isCombined(entry) || entry.from[0] === undefined ? null : toWorkspace(prefix, entry.from[0]),
      change: changeWord(entry),
      added: isCombined(entry) ? null : entry.added,
      removed: isCombined(entry) ? null : entry.removed,
      text,
      leftOut: secret ? "secret" : text === null ? "size" : null
    }]
  })
  const diff: Diff = { files, outside: path === undefined ? all.length - inside.length : 0 }
  return diff
})
