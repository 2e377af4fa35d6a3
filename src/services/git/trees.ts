import type { Changed, FileDiff } from "../Git.js"

/** Contents by path: what the in-memory repository is made of. */
export type Tree = Readonly<Record<string, string>>

export const linesOf = (text: string) => text === "" ? [] : text.replace(/\n$/, "").split("\n")

const names = (...trees: ReadonlyArray<Tree>) => [...new Set(trees.flatMap((tree) => Object.keys(tree)))].sort()
export const changedNames = (from: Tree, to: Tree) => names(from, to).filter((path) => from[path] !== to[path])
export const below = (folder: string | undefined) => (path: string) =>
  folder === undefined || folder === "." || path === folder || path.startsWith(`${folder}/`)

const span = (count: number) => count === 0 ? "0,0" : count === 1 ? "1" : `1,${count}`
/** A file's change as one hunk that takes all lines out and puts all in: a right diff, if not the shortest. */
const hunk = (path: string, from: string | undefined, to: string | undefined): string => {
  const [old, now] = [linesOf(from ?? ""), linesOf(to ?? "")]
  return [
    `diff --git a/${path} b/${path}`,
    ...from === undefined ? ["new file mode 100644"] : to === undefined ? ["deleted file mode 100644"] : [],
    `--- ${from === undefined ? "/dev/null" : `a/${path}`}`,
    `+++ ${to === undefined ? "/dev/null" : `b/${path}`}`,
    `@@ -${span(old.length)} +${span(now.length)} @@`,
    ...old.map((line) => `-${line}`),
    ...now.map((line) => `+${line}`),
    ""
  ].join("\n")
}

const wordOf = (from: string | undefined, to: string | undefined) => from === undefined ? "new" : to === undefined ? "deleted" : "modified"

export const statusOf = (last: Tree, index: Tree, workTree: Tree): ReadonlyArray<Changed> => {
  const known = names(last, index).flatMap((path): ReadonlyArray<Changed> => {
    const staged = last[path] === index[path] ? [] : [`staged ${wordOf(last[path], index[path])}`]
    const later = index[path] === undefined || index[path] === workTree[path] ? [] : [wordOf(index[path], workTree[path])]
    return staged.length + later.length === 0 ? [] : [{ path, states: [...staged, ...later] }]
  })
  const untracked = names(workTree).filter((path) => index[path] === undefined)
  return [...known, ...untracked.map((path) => ({ path, states: ["untracked"] }))]
}

/** What changed between two trees; `denied` ones without their text. */
export const diffOfTrees = (from: Tree, to: Tree, within: (path: string) => boolean, denied: (path: string) => boolean): ReadonlyArray<FileDiff> =>
  changedNames(from, to).filter(within).map((path) => ({
    path,
    from: null,
    change: wordOf(from[path], to[path]),
    added: linesOf(to[path] ?? "").length,
    removed: linesOf(from[path] ?? "").length,
    text: denied(path) ? null : hunk(path, from[path], to[path]),
    leftOut: denied(path) ? "secret" : null
  }))
