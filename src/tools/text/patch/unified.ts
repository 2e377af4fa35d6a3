import * as Either from "effect/Either"
import type { Header, OpenHunk } from "./body.js"
import { addedText, anchorOf, begins, isFileHeader, openHunk, readHeader, takeLine } from "./body.js"
import type { Names } from "./names.js"
import { gitNames, nowhere, readName, withoutPrefixes } from "./names.js"
import type { Hunk, Operation, Patch, Problem } from "./operation.js"
import { inLine } from "./operation.js"

/** Where a hunk's body surely ends. */
const isBorder = (lines: ReadonlyArray<string>, index: number) =>
  index >= lines.length || /^(?:@@|diff --git )/.test(lines[index] ?? "") || isFileHeader(lines, index)

interface Read {
  readonly hunk: OpenHunk
  readonly next: number
}

/** The body as long as its header says; null if the lines do not agree. */
const bodyByCount = (lines: ReadonlyArray<string>, from: number, { place, after }: Header): Read | null => {
  const hunk = openHunk(from, [], place)
  let [before, now] = [place.count, after]
  let index = from
  for (; before > 0 || now > 0; index++) {
    const line = lines[index]
    if (line === undefined || (line.startsWith("\\") && hunk.lines.length === 0) || !takeLine(hunk, line)) return null
    if (line.startsWith("\\")) continue
    const kind = hunk.lines[hunk.lines.length - 1]?.kind
    if (kind !== "+") before--
    if (kind !== "-") now--
    if (before < 0 || now < 0) return null
  }
  if (lines[index]?.startsWith("\\") === true) takeLine(hunk, lines[index++] ?? "")
  hunk.loose = 0
  // Another line of content after the last one: the counts are wrong. `-- ` begins the signature of a mail.
  const line = lines[index] ?? ""
  return isBorder(lines, index) || !/^[ +-]/.test(line) || line === "-- " ? { hunk, next: index } : null
}

/** The body up to the next header, for counts that are wrong or missing. */
const bodyByLook = (lines: ReadonlyArray<string>, from: number, header: Header | null, anchor: string): Either.Either<Read, Problem> => {
  const hunk = openHunk(from, anchor === "" ? [] : [anchor], header?.place ?? null)
  let index = from
  for (; !isBorder(lines, index); index++) {
    const line = lines[index] ?? ""
    if (takeLine(hunk, line)) continue
    if (/^(?:```|index |Index: |EOF$)/.test(line)) break
    return Either.left(inLine(index + 1, `a line of a hunk begins with a space, - or +, this one does not: ${line}`))
  }
  return Either.right({ hunk, next: index })
}

const hunksAt = (lines: ReadonlyArray<string>, from: number) =>
  Either.gen(function*() {
    const hunks: Array<Hunk> = []
    let index = from
    while (begins(lines, index, "@@")) {
      const line = lines[index] ?? ""
      const header = readHeader(line)
      const read = (header === null ? null : bodyByCount(lines, index + 1, header))
        ?? (yield* bodyByLook(lines, index + 1, header, header === null ? anchorOf(line) : ""))
      if (read.hunk.lines.length > 0) hunks.push(read.hunk)
      index = read.next
    }
    return { hunks, next: index }
  })

/** What stands between `diff --git` and the first hunk. */
interface Head {
  git: Names | null
  names: Names | null
  from: string | null
  to: string | null
  copies: boolean
  created: string | null
  deleted: boolean
  mode: string | null
  binary: boolean
  /** git's line with the ids of both contents */
  hashed: boolean
}

const readHead = (lines: ReadonlyArray<string>, from: number): { readonly head: Head; readonly next: number } => {
  const head: Head = { git: null, names: null, from: null, to: null, copies: false, created: null, deleted: false, mode: null, binary: false, hashed: false }
  let index = from
  const git = /^diff --git (.*)$/.exec(lines[index] ?? "")
  if (git !== null) {
    head.git = gitNames(git[1] ?? "")
    index++
  }
  for (; index < lines.length && !/^(?:@@|diff --git )/.test(lines[index] ?? ""); index++) {
    const line = lines[index] ?? ""
    if (isFileHeader(lines, index)) {
      head.names = { before: readName(line.slice(4)), after: readName((lines[index + 1] ?? "").slice(4)) }
      index += 2
      break
    }
    const [, key = "", value = ""] =
      /^(rename from|rename to|copy from|copy to|new file mode|deleted file mode|new mode|old mode|similarity index|dissimilarity index|index|GIT binary patch|Binary files) ?(.*)$/.exec(line) ?? []
    if (key === "") break
    if (key.endsWith(" from")) head.from = readName(value)
    if (key.endsWith(" to")) head.to = readName(value)
    if (key.startsWith("copy")) head.copies = true
    if (key === "new file mode") head.created = value
    if (key === "deleted file mode") head.deleted = true
    if (key === "new mode") head.mode = value
    if (/binary/i.test(key)) head.binary = true
    if (key === "index") head.hashed = true
  }
  return { head, next: index }
}

/** Permission bits that differ from those of any new file. */
const bits = (mode: string | null) => mode === null ? null : Number.parseInt(mode, 8) & 0o777

const operationOf = (at: number, head: Head, hunks: ReadonlyArray<Hunk>): Either.Either<Operation, Problem> => {
  const raw = head.names ?? head.git
  const stripped = raw === null ? null : withoutPrefixes(raw, head.git)
  const before = head.from ?? stripped?.before
  const after = head.to ?? stripped?.after
  const bad = (problem: string) => Either.left(inLine(at, problem))
  if (before === undefined || after === undefined) return bad("the names of the files can't be read")
  const isNew = head.created !== null || before === nowhere
  const isGone = head.deleted || after === nowhere
  const name = isNew ? after : before
  if (name === nowhere) return bad("both names are /dev/null")
  if (head.binary) return bad(`${name} is binary, which a text patch can't change`)
  if (/^(?:120|160)/.test(head.created ?? head.mode ?? "")) return bad(`${name} would become a link or a submodule, which this tool can't make`)
  if (isGone) return Either.right({ kind: "delete", at, path: before, hunks })
  if (isNew) {
    const [hunk, ...more] = hunks
    if (more.length > 0 || hunk?.lines.some((line) => line.kind !== "+") === true) {
      return bad(`${name} is a new file, so all of its lines begin with +`)
    }
    const mode = bits(head.created)
    const text = hunk === undefined ? "" : addedText({ ...openHunk(at), ...hunk, anchors: [], lines: [...hunk.lines] })
    return Either.right({ kind: "add", at, path: after, text, mode: mode === null || (mode & 0o111) === 0 ? null : mode })
  }
  const to = before === after ? null : after
  const mode = bits(head.mode)
  if (to === null && mode === null && !hunks.some((hunk) => hunk.lines.some((line) => line.kind !== " "))) {
    return bad(`${name} has no hunk that changes anything`)
  }
  return Either.right({ kind: head.copies ? "copy" : "update", at, path: before, to, hunks, mode, endings: head.hashed ? "git" : "shown" })
}

const mail = /^(?:-- ?$|\d+(?:\.\d+)+|From |Subject: |```|EOF$|Index: |=+$|\s*$|diff |Only in )/

/** `lines[start]` is the first `diff --git` or `---` line; what is before it is not looked at. */
export const parseUnified = (lines: ReadonlyArray<string>, start: number): Either.Either<Patch, Problem> =>
  Either.gen(function*() {
    const patch: Array<Operation> = []
    let index = start
    let isMail = false
    while (index < lines.length) {
      const line = lines[index] ?? ""
      if (line.startsWith("diff --git ") || isFileHeader(lines, index)) {
        const at = index + 1
        const { head, next } = readHead(lines, index)
        const read = yield* hunksAt(lines, next)
        patch.push(yield* operationOf(at, head, read.hunks))
        index = read.next
        isMail = false
      } else if (isMail || mail.test(line)) {
        // Between the patches of a mailbox stand headers and a text of any kind.
        isMail = isMail || line.startsWith("From ")
        index++
      } else {
        return yield* Either.left(inLine(index + 1, `expected a file header or a hunk, not: ${line}`))
      }
    }
    return patch
  })
