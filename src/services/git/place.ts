import * as Effect from "effect/Effect"
import type { BigIntStats, Stats } from "node:fs"
import { constants, lstatSync } from "node:fs"
import { lstat, open, realpath } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"

/** A small file of the repository's own, never through a link or from a pipe; null where it is not there. */
const small = async (file: string): Promise<string | null> => {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const facts = await handle.stat()
      if (!facts.isFile()) return null
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
      return buffer.toString("utf8", 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
const real = (path: string) => realpath(path).catch(() => null)
/** Asked before every request, so on this thread: the answer takes less time than waiting for another one. */
const factsOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
const exactFactsOf = (path: string): BigIntStats | undefined => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Whether `folder`'s `.git` is, or points to, `gitDir`. */
const leadsTo = async (folder: string, gitDir: string) => {
  const entry = join(folder, ".git")
  if (await real(entry) === gitDir) return true
  const target = /^gitdir: ([^\n]+)/.exec(await small(entry) ?? "")?.[1]
  return target !== undefined && await real(resolve(folder, target.replace(/\r$/, ""))) === gitDir
}

/**
 * The folder whose `.git` git found from `root`: the work tree's top, whatever the repository's `core.worktree` says.
 * Null inside the repository's own folder and in bare ones.
 */
export const topOf = (root: string, gitDir: string) =>
  Effect.promise(async () => {
    const target = await real(gitDir) ?? gitDir
    if (root === target || root.startsWith(`${target}/`)) return null
    for (let folder = root; ; folder = dirname(folder)) {
      if (await leadsTo(folder, target)) return folder
      if (folder === dirname(folder)) return null
    }
  })

/** The nearest folder at or above `root` that has a `.git`; without one git need not be asked. */
export const nearest = (root: string) =>
  Effect.sync(() => {
    for (let folder = root; ; folder = dirname(folder)) {
      if (factsOf(join(folder, ".git")) !== undefined) return folder
      if (folder === dirname(folder)) return null
    }
  })

/** What tells the nearest `.git` from another one, or from the same after it was changed; null where there is none. */
export const nearestMark = (root: string) =>
  Effect.map(nearest(root), (top) => {
    const facts = top === null ? undefined : exactFactsOf(join(top, ".git"))
    return facts === undefined
      ? null
      : JSON.stringify([top, String(facts.dev), String(facts.ino), String(facts.uid), facts.isDirectory() ? "" : String(facts.mtimeNs)])
  })

/** An ordinary repository of this user's, as git would agree; false where only git can tell. */
export const isOrdinary = (top: string) =>
  Effect.sync(() => {
    const user = process.getuid?.()
    const own = (name: string, isKind: (facts: Stats) => boolean) => {
      const facts = factsOf(join(top, name))
      return facts !== undefined && facts.uid === user && isKind(facts)
    }
    const isFolder = (facts: Stats) => facts.isDirectory()
    return ["", ".git", ".git/objects", ".git/refs"].every((name) => own(name, isFolder)) && own(".git/HEAD", (facts) => facts.isFile())
  })

/** `device:inode` of what is at a path itself; null where nothing is. */
export const identityOf = (path: string) =>
  Effect.promise(() => lstat(path, { bigint: true }).then(({ dev, ino }) => `${dev}:${ino}`, () => null))

const branchName = (text: string | null) => /^refs\/heads\/([^\s~^:?*[\\]+)\s*$/.exec(text ?? "")?.[1] ?? null
const commitId = (text: string | null) => /^([0-9a-f]{7})[0-9a-f]{33,57}\s*$/.exec(text ?? "")?.[1] ?? null
const count = (text: string | null) => /^(\d{1,6})\s*$/.exec(text ?? "")?.[1] ?? null

const rebase = async (folder: string, step: string, last: string) => {
  const [name, onto, done, all] = await Promise.all([
    small(join(folder, "head-name")), small(join(folder, "onto")), small(join(folder, step)), small(join(folder, last))
  ])
  const branch = branchName(name)
  const commit = commitId(onto)
  const steps = count(done) !== null && count(all) !== null ? ` (step ${count(done)} of ${count(all)})` : ""
  return `A rebase${branch === null ? "" : ` of ${branch}`}${commit === null ? "" : ` onto ${commit}`} is in progress${steps}.`
}

/** What has begun in the repository and not ended, as sentences. Of the files only ids, branch names and numbers are shown. */
export const underwayIn = (gitDir: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const file = (name: string) => join(gitDir, name)
    const [merge, pick, revert, bisect, rebasing, applying, mail] =
      ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply", "rebase-apply/applying"]
        .map((name) => factsOf(file(name)) !== undefined)
    const of = async (name: string) => {
      const commit = commitId(await small(file(name)))
      return commit === null ? "" : ` of ${commit}`
    }
    return [
      ...rebasing ? [await rebase(file("rebase-merge"), "msgnum", "end")] : [],
      ...applying && !mail ? [await rebase(file("rebase-apply"), "next", "last")] : [],
      ...mail ? ["Applying patches from mail (git am) is in progress."] : [],
      ...merge ? [`A merge${await of("MERGE_HEAD")} is in progress.`] : [],
      ...pick ? [`A cherry-pick${await of("CHERRY_PICK_HEAD")} is in progress.`] : [],
      ...revert ? [`A revert${await of("REVERT_HEAD")} is in progress.`] : [],
      ...bisect ? ["A bisect is in progress."] : []
    ]
  })
