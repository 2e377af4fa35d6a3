import * as Effect from "effect/Effect"
import { BinaryFile, NoSuchFile, SecretFile, WrongKind } from "../Files.js"
import type { DiffScope, Shown } from "../Git.js"
import { GitFailed, GitRefused } from "../Git.js"
import { PathEscapes } from "../Jail.js"
import { readDiff } from "./diff.js"
import { isDenied, isInside, only, toTop, toWorkspace } from "./guard.js"
import { parseRaw } from "./names.js"
import { failed } from "./program.js"
import { checkRef } from "./refs.js"
import type { Repository } from "./repository.js"

export interface Named {
  readonly id: string
  readonly type: string
}

/** What a ref names. Refs reach git on its standard input only, where nothing can be an option. */
export const resolve = Effect.fnUntraced(function*(repository: Repository, ref: string) {
  yield* checkRef(ref)
  const out = yield* repository.run(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { stdin: `${ref}\n` })
  const [, id = "", type = ""] = /^([0-9a-f]{40,64}) (commit|tree|blob|tag)\n$/.exec(out) ?? []
  if (id !== "") return { id, type }
  // For git's own words about it.
  const args = ["log", "-1", "--format=%H", "--end-of-options", ref, "--"]
  const answer = yield* repository.ask(args)
  return yield* answer.code === 0 ? new GitFailed({ said: `fatal: bad revision '${ref}'` }) : failed(args, answer)
})

/** The commit or tree behind a ref. */
export const resolveTree = Effect.fnUntraced(function*(repository: Repository, ref: string) {
  const { id, type } = yield* resolve(repository, ref)
  if (type === "commit" || type === "tree") return id
  if (type === "blob") return yield* new GitFailed({ said: `${ref} is the content of a file, not a commit. Name a branch, tag or commit.` })
  return (yield* resolve(repository, `${id}^{}`)).id
})

const binaryHead = 8192
const mostBytes = 4_000_000

const blobText = Effect.fnUntraced(function*(repository: Repository, id: string, path: string) {
  const out = yield* repository.run(["cat-file", "blob", id], { stopAfterBytes: mostBytes })
  if (!out.slice(0, binaryHead).includes("\0")) return out
  const size = yield* repository.run(["cat-file", "-s", id])
  return yield* new BinaryFile({ path, size: Number(size) })
})

interface TreeEntry {
  readonly mode: string
  readonly id: string
  readonly path: string
}
const treeEntries = (text: string): ReadonlyArray<TreeEntry> =>
  text.split("\0").flatMap((record) => {
    const [, mode = "", , id = "", path = ""] = /^(\d+) (\S+) ([0-9a-f]+)\t([^]*)$/.exec(record) ?? []
    return mode === "" ? [] : [{ mode, id, path }]
  })

const listFolder = Effect.fnUntraced(function*(repository: Repository, tree: string) {
  const entries = treeEntries(yield* repository.run(["ls-tree", "-z", "--full-tree", tree]))
  const shown: Shown = { is: "folder", names: entries.map(({ mode, path }) => mode === "040000" ? `${path}/` : path) }
  return shown
})

/** What is at a path (from the top) of a commit or tree. */
const inTree = Effect.fnUntraced(function*(repository: Repository, ref: string, path: string) {
  const tree = yield* resolveTree(repository, ref)
  if (path === "") return { tree, entry: null }
  const found = treeEntries(yield* repository.run(["ls-tree", "-z", "--full-tree", tree, "--", only(path)]))
  return { tree, entry: found.find((each) => each.path === path) ?? null }
})

const link = "120000"
const submodule = "160000"
const folder = "040000"

const textOf = Effect.fnUntraced(function*(repository: Repository, { id, mode, path }: TreeEntry, ref: string) {
  const name = toWorkspace(repository.prefix, path)
  if (yield* isDenied(repository, { names: [path], blobs: [id], onDisk: false })) return yield* new SecretFile({ path: name })
  const shown = `${name} at ${ref}`
  if (mode === submodule) {
    return yield* new WrongKind({ path: shown, is: `a submodule at commit ${id}`, hint: "Its files belong to another repository." })
  }
  const text = yield* blobText(repository, id, shown)
  return mode === link ? `(a link to ${text})` : text
})

/** A file's text at a ref. */
export const readFileAt = Effect.fnUntraced(function*(repository: Repository, path: string, ref: string) {
  const top = yield* toTop(repository, path)
  const { entry } = yield* inTree(repository, ref, top)
  const name = toWorkspace(repository.prefix, top)
  if (top === "" || entry?.mode === folder) {
    return yield* new WrongKind({ path: `${name === "" ? "." : name} at ${ref}`, is: "a folder", hint: `Name a file, or see its entries with git_show ${ref}:${top}` })
  }
  if (entry === null) return yield* new NoSuchFile({ path: `${name} at ${ref}` })
  return yield* textOf(repository, entry, ref)
})

/** `HEAD~2:src/a.ts`, split at the first colon that is not within braces. */
const splitRef = (ref: string): readonly [rev: string, path: string] | null => {
  let depth = 0
  for (let at = 0; at < ref.length; at++) {
    const char = ref.charAt(at)
    if (char === "{") depth++
    if (char === "}") depth--
    if (char === ":" && depth === 0) return at === 0 ? null : [ref.slice(0, at), ref.slice(at + 1)]
  }
  return null
}

/** Every name that a blob has in the index or had in any commit that a ref or the reflog leads to. */
const namesOfBlob = Effect.fnUntraced(function*(repository: Repository, id: string) {
  const [index, history] = yield* Effect.all([
    repository.run(["ls-files", "-s", "-z", "--full-name"]),
    repository.run([
      "log", "--all", "--reflog", "-m", "--root", "--format=", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative",
      "--no-ext-diff", "--no-textconv", `--find-object=${id}`, "--"
    ])
  ], { concurrency: 2 })
  const staged = index.split("\0").flatMap((record) => {
    const [, blob = "", path = ""] = /^\d+ ([0-9a-f]+) \d\t([^]*)$/.exec(record) ?? []
    return blob === id ? [path] : []
  })
  return [...new Set([...staged, ...parseRaw(history).map(({ path }) => path)])]
})

/** A blob by its id or from the index: it may be shown if it has a name, and all of its names may be. */
const showBlob = Effect.fnUntraced(function*(repository: Repository, id: string, ref: string) {
  const names = yield* namesOfBlob(repository, id)
  const denied = yield* Effect.filter(names, (name) => isDenied(repository, { names: [name], blobs: [id], onDisk: false }))
  const [secret] = denied
  if (secret !== undefined) return yield* new SecretFile({ path: toWorkspace(repository.prefix, secret) })
  const [name] = names.filter((each) => isInside(repository.prefix, each))
  if (name === undefined) {
    return yield* new GitRefused({
      why: `${ref} is content that no file of this workspace has or had, so it can't be told whether it is secret. It is not shown. Use git_show_file with a path.`
    })
  }
  const shown: Shown = { is: "file", text: yield* blobText(repository, id, toWorkspace(repository.prefix, name)) }
  return shown
})

/** A file or folder named by `rev:path`. The path is from the top, or with `./` from the workspace, as git has it. */
const showAt = Effect.fnUntraced(function*(repository: Repository, rev: string, given: string) {
  const parts: Array<string> = /^\.\.?(?:\/|$)/.test(given) && repository.prefix !== "" ? repository.prefix.split("/") : []
  for (const part of given.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  const path = parts.join("/")
  if (path !== repository.prefix && !isInside(repository.prefix, path)) return yield* new PathEscapes({ path: given })
  const { entry, tree } = yield* inTree(repository, rev, path)
  if (path === "") return yield* listFolder(repository, tree)
  if (entry === null) return yield* new NoSuchFile({ path: `${toWorkspace(repository.prefix, path)} at ${rev}` })
  if (entry.mode === folder) return yield* listFolder(repository, entry.id)
  const shown: Shown = { is: "file", text: yield* textOf(repository, entry, rev) }
  return shown
})

const commitFormat = ["%H", "%P", "%an", "%ae", "%ad", "%B"].join("%x00")

const showCommit = Effect.fnUntraced(function*(repository: Repository, id: string, tag: string | null, scope: DiffScope) {
  const out = yield* repository.run(["log", "-1", "--no-walk", "--date=iso", "--no-color", "--encoding=UTF-8", `--format=${commitFormat}`, id, "--"])
  const [, parents = "", author = "", email = "", date = "", message = ""] = out.split("\0")
  const above = parents.split(" ").filter((parent) => parent !== "")
  const diff = yield* readDiff(repository, {
    command: ["diff-tree", "-r", "--root", "--no-commit-id"],
    operands: [id],
    combined: above.length > 1 ? "merge" : "no",
    workTree: false
  }, scope)
  const shown: Shown = { is: "commit", id, parents: above, author, email, date, message: message.trimEnd(), tag, diff }
  return shown
})

/** One commit (or what else a ref names). */
export const showRef = Effect.fnUntraced(function*(repository: Repository, ref: string, scope: DiffScope) {
  yield* checkRef(ref)
  const split = splitRef(ref)
  if (split !== null) return yield* showAt(repository, ...split)
  const { id, type } = yield* resolve(repository, ref)
  if (type === "blob") return yield* showBlob(repository, id, ref)
  if (type === "commit") return yield* showCommit(repository, id, null, scope)
  if (type === "tree") return yield* listFolder(repository, id)
  const peeled = yield* resolve(repository, `${id}^{}`)
  if (peeled.type === "blob") return yield* showBlob(repository, peeled.id, ref)
  if (peeled.type === "tree") return yield* listFolder(repository, peeled.id)
  const content = yield* repository.run(["cat-file", "tag", id], { stopAfterBytes: mostBytes })
  const body = content.slice(content.indexOf("\n\n") + 2)
  return yield* showCommit(repository, peeled.id, body.replace(/-----BEGIN [^]*$/, "").trim(), scope)
})
