import * as Either from "effect/Either"
import { nearest } from "../nearest.js"
import { listed } from "../number.js"
import { occurrencesIn } from "../occurrences.js"
import type { Hunk, HunkLine, Problem } from "./operation.js"

/** How a hunk's old lines and the file's agree. */
export type Fit = "exact" | "trailing" | "space"

export interface Placed {
  readonly hunk: Hunk
  /** the hunk's lines, without loose ones that the file does not have */
  readonly lines: ReadonlyArray<HunkLine>
  /** 0-based line of the file where the old lines begin */
  readonly start: number
  /** how it was found, where that is not just what the patch says */
  readonly note: string | null
}

const forms: Readonly<Record<Fit, (line: string) => string>> = {
  exact: (line) => line,
  trailing: (line) => line.trimEnd(),
  space: (line) => line.replace(/\s+/gu, "")
}
const words: Readonly<Record<Fit, string | null>> = {
  exact: null,
  trailing: "found by ignoring trailing white space",
  space: "found by ignoring all white space"
}
const fits: ReadonlyArray<Fit> = ["exact", "trailing", "space"]

const oldTexts = (lines: ReadonlyArray<HunkLine>) => lines.filter((line) => line.kind !== "+").map((line) => line.text)

/** Lines of the file by each form, made once. */
const formsOf = (file: ReadonlyArray<string>) => {
  const made = new Map<Fit, ReadonlyArray<string>>([["exact", file]])
  return (fit: Fit): ReadonlyArray<string> => {
    const known = made.get(fit) ?? file.map(forms[fit])
    made.set(fit, known)
    return known
  }
}
type Forms = ReturnType<typeof formsOf>

const indentOf = (line: string) => /^\s*/.exec(line)?.[0].length ?? 0
/** The end of the block that the line `at` begins: the next line that is indented no deeper, closing brackets aside. */
const blockEnd = (file: ReadonlyArray<string>, at: number): number => {
  const indent = indentOf(file[at] ?? "")
  let end = at + 1
  while (end < file.length) {
    const line = file[end] ?? ""
    if (line.trim() !== "" && indentOf(line) <= indent && !/^\s*[)\]}]/.test(line)) break
    end++
  }
  return end
}

/** Lines that an anchor names: whole lines first, then lines that hold it. */
const anchored = (forms: Forms, anchor: string, from: number, to: number): ReadonlyArray<number> => {
  const among = (lines: ReadonlyArray<string>, matches: (line: string) => boolean) => {
    const found: Array<number> = []
    for (let at = from; at < to; at++) if (matches(lines[at] ?? "")) found.push(at)
    return found
  }
  const bare = anchor.replace(/\s+/gu, "")
  const tries = [
    () => among(forms("exact"), (line) => line === anchor),
    () => among(forms("space"), (line) => line === bare),
    () => among(forms("space"), (line) => bare !== "" && line.includes(bare))
  ]
  for (const attempt of tries) {
    const found = attempt()
    if (found.length > 0) return found
  }
  return []
}

interface Scope {
  /** the line right below the last anchor */
  readonly from: number
  readonly to: number
}
/** What the anchors leave of the file, one scope for each place that they name. */
const scopesOf = (forms: Forms, anchors: ReadonlyArray<string>): ReadonlyArray<Scope> => {
  const file = forms("exact")
  return anchors.reduce<ReadonlyArray<Scope>>(
    (scopes, anchor) =>
      scopes.flatMap(({ from, to }) => anchored(forms, anchor, from, to).map((at) => ({ from: at + 1, to: blockEnd(file, at) }))),
    [{ from: 0, to: file.length }]
  )
}

const atLines = (starts: ReadonlyArray<number>) => `lines ${listed(starts.map((start) => start + 1))}`

interface Where {
  readonly forms: Forms
  readonly hunk: Hunk
  /** lines by which the hunk before was found away from its number */
  readonly drift: number
}
type Choice = { readonly start: number; readonly note: string | null } | { readonly several: ReadonlyArray<number> }

const choose = ({ forms, hunk, drift }: Where, starts: ReadonlyArray<number>, length: number): Choice => {
  const total = forms("exact").length
  const ending = hunk.atEnd ? starts.filter((start) => start + length === total) : []
  const [only, ...others] = ending.length > 0 ? ending : starts
  if (only === undefined) return { several: [] }
  if (hunk.place !== null) {
    const said = Math.max(0, hunk.place.line - 1)
    const distance = (start: number) => Math.abs(start - said - drift)
    const sorted = starts.toSorted((a, b) => distance(a) - distance(b))
    const [best = only, second] = sorted
    if (second !== undefined && distance(best) === distance(second)) return { several: [best, second].toSorted((a, b) => a - b) }
    return { start: best, note: best === said ? null : `found at line ${best + 1}, not ${said + 1}` }
  }
  if (others.length === 0) {
    return { start: only, note: hunk.atEnd && ending.length === 0 ? "its lines are not at the end of the file" : null }
  }
  if (hunk.anchors.length === 0) return { several: starts }
  const scopes = scopesOf(forms, hunk.anchors)
  const next = starts.filter((start) => scopes.some(({ from }) => start === from || start === from - 1))
  const inside = next.length === 1 ? next : starts.filter((start) => scopes.some(({ from, to }) => start >= from - 1 && start < to))
  const [first, ...more] = inside
  return first !== undefined && more.length === 0 ? { start: first, note: null } : { several: inside.length > 0 ? inside : starts }
}

/** A hunk that only adds: below its anchor, at its line number, else at the end of the file. */
const insertion = ({ forms, hunk }: Where): Either.Either<{ readonly start: number; readonly note: string | null }, Problem> => {
  const total = forms("exact").length
  if (hunk.place !== null) {
    const start = hunk.place.count === 0 ? hunk.place.line : hunk.place.line - 1
    return start <= total
      ? Either.right({ start: Math.max(0, start), note: null })
      : Either.left(`adds lines after line ${start}, but the file has ${total} lines`)
  }
  if (hunk.anchors.length === 0) return Either.right({ start: total, note: hunk.atEnd ? null : "it has no context, so its lines went to the end of the file" })
  const scopes = scopesOf(forms, hunk.anchors)
  const [scope, ...more] = scopes
  if (scope === undefined) return Either.left(`no line of the file matches @@ ${hunk.anchors.join(" @@ ")}`)
  return more.length === 0
    ? Either.right({ start: scope.from, note: null })
    : Either.left(`@@ ${hunk.anchors.join(" @@ ")} is at ${atLines(scopes.map(({ from }) => from - 1))}. Add context lines that only one place has`)
}

const notFound = ({ forms, hunk }: Where): Problem => {
  const wanted = oldTexts(hunk.lines).join("\n")
  const now = hunk.lines.filter((line) => line.kind !== "-").map((line) => line.text).join("\n")
  const file = forms("exact").join("\n")
  const isDone = hunk.lines.some((line) => line.kind === "+") && now.trim().length >= 8
  return `its context and removed lines are not in the file.\n${nearest(file, wanted, "the hunk", isDone ? now : undefined)}`
}

const placeOne = (where: Where): Either.Either<Placed, Problem> => {
  const { forms: formed, hunk } = where
  const tight = hunk.lines.slice(0, hunk.lines.length - hunk.loose)
  for (const lines of hunk.loose > 0 ? [hunk.lines, tight] : [hunk.lines]) {
    const wanted = oldTexts(lines)
    if (wanted.length === 0) return Either.map(insertion(where), (found) => ({ hunk, lines, ...found }))
    for (const fit of fits) {
      const starts = occurrencesIn(formed(fit), wanted.map(forms[fit]))
      if (starts.length === 0) continue
      const choice = choose(where, starts, wanted.length)
      if ("several" in choice) {
        return Either.left(
          `its context is at ${atLines(choice.several)}, so its place is ambiguous. Add context lines, or a @@ line above them, that only one place has`
        )
      }
      const missing = hunk.anchors.length > 0 && scopesOf(formed, hunk.anchors).length === 0
      const notes = [words[fit], choice.note, missing ? `no line matches @@ ${hunk.anchors.join(" @@ ")}, but the context is there once` : null]
      const note = notes.filter((each) => each !== null).join("; ")
      return Either.right({ hunk, lines, start: choice.start, note: note === "" ? null : note })
    }
  }
  return Either.left(notFound(where))
}

/** Finds the place of every hunk in the file as it is before any of them. */
export const placeHunks = (file: ReadonlyArray<string>, hunks: ReadonlyArray<Hunk>): Either.Either<ReadonlyArray<Placed>, Problem> =>
  Either.gen(function*() {
    const formed = formsOf(file)
    const placed: Array<Placed> = []
    let drift = 0
    for (const [index, hunk] of hunks.entries()) {
      const found = yield* Either.mapLeft(
        placeOne({ forms: formed, hunk, drift }),
        (problem) => `hunk ${index + 1} (line ${hunk.at} of the patch): ${problem}`
      )
      if (hunk.place !== null && hunk.place.count > 0) drift = found.start - (hunk.place.line - 1)
      placed.push(found)
    }
    return placed
  })
