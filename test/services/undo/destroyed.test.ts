import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Undo } from "../../../src/services/Undo.js"
import { temporaryFolder } from "../files/support.js"
import { bash, everything, git, given, over, plant, repository } from "./support.js"

const collected = "git stash drop -q; git reset -q; git reflog expire --expire=now --all; git update-ref -d HEAD; rm -f .git/index; git gc -q --prune=now"
const wrecked = (command: string) => `${command}\nrm -rf src run.sh staged-new.txt\nfor f in *.txt *.bin; do echo gone > "$f"; done\n`
const ways = [
  { name: "rm -rf .git, where they were loose objects", command: "rm -rf .git", packed: false },
  { name: "git gc --prune=now, where they were in packs", command: collected, packed: true },
  { name: "every object was removed, packs and loose ones", command: "find .git/objects -type f -delete", packed: true }
]

describe("contents that a command takes from the repository, too", () => {
  for (const { command, name, packed } of ways) {
    it.scopedLive(`come back after ${name}`, () =>
      given((root) => {
        repository(root)
        if (packed) git(root, "gc", "-q")
        plant(root, { "wreck.sh": wrecked(command) })
      }, ({ root }) =>
        Effect.gen(function*() {
          const before = everything(root)
          const told = yield* bash("bash wreck.sh")
          assert.notInclude(told, "Undo cannot put back")
          const { refused } = yield* (yield* Undo).undoLast
          assert.deepStrictEqual([refused, everything(root)], [[], before])
        })))
  }

  it.scopedLive("come back where the store is on another file system and cannot link them", () =>
    Effect.gen(function*() {
      const elsewhere = fs.existsSync("/dev/shm") ? "/dev/shm" : "/tmp"
      const home = yield* Effect.acquireRelease(
        Effect.sync(() => fs.mkdtempSync(path.join(elsewhere, "shiro-home-"))),
        (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
      )
      const parent = yield* temporaryFolder
      const root = path.join(parent, "ws")
      fs.mkdirSync(root)
      repository(root)
      git(root, "gc", "-q")
      const before = everything(root)
      yield* Effect.gen(function*() {
        yield* bash("rm -rf .git src run.sh")
        const { refused } = yield* (yield* Undo).undoLast
        assert.deepStrictEqual([refused, everything(root)], [[], before])
      }).pipe(Effect.provide(over(parent, { home })))
    }))

  it.scopedLive("come back where the repository itself only borrows them from another one", () =>
    given((root) => {
      const first = path.join(path.dirname(root), "first")
      fs.mkdirSync(first)
      repository(first)
      fs.rmdirSync(root)
      git(path.dirname(root), "clone", "-q", "--shared", first, root)
    }, ({ root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        yield* bash("rm -rf .git ../first/.git src run.sh")
        const { refused } = yield* (yield* Undo).undoLast
        assert.deepStrictEqual([refused, everything(root)], [[], before])
      })))
})

describe("the store for undo", () => {
  it.scopedLive("takes no room for what the repository has, and leaves its folder as it was", () =>
    given((root) => {
      repository(root)
      git(root, "gc", "-q")
    }, ({ parent, root }) =>
      Effect.gen(function*() {
        const names = () => fs.readdirSync(path.join(root, ".git"), { recursive: true, encoding: "utf8" }).sort()
        const before = names()
        yield* bash("echo x > new/another.txt")
        assert.deepStrictEqual(names(), before)
        const files = fs.readdirSync(path.join(parent, "home/undo"), { recursive: true, encoding: "utf8" })
          .map((name) => ({ name, facts: fs.lstatSync(path.join(parent, "home/undo", name)) }))
          .filter(({ facts, name }) => facts.isFile() && name.includes("objects/"))
        // Seven files are not committed as they are; alternates is empty.
        assert.isAtMost(files.filter(({ facts }) => facts.nlink === 1).length, 8)
        assert.isAtLeast(files.filter(({ facts, name }) => facts.nlink > 1 && name.endsWith(".pack")).length, 1)
      })))
})
