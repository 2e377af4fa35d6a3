import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DiskLive } from "../../../src/services/disk/live.js"
import { PermissionsMemory } from "../../../src/services/permissions/memory.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { applyPatch } from "../../../src/tools/editPlus/applyPatch.js"
import { call } from "../../../src/tools/pipeline.js"
import { filesIn } from "../../services/files/support.js"
import type { FileTree, TreePair } from "./gitTrees.js"
import { treePair } from "./gitTrees.js"

const put = (root: string, tree: FileTree) => {
  mkdirSync(root, { recursive: true })
  for (const [name, { executable, text }] of Object.entries(tree)) {
    const at = join(root, name)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
    if (executable) chmodSync(at, 0o755)
  }
}
/** Every file below a folder with its content and whether it is executable. */
const found = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
      const at = join(entry.parentPath, entry.name)
      return [at.slice(root.length + 1), `${(statSync(at).mode & 0o100) === 0 ? "" : "x "}${readFileSync(at, "latin1")}`]
    }).sort(([a = ""], [b = ""]) => a < b ? -1 : 1)
  )

/** Ways to make a diff, with the flags that `git apply` then needs. */
const ways: ReadonlyArray<{ readonly diff: ReadonlyArray<string>; readonly config?: string; readonly apply?: ReadonlyArray<string> }> = [
  { diff: [] },
  { diff: ["--no-renames"] },
  { diff: ["-M30%", "-U1"] },
  { diff: ["-C", "--find-copies-harder", "-U10"] },
  { diff: ["--no-prefix", "--no-renames"], apply: ["-p0"] },
  { diff: ["--no-renames", "--full-index", "--patience"], config: "diff.mnemonicPrefix=true" },
  { diff: ["-U0", "--no-renames"], apply: ["--unidiff-zero"] },
  { diff: ["-M", "--histogram", "-W"], config: "core.quotePath=false" }
]

const treesInBatch = 16
const batches = 32

/** A repository that holds both trees of every pair, and two folders with the first ones: for the tool and for git. */
const ground = (pairs: ReadonlyArray<TreePair>) => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-patch-")))
  const [repository, workspace, judge] = [join(parent, "repository"), join(parent, "ws"), join(parent, "judge")]
  const git = (folder: string, args: ReadonlyArray<string>, input?: string) =>
    execFileSync("git", args, {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: parent, GIT_CEILING_DIRECTORIES: parent, LC_ALL: "C.UTF-8" },
      encoding: "latin1",
      maxBuffer: 64e6,
      ...(input === undefined ? {} : { input: Buffer.from(input, "latin1") })
    })
  const spread = (root: string, side: (pair: TreePair) => FileTree) =>
    pairs.forEach((pair, index) => put(join(root, `batch${Math.floor(index / treesInBatch)}`, `tree${index}`), side(pair)))
  const written = (side: (pair: TreePair) => FileTree) => {
    for (const name of readdirSync(repository)) if (name !== ".git") rmSync(join(repository, name), { recursive: true })
    spread(repository, side)
    git(repository, ["add", "-A"])
    return git(repository, ["write-tree"]).trim()
  }
  mkdirSync(repository)
  git(repository, ["init", "-q"])
  git(repository, ["config", "core.autocrlf", "false"])
  const [first, second] = [written(({ before }) => before), written(({ after }) => after)]
  spread(workspace, ({ before }) => before)
  spread(judge, ({ before }) => before)
  return { parent, repository, workspace, judge, git, first, second }
}

describe("apply_patch of what git diff prints", () => {
  it.live("gives the second tree, as git apply does, for more than 500 pairs of generated trees", () =>
    Effect.gen(function*() {
      const differs = ({ after, before }: TreePair) => JSON.stringify(after) !== JSON.stringify(before)
      const pairs = fc.sample(treePair.filter(differs), { numRuns: treesInBatch * batches, seed: 20_240_305 })
      assert.isAtLeast(pairs.length, 500)
      const { first, git, judge, parent, repository, second, workspace } = yield* Effect.acquireRelease(
        Effect.sync(() => ground(pairs)),
        ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true }))
      )
      const layer = filesIn(parent, DiskLive).pipe(Layer.provideMerge(SecretsMemory()), Layer.merge(PermissionsMemory()))
      yield* Effect.forEach(Array.from({ length: batches }, (_, batch) => batch), (batch) =>
        Effect.gen(function*() {
          const { apply = [], config = "core.quotePath=true", diff } = ways[batch % ways.length] ?? { diff: [] }
          const name = `batch${batch}`
          const patch = git(repository, ["-c", config, "diff", ...diff, first, second, "--", name])
          git(judge, ["apply", "--whitespace=nowarn", ...apply], patch)
          yield* call(applyPatch, { patch: Buffer.from(patch, "latin1").toString("utf8") })
          assert.deepStrictEqual(found(join(workspace, name)), found(join(judge, name)), `${name}: ${diff.join(" ")}`)
          assert.deepStrictEqual(found(join(workspace, name)), found(join(repository, name)), name)
        })).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped), 180_000)
})
