import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Git } from "../../../src/services/Git.js"
import type { MemoryRepository } from "../../../src/services/git/memory.js"
import { GitMemory } from "../../../src/services/git/memory.js"
import type { Tree } from "../../../src/services/git/trees.js"
import { JailMemory } from "../../../src/services/Jail.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { gitAt, work } from "../../support/gitWork.js"

const repository: MemoryRepository = {
  commits: [
    { author: "Ann Lee", date: "2024-01-01", message: "one", files: { "a.txt": "1\n2\n3\n", "src/b": "b\n", "gone": "g\n" } },
    { author: "Bo", date: "2024-01-02", message: "two\n\nWhy.", files: { "a.txt": "1\ntwo\n3\n", "src/b": "b\n", "gone": "g\n" } },
    { author: "Ann Lee", date: "2024-01-03", message: "three", files: { "a.txt": "1\ntwo\n3\n", "src/b": "b\nc\n" } }
  ],
  index: { "a.txt": "1\ntwo\nthree\n", "src/b": "b\nc\n", "new": "n\n" },
  workTree: { "a.txt": "1\ntwo\nthree!\n", "new": "n\n", "src/untracked": "u\n" },
  branches: { old: 1 }
}

/** The same repository, made with git. */
const built = Effect.gen(function*() {
  const at = yield* work()
  const lay = (tree: Tree) => {
    at.sh("find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -r {} +")
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(at.root, path)), { recursive: true })
      writeFileSync(join(at.root, path), text)
    }
  }
  for (const { author, date, files, message } of repository.commits ?? []) {
    lay(files)
    at.sh(`git add -A; export GIT_AUTHOR_DATE=${date}T12:00:00Z GIT_COMMITTER_DATE=${date}T12:00:00Z; git commit -q --author='${author} <x@example.com>' -m '${message}'`)
  }
  for (const [name, count] of Object.entries(repository.branches ?? {})) at.sh(`git branch ${name} HEAD~${(repository.commits?.length ?? 0) - count}`)
  lay(repository.index ?? {})
  at.sh("git add -A")
  lay(repository.workTree ?? {})
  rmSync(join(at.root, "src/b"), { force: true })
  return gitAt(at, at.root)
})

const scope = { room: 30_000 }
const contract = (name: string, layer: Effect.Effect<Layer.Layer<Git>, never, Scope.Scope>) =>
  describe(`Git, ${name}`, () => {
    it.scopedLive("tells the same of the same repository", () =>
      Effect.gen(function*() {
        const git = yield* Git.pipe(Effect.provide(yield* layer))
        const status = yield* git.status
        assert.deepStrictEqual([status.head.branch, status.underway, status.outside, status.files], ["main", [], 0, [
          { path: "a.txt", states: ["staged modified", "modified"] },
          { path: "new", states: ["staged new"] },
          { path: "src/b", states: ["deleted"] },
          { path: "src/untracked", states: ["untracked"] }
        ]])
        const commits = (yield* git.log({ limit: 15 })) ?? []
        assert.deepStrictEqual(commits.map(({ author, date, subject }) => [date, author, subject]), [
          ["2024-01-03", "Ann Lee", "three"], ["2024-01-02", "Bo", "two"], ["2024-01-01", "Ann Lee", "one"]
        ])
        assert.deepStrictEqual((yield* git.log({ limit: 15, path: "src" }))?.map(({ subject }) => subject), ["three", "one"])
        assert.deepStrictEqual((yield* git.log({ limit: 1, path: "./a.txt" }))?.map(({ subject }) => subject), ["two"])
        assert.strictEqual(yield* git.file("a.txt", "HEAD~2"), "1\n2\n3\n")
        assert.strictEqual(yield* git.file("a.txt", "old"), "1\n2\n3\n")
        assert.strictEqual((yield* Effect.flip(git.file("gone", "HEAD"))).message, "No such file: gone at HEAD")
        assert.strictEqual((yield* Effect.flip(git.file("a.txt", "nope"))).message, "fatal: bad revision 'nope'")
        assert.strictEqual((yield* Effect.flip(git.file("../x", "HEAD")))._tag, "PathEscapes")
        assert.strictEqual((yield* Effect.flip(git.show("-p", scope)))._tag, "BadRef")
        const shown = yield* git.show("HEAD~1", scope)
        assert.isTrue(shown.is === "commit" && shown.message === "two\n\nWhy." && shown.parents.length === 1 && shown.author === "Bo")
        const names = (files: ReadonlyArray<{ readonly path: string; readonly change: string }>) => files.map(({ change, path }) => `${path} ${change}`)
        assert.deepStrictEqual(names((yield* git.diff({ of: "unstaged" }, scope)).files), ["a.txt modified", "src/b deleted"])
        assert.deepStrictEqual(names((yield* git.diff({ of: "staged" }, scope)).files), ["a.txt modified", "new new"])
        assert.deepStrictEqual(names((yield* git.diff({ of: "commits", from: "old", to: "main" }, scope)).files), ["a.txt modified", "gone deleted", "src/b modified"])
        assert.deepStrictEqual(names((yield* git.diff({ of: "commits", from: "old", to: "main" }, { ...scope, path: "src" })).files), ["src/b modified"])
        const blamed = yield* git.blame("a.txt", { first: 1, last: null })
        assert.deepStrictEqual(blamed.map(({ author, line, text }) => [line, author, text]), [
          [1, "Ann Lee", "1"], [2, "Bo", "two"], [3, "Not Committed Yet", "three!"]
        ])
        const { branches } = yield* git.branches({ remote: false })
        assert.deepStrictEqual(branches.map(({ current, date, name }) => [name, current, date]), [["main", true, "2024-01-03"], ["old", false, "2024-01-01"]])
        assert.strictEqual((yield* git.currentBranch).head.branch, "main")
        assert.deepStrictEqual(yield* git.changedSince("HEAD"), ["a.txt", "new", "src/b"])
        assert.isTrue(yield* git.inRepository)
      }))
  })

contract("live", built)
contract("in memory", Effect.succeed(GitMemory(repository).pipe(Layer.provide(Layer.merge(JailMemory(), SecretsMemory())))))
