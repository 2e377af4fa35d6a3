import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DiffOf, Status } from "../Git.js"
import { Git } from "../Git.js"
import { Jail } from "../Jail.js"
import type { Plumbing } from "./diff.js"
import { namesSince, readDiff } from "./diff.js"
import { isInside, toWorkspace } from "./guard.js"
import { readBlame, readBranches, readCurrentBranch, readHead, readLog } from "./history.js"
import { readFileAt, resolveTree, showRef } from "./objects.js"
import { isOrdinary, nearest, underwayIn } from "./place.js"
import type { Repository } from "./repository.js"
import { makeOpen } from "./repository.js"
import { parseStatus } from "./status.js"

const readStatus = Effect.fnUntraced(function*(repository: Repository) {
  const { gitDir, prefix } = repository
  const [out, underway] = yield* Effect.all([
    repository.run([
      "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignored=no", "--ignore-submodules=dirty", "--find-renames",
      "--no-ahead-behind"
    ]),
    underwayIn(gitDir)
  ], { concurrency: 2 })
  const { branch, commit, entries } = parseStatus(out, (path) => toWorkspace(prefix, path))
  const inside = entries.filter(({ path }) => isInside(prefix, path))
  const status: Status = {
    head: branch === null || commit === null ? yield* readHead(repository) : { branch, commit: commit.slice(0, 8) },
    underway,
    files: inside.map(({ path, states }) => ({ path: toWorkspace(prefix, path), states })),
    outside: entries.length - inside.length
  }
  return status
})

const plumbing = Effect.fnUntraced(function*(repository: Repository, what: DiffOf) {
  const { emptyTree } = repository
  const workTree: Plumbing = { command: ["diff-files"], operands: [], combined: "conflicts", workTree: true }
  if (what.of === "unstaged") return workTree
  if (what.of === "commits") {
    const [from, to] = yield* Effect.all([resolveTree(repository, what.from), resolveTree(repository, what.to)], { concurrency: 2 })
    const commits: Plumbing = { command: ["diff-tree", "-r", "--no-commit-id"], operands: [from, to], combined: "no", workTree: false }
    return commits
  }
  const head = yield* repository.ask(["rev-parse", "-q", "--verify", "HEAD^{commit}"])
  const staged: Plumbing = { command: ["diff-index", "--cached"], operands: [head.code === 0 ? head.out.trim() : emptyTree], combined: "no", workTree: false }
  return staged
})

const readChangedSince = Effect.fnUntraced(function*(repository: Repository, ref: string) {
  const entries = yield* namesSince(repository, yield* resolveTree(repository, ref))
  const names = entries.flatMap(({ from, path }) => [...from, path]).filter((path) => isInside(repository.prefix, path))
  return [...new Set(names)].map((path) => toWorkspace(repository.prefix, path)).sort((one, other) => one < other ? -1 : one > other ? 1 : 0)
})

export const GitLive = Layer.effect(
  Git,
  Effect.gen(function*() {
    const { root } = yield* Jail
    const open = yield* makeOpen
    const within = <A, E>(use: (repository: Repository) => Effect.Effect<A, E>) => Effect.flatMap(open(), use)
    return Git.of({
      inRepository: Effect.gen(function*() {
        const top = yield* nearest(root)
        if (top === null || (yield* isOrdinary(top))) return top !== null
        return yield* Effect.match(open(), { onFailure: () => false, onSuccess: () => true })
      }),
      status: Effect.withSpan(within(readStatus), "Git.status"),
      diff: (what, scope) => Effect.withSpan(within((repository) =>
        Effect.flatMap(plumbing(repository, what), (by) => readDiff(repository, by, scope))), "Git.diff"),
      log: (query) => Effect.withSpan(within((repository) => readLog(repository, query)), "Git.log"),
      show: (ref, scope) => Effect.withSpan(within((repository) => showRef(repository, ref, scope)), "Git.show"),
      file: (path, ref) => Effect.withSpan(within((repository) => readFileAt(repository, path, ref)), "Git.file"),
      blame: (path, lines) => Effect.withSpan(within((repository) => readBlame(repository, path, lines)), "Git.blame"),
      branches: (also) => Effect.withSpan(within((repository) => readBranches(repository, also)), "Git.branches"),
      currentBranch: Effect.withSpan(within(readCurrentBranch), "Git.currentBranch"),
      changedSince: (ref) => Effect.withSpan(within((repository) => readChangedSince(repository, ref)), "Git.changedSince")
    })
  })
)
