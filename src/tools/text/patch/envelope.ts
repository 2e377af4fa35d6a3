import * as Either from "effect/Either"
import type { OpenHunk } from "./body.js"
import { addedText, anchorOf, begins, isFileHeader, openHunk, readHeader, takeLine } from "./body.js"
import type { Hunk, Operation, Patch, Problem } from "./operation.js"
import { inLine } from "./operation.js"

const marker = /^\*\*\* (Begin Patch|End Patch|End of File|Add File:|Update File:|Delete File:|Move to:)[ \t]*(.*?)[ \t]*\r?$/

/** One file's part: its marker and what follows, by number in the patch. */
interface Section {
  readonly at: number
  readonly kind: string
  readonly path: string
  readonly lines: Array<string>
}

/** What may stand outside of the envelope: blank lines, code fences, the shell's way to hand a text to a command. */
const wrapping = /^\s*(?:```\w*|~~~\w*|(?:\S+ )*<<-?\s*\\?['"]?\w+['"]?.*|(?:\S*\/)?apply_patch.*|['"]|\w+['"]?\)?)?\s*$/

const sectionsOf = (lines: ReadonlyArray<string>, start: number) =>
  Either.gen(function*() {
    const sections: Array<Section> = []
    let state: "before" | "inside" | "after" = /Begin Patch/.test(lines[start] ?? "") ? "before" : "inside"
    const needsEnd = state === "before"
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index] ?? ""
      const at = index + 1
      const [, kind = "", path = ""] = marker.exec(line) ?? []
      if (index < start || (state !== "inside" && kind !== "Begin Patch")) {
        if (!wrapping.test(line)) return yield* Either.left(inLine(at, "text outside of *** Begin Patch and *** End Patch"))
      } else if (kind === "Begin Patch") {
        if (state === "inside" && needsEnd) return yield* Either.left(inLine(at, "*** Begin Patch inside of a patch"))
        state = "inside"
      } else if (kind === "End Patch") {
        state = "after"
      } else if (kind === "Move to:" || kind === "End of File" || kind === "") {
        const open = sections[sections.length - 1]
        if (open !== undefined) open.lines.push(line)
        else if (line.trim() !== "") return yield* Either.left(inLine(at, "expected *** Add File:, *** Update File: or *** Delete File:"))
      } else {
        if (path === "") return yield* Either.left(inLine(at, `*** ${kind} names no file`))
        sections.push({ at, kind, path, lines: [] })
      }
    }
    if (needsEnd && state !== "after") {
      return yield* Either.left("it has no *** End Patch line, so it may have been cut short")
    }
    return sections
  })

const added = (section: Section): Either.Either<Operation, Problem> => {
  const hunk = openHunk(section.at)
  for (const [index, line] of section.lines.entries()) {
    const isContent = line.startsWith("+") || line.startsWith("\\") || line.trim() === ""
    if (!isContent || !takeLine(hunk, line.trim() === "" ? "" : line)) {
      return Either.left(inLine(section.at + index + 1, `under *** Add File: every line begins with +, this one does not: ${line}`))
    }
  }
  hunk.lines.splice(hunk.lines.length - hunk.loose)
  return Either.right({ kind: "add", at: section.at, path: section.path, text: addedText(hunk), mode: null })
}

/** The `---` and `+++` lines that some put under the marker too. */
const isDoubledHeader = (lines: ReadonlyArray<string>, index: number) =>
  isFileHeader(lines, index) && begins(lines, index + 2, "@@")

const hunksOf = (section: Section, from: number): Either.Either<ReadonlyArray<Hunk>, Problem> => {
  const hunks: Array<OpenHunk> = []
  let open: OpenHunk | null = null
  for (let index = isDoubledHeader(section.lines, from) ? from + 2 : from; index < section.lines.length; index++) {
    const line = section.lines[index] ?? ""
    const at = section.at + index + 1
    if (line.startsWith("@@")) {
      const place = readHeader(line)?.place ?? null
      const anchor: string = place === null ? anchorOf(line) : ""
      // Several `@@` lines in a row lead to one hunk: a class, then its method.
      const above: ReadonlyArray<string> = open !== null && open.lines.length === 0 ? open.anchors : []
      if (open !== null && open.lines.length === 0) hunks.pop()
      open = openHunk(at, anchor === "" ? above : [...above, anchor], place)
      hunks.push(open)
      continue
    }
    if (marker.exec(line)?.[1] === "End of File") {
      if (open !== null) open.atEnd = true
      open = null
      continue
    }
    if (line.startsWith("*** ")) return Either.left(inLine(at, `unknown or misplaced marker: ${line}`))
    if (open === null) {
      if (line.trim() === "") continue
      open = openHunk(at)
      hunks.push(open)
    }
    if (!takeLine(open, line)) {
      return Either.left(inLine(at, `a line of a hunk begins with a space, - or +, this one does not: ${line}`))
    }
  }
  return Either.right(hunks.filter((hunk) => hunk.lines.length > 0))
}

const updated = (section: Section): Either.Either<Operation, Problem> =>
  Either.gen(function*() {
    const first = section.lines.findIndex((line) => line.trim() !== "")
    const move = marker.exec(section.lines[first] ?? "")
    const to = move?.[1] === "Move to:" ? move[2] ?? "" : null
    if (to === "") return yield* Either.left(inLine(section.at + first + 1, "*** Move to: names no path"))
    const hunks = yield* hunksOf(section, to === null ? 0 : first + 1)
    if (to === null && !hunks.some((hunk) => hunk.lines.some((line) => line.kind !== " "))) {
      return yield* Either.left(inLine(section.at, `*** Update File: ${section.path} changes nothing: it has no + and no - line`))
    }
    return { kind: "update" as const, at: section.at, path: section.path, to, hunks, mode: null, endings: "around" as const }
  })

const deleted = (section: Section): Either.Either<Operation, Problem> => {
  const extra = section.lines.findIndex((line) => line.trim() !== "")
  return extra === -1
    ? Either.right({ kind: "delete", at: section.at, path: section.path, hunks: [] })
    : Either.left(inLine(section.at + extra + 1, `nothing follows *** Delete File: ${section.path}, but here is: ${section.lines[extra]}`))
}

/** `lines[start]` is the first marker. */
export const parseEnvelope = (lines: ReadonlyArray<string>, start: number): Either.Either<Patch, Problem> =>
  Either.flatMap(sectionsOf(lines, start), (sections) =>
    Either.all(sections.map((section) =>
      section.kind === "Add File:" ? added(section) : section.kind === "Update File:" ? updated(section) : deleted(section))))
