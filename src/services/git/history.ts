import * as Effect from "effect/Effect"
import { BinaryFile, SecretFile, WrongKind } from "../Files.js"
import type { Blamed, Branch, Commit, CurrentBranch, Head } from "../Git.js"
import { GitRefused } from "../Git.js"
import { isDenied, only, toTop, toWorkspace } from "./guard.js"
import { failed } from "./program.js"
import type { Repository } from "./repository.js"

const headsPrefix = "refs/heads/"
const remotesPrefix = "refs/remotes/"

/** Rows of NUL-separated fields, `width` each; a newline before a field is git's row end. */
const rows = (text: string, width: number): ReadonlyArray<ReadonlyArray<string>> => {
  const fields = text.split("\0")
  const found: Array<ReadonlyArray<string>> = []
  for (let at = 0; at + width <= fields.length; at += width) {
    found.push(fields.slice(at, at + width).map((field, column) => column === 0 ? field.replace(/^\n/, "") : field))
  }
  return found
}

export const readHead = Effect.fnUntraced(function*(repository: Repository) {
  const [name, commit] = yield* Effect.all([
    repository.ask(["symbolic-ref", "-q", "HEAD"]),
    repository.ask(["rev-parse", "--short", "--verify", "-q", "HEAD^{commit}"])
  ], { concurrency: 2 })
  const ref = name.out.replace(/\n$/, "")
  const head: Head = {
    branch: ref === "" ? null : ref.startsWith(headsPrefix) ? ref.slice(headsPrefix.length) : ref,
    commit: commit.code === 0 ? commit.out.trim() : null
  }
  return head
})

export const readLog = Effect.fnUntraced(function*(
  repository: Repository,
  { follow = false, limit, path }: { readonly limit: number; readonly path?: string; readonly follow?: boolean }
) {
  const place = path === undefined ? null : yield* toTop(repository, path)
  const args = [
    "log", `--max-count=${limit}`, "--date=short", "--no-color", "--no-notes", "--no-show-signature", "--encoding=UTF-8", "--no-ext-diff",
    "--no-textconv", "--format=%h%x00%ad%x00%an%x00%s%x00", ...follow ? ["--follow"] : [], "HEAD", "--",
    ...place === null || place === "" ? [] : [only(place)]
  ]
  const answer = yield* repository.ask(args)
  if (answer.code === 0) {
    const commits: ReadonlyArray<Commit> = rows(answer.out, 4).map(([id = "", date = "", author = "", subject = ""]) => ({ id, date, author, subject }))
    return commits
  }
  return (yield* readHead(repository)).commit === null ? null : yield* failed(args, answer)
})

/** A line, and the name that its file had in the commit it is from. */
interface Origin extends Blamed {
  readonly file: string
}

/** The inverse of git's quoting of a name that holds control characters, quotes or backslashes. */
const unquoted = (name: string): string =>
  name.startsWith("\"")
    ? name.slice(1, -1).replace(/\\(?:([abtnvfr"\\])|([0-7]{3}))/g, (_, char: string | undefined, octal: string | undefined) =>
      octal === undefined ? named[char ?? ""] ?? char ?? "" : String.fromCharCode(Number.parseInt(octal, 8)))
    : name
const named: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" }

/** Porcelain blame: a header for each line, facts of a commit once, the text behind a tab. */
export const parseBlame = (text: string): ReadonlyArray<Origin> => {
  const facts = new Map<string, { author: string; date: string; file: string }>()
  const found: Array<Origin> = []
  let fact = { author: "", date: "", file: "" }
  let id = ""
  let line = 0
  let seconds = 0
  for (const row of text.split("\n")) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row)
    if (row.startsWith("\t")) {
      found.push({ id: id.slice(0, 8), ...fact, line, text: row.slice(1).replace(/\r$/, "") })
    } else if (header !== null) {
      id = header[1] ?? ""
      line = Number(header[2])
      fact = facts.get(id) ?? { author: "", date: "", file: "" }
      facts.set(id, fact)
    } else if (row.startsWith("author ")) fact.author = row.slice(7)
    else if (row.startsWith("author-time ")) seconds = Number(row.slice(12))
    else if (row.startsWith("filename ")) fact.file = unquoted(row.slice(9))
    else if (row.startsWith("author-tz ")) {
      const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d)(\d\d)/.exec(row) ?? []
      const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
      const day = new Date((seconds + offset * 60) * 1000)
      fact.date = Number.isNaN(day.getTime()) ? "" : day.toISOString().slice(0, 10)
    }
  }
  return found
}

export const readBlame = Effect.fnUntraced(function*(
  repository: Repository,
  path: string,
  { first, last }: { readonly first: number; readonly last: number | null }
) {
  if (yield* repository.hasIgnoreRevsFile) {
    return yield* new GitRefused({
      why: "git_blame is refused here: this repository's configuration sets blame.ignoreRevsFile, through which git could be made to quote any file. Nothing was read. Use git_log_file, or ask the user to unset it."
    })
  }
  const place = yield* toTop(repository, path)
  const name = toWorkspace(repository.prefix, place)
  if (place === "" || name === ".") return yield* new WrongKind({ path: ".", is: "a folder", hint: "Name a file." })
  const blobs = (yield* repository.run(["ls-files", "-s", "-z", "--", only(place)])).split("\0").map((record) => record.split(" ")[1] ?? "")
  if (yield* isDenied(repository, { names: [place], blobs, onDisk: true })) return yield* new SecretFile({ path: name })
  const range = first === 1 && last === null ? [] : [`-L${first},${last ?? ""}`]
  const out = yield* repository.run(["blame", "--porcelain", "--no-textconv", "--no-ext-diff", "--encoding=UTF-8", ...range, "--", place])
  if (out.includes("\0")) return yield* new BinaryFile({ path: name, size: out.length })
  const lines = parseBlame(out)
  const files = yield* Effect.forEach([...new Set(lines.map(({ file }) => file))], (file) =>
    Effect.map(isDenied(repository, { names: [file], blobs: [], onDisk: false }), (denied) => [file, denied] as const))
  const denied = new Map(files)
  return lines.map(({ author, date, file, id, line, text }): Blamed => ({
    id,
    date,
    author,
    line,
    text: denied.get(file) === true ? `[a line of ${toWorkspace(repository.prefix, file)}, denied on read]` : text
  }))
})

export const readBranches = Effect.fnUntraced(function*(repository: Repository, { remote }: { readonly remote: boolean }) {
  const format = ["%(HEAD)", "%(refname)", "%(symref)", "%(objectname:short)", "%(committerdate:short)", "%(contents:subject)", ""].join("%00")
  const out = yield* repository.run(["for-each-ref", "--sort=-committerdate", `--format=${format}`, headsPrefix, ...remote ? [remotesPrefix] : []])
  const branches = rows(out, 6).flatMap(([mark = "", ref = "", points = "", commit = "", date = "", subject = ""]): ReadonlyArray<Branch> =>
    points !== "" && ref.startsWith(remotesPrefix) ? [] : [{
      name: ref.startsWith(headsPrefix) ? ref.slice(headsPrefix.length) : ref.slice(remotesPrefix.length),
      current: mark === "*",
      commit,
      date,
      subject
    }])
  const current = branches.find((branch) => branch.current)
  const head: Head = current === undefined ? yield* readHead(repository) : { branch: current.name, commit: current.commit }
  return { head, branches }
})

const figure = (track: string, word: string) => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0)

export const readCurrentBranch = Effect.fnUntraced(function*(repository: Repository) {
  const head = yield* readHead(repository)
  const none: CurrentBranch = { head, upstream: null, ahead: null, behind: null }
  if (head.branch === null || head.commit === null) return none
  const out = yield* repository.run(["for-each-ref", "--format=%(upstream:short)%00%(upstream:track,nobracket)%00", `${headsPrefix}${head.branch}`])
  const [upstream = "", track = ""] = rows(out, 2)[0] ?? []
  if (upstream === "") return none
  const current: CurrentBranch = track === "gone"
    ? { head, upstream, ahead: null, behind: null }
    : { head, upstream, ahead: figure(track, "ahead"), behind: figure(track, "behind") }
  return current
})
