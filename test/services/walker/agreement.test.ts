import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { DiskLive } from "../../../src/services/disk/live.js"
import { Jail, makeJail } from "../../../src/services/Jail.js"
import { Walker } from "../../../src/services/Walker.js"
import { WalkerLive } from "../../../src/services/walker/live.js"
import { parseRules } from "../../../src/services/walker/rules.js"
import { bytesOf } from "../../../src/services/walker/wildcards.js"
import { temporaryFolder } from "../planted.js"

const git = (folder: string, args: ReadonlyArray<string>, input = "") =>
  spawnSync("git", ["-C", folder, ...args], {
    input,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", HOME: folder }
  }).stdout.split("\0")

describe("ignore rules", () => {
  const atoms = [
    "a", "b", "c", "ab", "*", "**", "***", "?", "/", "/", "[ab]", "[!a]", "[a-c]", "\\a", "\\*", "[]a]", "[", "[[:alpha:]]", "[[:x:]]", "é", ".", ".x", " ", "\\ ",
    "!", "#", "a/", "**/", "/**", "/**/", "-", "[a-", "\\/", "\\", "[c-a]", "[[:]"
  ]
  const names = ["a", "b", "c", "ab", "ac", "a.x", ".x", "é", "*", "#a", "!a", "a b", "a ", "x", "]", "-", "A"]
  const paths = [...new Set(names.flatMap((one) => names.slice(0, 7).flatMap((two) => ["a", "b", ".x"].flatMap((three) => [one, `${one}/${two}`, `${one}/${two}/${three}`]))))]

  it.live("decide single patterns as `git check-ignore` does, odd ones too", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      execFileSync("git", ["init", "-q", folder])
      const pattern = FastCheck.array(FastCheck.constantFrom(...atoms), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""))
      FastCheck.assert(FastCheck.property(pattern, (line) => {
        writeFileSync(`${folder}/.gitignore`, `${line}\n`)
        const answers = git(folder, ["check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"], `${paths.join("\0")}\0`)
        const expected = paths.filter((_, n) => answers[n * 4 + 2] !== "" && answers[n * 4 + 2]?.startsWith("!") !== true)
        const rules = parseRules(`${line}\n`)
        const hides = (path: string): boolean => {
          const parts = path.split("/")
          return parts.some((name, depth) => {
            const above = parts.slice(0, depth).map((part) => `${part}/`).join("")
            return rules?.within(bytesOf(above))(bytesOf(name), depth < parts.length - 1) === "hidden"
          })
        }
        assert.deepStrictEqual(paths.filter(hides), expected, line)
      }), { numRuns: 50 })
    }).pipe(Effect.scoped))
})

const namesInTrees = ["a", "b", "c", "ab", "d.x", "e.y", ".h", "é", "a b", "build", "dist", "keep.x", "*s", "[q]"]
const lines = [
  "a", "b", "*.x", "*.y", "/a", "/b/c", "a/", "build/", "dist/", "!keep.x", "!a", "!b/", "**/c", "a/**", "!/a/b", "b/*", "*", "!*.y", "?", "[ab]", "!c/", "/*",
  "!/build", "a/b/c", "**/a/**/b", "\\*s", "\\[q\\]", ".*", "!.h", "*b", "a*", "# x", "", "  ", "c ", "é", "a\\ b", "ab/**/*.x", "/**/d.x", "!d.x", "a**", "./a", "b//c"
]
const folderPaths = FastCheck.array(FastCheck.constantFrom(...namesInTrees), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"))
const rules = FastCheck.tuple(FastCheck.array(FastCheck.constantFrom(...lines), { minLength: 1, maxLength: 6 }), FastCheck.constantFrom("\n", "\r\n"))
  .map(([chosen, ending]) => chosen.join(ending))
const trees = FastCheck.record({
  files: FastCheck.array(FastCheck.tuple(folderPaths, FastCheck.constantFrom(...namesInTrees)), { minLength: 10, maxLength: 40 }),
  ignores: FastCheck.array(FastCheck.tuple(FastCheck.nat(), rules), { minLength: 1, maxLength: 4 }),
  exclude: FastCheck.option(rules),
  workspace: FastCheck.option(FastCheck.nat(), { freq: 2 })
})

describe("the walk", () => {
  it.live("lists what `git ls-files --others --exclude-standard` lists, in generated repositories and folders of them", () =>
    Effect.gen(function*() {
      const top = yield* temporaryFolder
      yield* Effect.promise(() =>
        FastCheck.assert(FastCheck.asyncProperty(trees, async ({ exclude, files, ignores, workspace }) => {
          const repository = `${top}/repo`
          rmSync(repository, { recursive: true, force: true })
          execFileSync("git", ["init", "-q", repository])
          const folders = new Set([""])
          for (const [folder, name] of files) {
            try {
              mkdirSync(`${repository}/${folder}`, { recursive: true })
              writeFileSync(`${repository}/${folder}/${name}`, "x", { flag: "wx" })
              folders.add(folder)
            } catch {
              // A name that is there already, as a file or as a folder, is as good.
            }
          }
          const at = (n: number) => [...folders][n % folders.size] ?? ""
          for (const [n, text] of ignores) writeFileSync(`${repository}/${at(n)}/.gitignore`, text)
          if (exclude !== null) writeFileSync(`${repository}/.git/info/exclude`, exclude)
          const folder = workspace === null ? "" : at(workspace)
          // Git shows nothing of a folder that is ignored itself; who works in one wants to see it.
          if (folder !== "" && git(repository, ["check-ignore", "--no-index", "-z", "--stdin"], folder).length > 1) return
          const root = folder === "" ? repository : `${repository}/${folder}`
          const layer = Layer.provide(WalkerLive, Layer.merge(DiskLive, Layer.succeed(Jail, makeJail(root))))
          const { entries } = await Effect.runPromise(Effect.provide(Effect.flatMap(Walker, (walker) => walker.walk()), layer))
          assert.deepStrictEqual(
            entries.flatMap(({ kind, path }) => kind === "file" ? [path] : []).sort(),
            git(root, ["ls-files", "--others", "--exclude-standard", "-z"]).filter((path) => path !== "").sort()
          )
        }), { numRuns: 20 })
      )
    }).pipe(Effect.scoped))
})
