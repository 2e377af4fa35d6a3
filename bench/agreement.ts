// The tools that list files against git, in checkouts of real repositories. Usage: agreement.ts <folder>…
//
// Judged is `git ls-files --cached --others --exclude-standard`, less what decisions.md takes out: files that are tracked
// though ignored, links to folders, submodules, nested repositories, node_modules. Tools that are capped are asked folder by
// folder; a folder with more entries than the cap is left to the walk, which is compared whole.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { lstatSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { DiskLive } from "../src/services/disk/live.js"
import { HostLive } from "../src/services/host/live.js"
import { Jail, makeJail } from "../src/services/Jail.js"
import { PermissionsMemory } from "../src/services/permissions/memory.js"
import { Search } from "../src/services/Search.js"
import { SearchLive } from "../src/services/search/live.js"
import { SecretsMemory } from "../src/services/secrets/memory.js"
import { Walker } from "../src/services/Walker.js"
import { WalkerLive } from "../src/services/walker/live.js"
import { glob } from "../src/tools/core/glob.js"
import { listDir } from "../src/tools/editPlus/listDir.js"
import { findFiles } from "../src/tools/extra/findFiles.js"
import { recentFiles } from "../src/tools/extra/recentFiles.js"
import { tree } from "../src/tools/extra/tree.js"
import { call } from "../src/tools/pipeline.js"

const git = (root: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-C", root, "-c", "core.excludesFile=/dev/null", ...args, "-z"], { encoding: "utf8", maxBuffer: 1e9 }).split("\0").filter((path) => path !== "")

const leadsToFolder = (path: string) => lstatSync(path).isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** What git shows, with what decisions.md takes out taken out. */
const expectedIn = (root: string): ReadonlyArray<string> => {
  const ignored = new Set(git(root, "ls-files", "--cached", "--ignored", "--exclude-standard"))
  const submodules = new Set(git(root, "ls-files", "--stage").flatMap((entry) => entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : []))
  return [...new Set(git(root, "ls-files", "--cached", "--others", "--exclude-standard"))].filter((path) =>
    !ignored.has(path) && !submodules.has(path) && !path.endsWith("/") && !path.split("/").includes("node_modules")
    && isThere(join(root, path)) && !leadsToFolder(join(root, path))
  ).sort()
}

const parentOf = (path: string) => path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "."
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1)

const compare = Effect.fnUntraced(function*(root: string) {
  const expected = expectedIn(root)
  const folders = new Map<string, Array<string>>()
  for (const path of expected) folders.set(parentOf(path), [...folders.get(parentOf(path)) ?? [], path])
  const wrong: Array<string> = []
  const judge = (what: string, shown: ReadonlyArray<string>, wanted: ReadonlyArray<string>) => {
    const one = [...shown].sort().join("\0")
    if (one !== [...wanted].sort().join("\0")) {
      wrong.push(`${what}: only shown ${shown.filter((path) => !wanted.includes(path)).slice(0, 5).join(", ")}; only git ${wanted.filter((path) => !shown.includes(path)).slice(0, 5).join(", ")}`)
    }
  }
  const walked = yield* (yield* Walker).walk()
  judge("walk", walked.entries.flatMap(({ kind, path }) => kind === "file" ? [path] : []), expected)
  judge("search", (yield* (yield* Search).files({ pattern: "**", limit: Infinity })).paths, expected)

  const counts = { list_dir: 0, tree: 0, glob: 0, find_files: 0, recent_files: 0 }
  /** names of files in lines of a tree of depth 1: no folder, no link, no size */
  const filesOf = (text: string) => text.split("\n").slice(1).filter((line) => !line.endsWith("/") && !line.endsWith("/  (link)")).map((line) => line.replace(/ {2}\d+[BKMG]$/, ""))
  for (const [folder, paths] of folders) {
    const names = paths.map(nameOf)
    const entries = (yield* (yield* Walker).walk({ folder, depth: 1 })).entries.length
    if (entries <= 300 && names.every((name) => !name.includes("\n"))) {
      judge(`list_dir ${folder}`, filesOf(yield* call(listDir, { path: folder, depth: 1 })), names)
      judge(`tree ${folder}`, filesOf(yield* call(tree, { path: folder, depth: 1 })), names)
      counts.list_dir += names.length
      counts.tree += names.length
    }
  }
  const some = [...folders].filter((_, n, all) => n % Math.ceil(all.length / 100) === 0)
  for (const [folder, paths] of some.filter(([, { length }]) => length <= 200)) {
    const escaped = folder.replace(/[*?[\]{}\\]/g, "\\$&")
    judge(`glob ${folder}`, (yield* call(glob, { pattern: folder === "." ? "*" : `${escaped}/*` })).split("\n"), paths)
    counts.glob += paths.length
    const name = nameOf(paths[0] ?? "").toLowerCase()
    const wanted = expected.filter((path) => nameOf(path).toLowerCase().includes(name))
    if (wanted.length > 200) continue
    judge(`find_files ${name}`, (yield* call(findFiles, { name })).split("\n"), wanted)
    counts.find_files += wanted.length
    const recent = (yield* call(recentFiles, { path: folder, limit: 200 })).split("\n").map((line) => line.slice(line.indexOf("  ") + 2))
    const below = folder === "." ? expected : expected.filter((path) => path.startsWith(`${folder}/`))
    if (below.length <= 200) judge(`recent_files ${folder}`, recent, below)
    else judge(`recent_files ${folder}`, recent.filter((path) => !below.includes(path)), [])
    counts.recent_files += recent.length
  }
  console.log(`${nameOf(root)}: ${expected.length} files, ${expected.filter((path) => nameOf(path) === ".gitignore").length} .gitignore files; files compared ${
    Object.entries(counts).map(([tool, count]) => `${tool} ${count}`).join(", ")}; ${wrong.length} differences`)
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`)
  return wrong.length
})

const layersAt = (root: string) =>
  SearchLive.pipe(
    Layer.provideMerge(WalkerLive),
    Layer.provide(Layer.mergeAll(DiskLive, HostLive, Layer.succeed(Jail, makeJail(root)))),
    Layer.provideMerge(SecretsMemory()),
    Layer.provideMerge(PermissionsMemory())
  )

const all = await Effect.runPromise(Effect.forEach(process.argv.slice(2).map((folder) => realpathSync(folder)), (root) =>
  Effect.provide(compare(root), layersAt(root))))
process.exitCode = all.some((differences) => differences > 0) ? 1 : 0
