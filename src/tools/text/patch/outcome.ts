import * as Either from "effect/Either"
import { applyHunks } from "./apply.js"
import type { Endings, Hunk, Operation, Patch, Problem } from "./operation.js"
import { inLine } from "./operation.js"

/** What a patch does to one file, all of its parts taken together. */
export type Outcome =
  /** `copyOf`: the file that it has its mode from, where `mode` does not say */
  | { readonly kind: "added"; readonly path: string; readonly text: string; readonly mode: number | null; readonly copyOf: string | null }
  | { readonly kind: "deleted"; readonly path: string }
  /** `text` and `mode` are null where they stay, `from` is the path where it was */
  | { readonly kind: "changed"; readonly from: string; readonly path: string; readonly text: string | null; readonly mode: number | null }
export interface Outcomes {
  readonly files: ReadonlyArray<Outcome>
  /** what was not found exactly, sentences without their end */
  readonly notes: ReadonlyArray<string>
}

/** A path while the patch is followed: whose file it is (null: a new one), and its content where that has changed. */
interface Entry {
  readonly origin: string | null
  readonly copyOf: string | null
  readonly text: string | null
  readonly mode: number | null
}
/** Texts of the files that are there now; undefined for one that was not read. */
export type Sources = (path: string) => string | undefined

interface State {
  readonly sources: Sources
  /** paths that the patch has touched; null: nothing is there now */
  readonly entries: Map<string, Entry | null>
  /** files that were there before and are deleted */
  readonly gone: Set<string>
  readonly notes: Array<string>
}

const textOf = ({ sources }: State, entry: Entry): string | undefined =>
  entry.text ?? (entry.origin === null ? undefined : sources(entry.origin))

const hunked = (state: State, entry: Entry, path: string, hunks: ReadonlyArray<Hunk>, endings: Endings): Either.Either<string, Problem> => {
  const before = textOf(state, entry)
  if (before === undefined) return Either.left(`${path} could not be read`)
  return Either.mapBoth(applyHunks(before, hunks, endings), {
    onLeft: (problem) => `${path}, ${problem}`,
    onRight: ({ text, notes }) => {
      state.notes.push(...notes.map((note) => `${path}, ${note}`))
      return text
    }
  })
}

/** The two names of a file in a unified diff are of before and after all of it, whatever else the diff does. */
const isOriginal = (operation: Operation): boolean =>
  (operation.kind === "update" || operation.kind === "copy") && operation.to !== null && operation.endings !== "around"

const follow = (state: State, operation: Operation): Either.Either<void, Problem> =>
  Either.gen(function*() {
    const { at, path } = operation
    const { entries, gone } = state
    const bad = (problem: string) => Either.left(inLine(at, problem))
    const isTaken = (target: string) => (entries.get(target) ?? null) !== null
    if (operation.kind === "add") {
      if (isTaken(path)) return yield* bad(`${path} is in an earlier part of the patch too`)
      // Deleted and made anew is the same file with new content.
      entries.set(path, { origin: gone.delete(path) ? path : null, copyOf: null, text: operation.text, mode: operation.mode })
      return
    }
    const original: Entry = { origin: path, copyOf: null, text: null, mode: null }
    const entry = isOriginal(operation) || !entries.has(path) ? original : entries.get(path) ?? null
    if (entry === null) return yield* bad(`${path} was deleted or moved by an earlier part of the patch`)
    if (operation.kind === "delete") {
      if (operation.hunks.length > 0 && (yield* hunked(state, entry, path, operation.hunks, "around")) !== "") {
        return yield* bad(`${path} has more content than the patch deletes`)
      }
      entries.set(path, null)
      if (entry.origin !== null) gone.add(entry.origin)
      return
    }
    const { endings, hunks, to } = operation
    const text = hunks.length === 0 ? entry.text : yield* hunked(state, entry, path, hunks, endings)
    const target = to ?? path
    if (target !== path && isTaken(target)) return yield* bad(`${target} is in an earlier part of the patch too`)
    if (operation.kind === "copy") {
      const copied = text ?? textOf(state, entry)
      if (target === path || copied === undefined) return yield* bad(`${path} can't be copied to ${target}`)
      entries.set(target, { origin: null, copyOf: path, text: copied, mode: operation.mode })
      return
    }
    // Unless another file has come here since.
    const here = entries.get(path)
    if (target !== path && (here === undefined || here === null || here.origin === entry.origin)) entries.set(path, null)
    entries.set(target, { ...entry, text, mode: operation.mode ?? entry.mode })
  })

/** Follows the parts of a patch in order, each seeing what those before it left, and gives what becomes of every file. */
export const outcomes = (patch: Patch, sources: Sources): Either.Either<Outcomes, Problem> =>
  Either.gen(function*() {
    const state: State = { sources, entries: new Map(), gone: new Set(), notes: [] }
    for (const operation of patch) yield* follow(state, operation)
    const files = [...state.entries].flatMap(([path, entry]): ReadonlyArray<Outcome> => {
      if (entry === null) return []
      const { copyOf, mode, origin, text } = entry
      return [origin === null ? { kind: "added", path, text: text ?? "", mode, copyOf } : { kind: "changed", from: origin, path, text, mode }]
    })
    const deleted = [...state.gone].map((path): Outcome => ({ kind: "deleted", path }))
    return { files: [...files, ...deleted], notes: state.notes }
  })

/** Paths whose content is needed to follow the patch: of files with hunks, copied ones, those deleted and made anew or given another mode. */
export const readsOf = (patch: Patch): ReadonlySet<string> => {
  const anew = new Set(patch.filter((operation) => operation.kind === "add").map((operation) => operation.path))
  const origins = new Map<string, string | null>()
  const reads = new Set<string>()
  for (const operation of patch) {
    if (operation.kind === "add") {
      if (!origins.has(operation.path)) origins.set(operation.path, null)
      continue
    }
    const origin = origins.has(operation.path) && !isOriginal(operation) ? origins.get(operation.path) ?? null : operation.path
    const needs = operation.hunks.length > 0 || operation.kind === "copy"
      || (operation.kind === "delete" ? anew.has(operation.path) : operation.mode !== null)
    if (needs && origin !== null) reads.add(origin)
    if (operation.kind === "update" && operation.to !== null) origins.set(operation.to, origin)
    if (operation.kind === "copy" && operation.to !== null) origins.set(operation.to, null)
  }
  return reads
}
