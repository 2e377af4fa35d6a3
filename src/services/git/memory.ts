import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NoSuchFile, SecretFile } from "../Files.js"
import type { Blamed, Branch, Commit, Diff, DiffOf, DiffScope, Head, Shown } from "../Git.js"
import { Git, GitFailed, NotARepository } from "../Git.js"
import { Jail } from "../Jail.js"
import { Secrets } from "../Secrets.js"
import { checkRef } from "./refs.js"
import type { Tree } from "./trees.js"
import { below, changedNames, diffOfTrees, linesOf, statusOf } from "./trees.js"

export interface MemoryCommit {
  readonly author: string
  /** YYYY-MM-DD */
  readonly date: string
  readonly message: string
  /** every file there was */
  readonly files: Tree
}
/** A repository without merges, renames and remotes. */
export interface MemoryRepository {
  /** default main */
  readonly branch?: string
  /** oldest first, all on one line */
  readonly commits?: ReadonlyArray<MemoryCommit>
  /** default: what the last commit has */
  readonly index?: Tree
  /** default: what the index has */
  readonly workTree?: Tree
  /** further branches: how many of the commits each has */
  readonly branches?: Readonly<Record<string, number>>
}

const idOf = (at: number) => String(at + 1).padStart(7, "0").padEnd(40, "0")
const shortOf = (at: number) => idOf(at).slice(0, 7)

/** The line of commits, and what refs and contents are in it. */
const makePast = ({ branch = "main", branches = {}, commits = [] }: MemoryRepository, secrets: Context.Tag.Service<Secrets>) => {
  const top = commits.length - 1
  const treeAt = (at: number): Tree => commits[at]?.files ?? {}
  const commitAt = (at: number): Commit => {
    const { author = "", date = "", message = "" } = commits[at] ?? {}
    return { id: shortOf(at), date, author, subject: message.split("\n", 1)[0] ?? "" }
  }
  /** `HEAD`, a branch, the beginning of an id; each with `~N`. */
  const resolve = Effect.fnUntraced(function*(ref: string) {
    yield* checkRef(ref)
    const [, name = "", back = "0"] = /^(.*?)(?:~(\d+))?$/.exec(ref) ?? []
    const byId = name.length < 7 ? -1 : commits.findIndex((_, at) => idOf(at).startsWith(name))
    const from = name === "HEAD" || name === branch ? top : branches[name] === undefined ? byId : branches[name] - 1
    const at = from - Number(back)
    return from < 0 || at < 0 ? yield* new GitFailed({ said: `fatal: bad revision '${ref}'` }) : at
  })
  const diff = (from: Tree, to: Tree, within: (path: string) => boolean): Diff => ({
    files: diffOfTrees(from, to, within, secrets.deniedName),
    outside: 0
  })
  const show = (at: number, within: (path: string) => boolean): Shown => {
    const { author = "", date = "", message = "" } = commits[at] ?? {}
    return {
      is: "commit",
      id: idOf(at),
      parents: at === 0 ? [] : [idOf(at - 1)],
      author,
      email: `${author.toLowerCase().replaceAll(" ", ".")}@example.com`,
      date,
      message,
      tag: null,
      diff: diff(treeAt(at - 1), treeAt(at), within)
    }
  }
  /** A line is of the commit since which the file has had that very line. */
  const origin = (name: string, line: string) => {
    const without = commits.findLastIndex(({ files }) => !linesOf(files[name] ?? "").includes(line))
    return without === top ? { id: "0000000", date: "", author: "Not Committed Yet" } : commitAt(without + 1)
  }
  const described = (name: string, at: number, current: boolean): Branch => {
    const { date, id, subject } = commitAt(at)
    return { name, current, commit: id, date, subject }
  }
  const allBranches = [
    ...top < 0 ? [] : [described(branch, top, true)],
    ...Object.entries(branches).map(([name, count]) => described(name, count - 1, false))
  ].sort((one, other) => one.date < other.date ? 1 : one.date > other.date ? -1 : one.name < other.name ? -1 : 1)
  const head: Head = { branch, commit: top < 0 ? null : shortOf(top) }
  return { top, head, treeAt, commitAt, resolve, diff, show, origin, allBranches }
}

const makeInRepository = Effect.fnUntraced(function*(repository: MemoryRepository) {
  const jail = yield* Jail
  const secrets = yield* Secrets
  const { allBranches, commitAt, diff, head, origin, resolve, show, top, treeAt } = makePast(repository, secrets)
  const index = repository.index ?? treeAt(top)
  const workTree = repository.workTree ?? index
  const within = ({ path }: { readonly path?: string }) =>
    path === undefined ? Effect.succeed(below(".")) : Effect.map(jail.relative(path), below)
  return Git.of({
    inRepository: Effect.succeed(true),
    status: Effect.succeed({ head, underway: [], files: statusOf(treeAt(top), index, workTree), outside: 0 }),
    diff: Effect.fnUntraced(function*(what: DiffOf, scope: DiffScope) {
      const inScope = yield* within(scope)
      if (what.of === "staged") return diff(treeAt(top), index, inScope)
      if (what.of === "commits") return diff(treeAt(yield* resolve(what.from)), treeAt(yield* resolve(what.to)), inScope)
      return diff(index, Object.fromEntries(Object.entries(workTree).filter(([path]) => index[path] !== undefined)), inScope)
    }),
    log: Effect.fnUntraced(function*(query: { readonly limit: number; readonly path?: string }) {
      if (top < 0) return null
      const inScope = yield* within(query)
      const all = Array.from({ length: top + 1 }, (_, at) => at).reverse()
      return all.filter((at) => query.path === undefined || changedNames(treeAt(at - 1), treeAt(at)).some(inScope)).slice(0, query.limit).map(commitAt)
    }),
    show: Effect.fnUntraced(function*(ref: string, scope: DiffScope) {
      return show(yield* resolve(ref), yield* within(scope))
    }),
    file: Effect.fnUntraced(function*(path: string, ref: string) {
      const name = yield* jail.relative(path)
      const text = treeAt(yield* resolve(ref))[name]
      if (text === undefined) return yield* new NoSuchFile({ path: `${name} at ${ref}` })
      return secrets.deniedName(name) ? yield* new SecretFile({ path: name }) : text
    }),
    blame: Effect.fnUntraced(function*(path: string, { first, last }: { readonly first: number; readonly last: number | null }) {
      const name = yield* jail.relative(path)
      const text = workTree[name]
      if (text === undefined || index[name] === undefined) return yield* new GitFailed({ said: `fatal: no such path '${name}' in HEAD` })
      if (secrets.deniedName(name)) return yield* new SecretFile({ path: name })
      const lines = linesOf(text).map((line, number): Blamed => {
        const { author, date, id } = origin(name, line)
        return { id, date, author, line: number + 1, text: line }
      })
      return lines.slice(first - 1, last ?? undefined)
    }),
    branches: () => Effect.succeed({ head, branches: allBranches }),
    currentBranch: Effect.succeed({ head, upstream: null, ahead: null, behind: null }),
    changedSince: (ref) =>
      Effect.map(resolve(ref), (at) =>
        changedNames(treeAt(at), workTree).filter((path) => treeAt(at)[path] !== undefined || index[path] !== undefined))
  })
})

const makeOutside = Effect.map(Jail, ({ root }) => {
  const fault = new NotARepository({ folder: root })
  return Git.of({
    inRepository: Effect.succeed(false),
    status: fault,
    diff: () => fault,
    log: () => fault,
    show: () => fault,
    file: () => fault,
    blame: () => fault,
    branches: () => fault,
    currentBranch: fault,
    changedSince: () => fault
  })
})

/** A small repository in memory; null: the workspace is in none. */
export const GitMemory = (repository: MemoryRepository | null = {}): Layer.Layer<Git, never, Jail | Secrets> =>
  Layer.effect(Git, repository === null ? makeOutside : makeInRepository(repository))
