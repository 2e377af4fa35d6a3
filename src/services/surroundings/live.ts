import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { lstat, readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Jail } from "../Jail.js"
import { Surroundings } from "../Surroundings.js"

const mostLinks = 40

/** What a call gives, null where the file system refuses. */
const orNull = <A>(call: () => A): A | null => {
  try {
    return call()
  } catch {
    return null
  }
}

/**
 * The real path of what exists of `path`, with the rest of it appended; a dangling link counts as where it points.
 * Asked synchronously, as the workspace's files are: the answer takes less time than waiting for a thread.
 */
const realOf = (path: string, links = 0): string | null => {
  const whole = orNull(() => realpathSync.native(path))
  if (whole !== null) return whole
  if (links > mostLinks) return null
  const target = orNull(() => readlinkSync(path))
  if (target !== null) return realOf(resolve(dirname(path), target), links + 1)
  const parent = dirname(path)
  if (parent === path) return path
  const above = realOf(parent, links)
  return above === null ? null : join(above, path.slice(parent === "/" ? 1 : parent.length + 1))
}

const text = (file: string) => readFile(file, "utf8").catch(() => "")

/** The folder that holds a repository's refs: `.git`, or what a `.git` file and its `commondir` name. */
const gitFolder = async (folder: string): Promise<string | null> => {
  const entry = join(folder, ".git")
  const facts = await lstat(entry).catch(() => null)
  if (facts === null) return folder === dirname(folder) ? null : gitFolder(dirname(folder))
  if (facts.isDirectory()) return entry
  const named = /^gitdir: (.*)$/m.exec(await text(entry))?.[1]
  if (named === undefined) return null
  const own = resolve(folder, named)
  const common = (await text(join(own, "commondir"))).trim()
  return common === "" ? own : resolve(own, common)
}

const kinds = ["refs", "refs/tags", "refs/heads", "refs/remotes"]

const hasRef = async (root: string, name: string): Promise<boolean> => {
  const git = await gitFolder(root)
  if (git === null || name.split("/").some((part) => part === ".." || part === "")) return false
  const packed = await text(join(git, "packed-refs"))
  for (const kind of kinds) {
    const ref = `${kind}/${name}`
    const facts = await lstat(join(git, ref)).catch(() => null)
    if (facts?.isFile() === true || packed.includes(` ${ref}\n`)) return true
  }
  return name === "HEAD" || name === "FETCH_HEAD" || name === "ORIG_HEAD" || name === "MERGE_HEAD"
}

export const SurroundingsLive = Layer.effect(
  Surroundings,
  Effect.map(Jail, ({ root }) =>
    Surroundings.of({
      realPath: (path) =>
        Effect.sync(() => {
          const real = realOf(join(root, path))
          if (real === root) return "."
          const prefix = root.endsWith("/") ? root : `${root}/`
          return real?.startsWith(prefix) === true ? real.slice(prefix.length) : null
        }),
      exists: (path) => Effect.sync(() => orNull(() => lstatSync(join(root, path))) !== null),
      isRef: (name) => Effect.promise(() => hasRef(root, name))
    }))
)
