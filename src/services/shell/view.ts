import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { credentialPlaces, systemPlaces } from "./credentials.js"
import type { View } from "./sandbox.js"

type Kind = "folder" | "file" | "link" | null

const kindOf = (path: string): Kind => {
  try {
    const stat = lstatSync(path)
    return stat.isSymbolicLink() ? "link" : stat.isDirectory() ? "folder" : "file"
  } catch {
    return null
  }
}
const real = (path: string): string | null => {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
const isFolder = (path: string) => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
const existing = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(paths.map(real).filter((path) => path !== null))]

/**
 * Sockets that somebody listens on, by their files: a file system that is only read lets through whoever connects, and
 * behind one may be a daemon that does anything. Those of the command's own kind, inside the workspace, stay.
 */
export const listening = (table: string, root: string): ReadonlyArray<string> =>
  [...new Set(table.split("\n").flatMap((line) => /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ (\/.+)$/.exec(line)?.[1] ?? []))]
    .filter((path) => !path.startsWith(`${root}/`))
const sockets = (root: string): ReadonlyArray<string> => {
  try {
    return existing(listening(readFileSync("/proc/net/unix", "utf8"), root)).filter((path) => !/^\/(?:run|tmp|proc|dev|var\/run|var\/tmp)\//.test(path) && statSync(path).isSocket())
  } catch {
    return []
  }
}

/** What a sandboxed command writes to and what covers hidden things; taken away at the end. */
export const makePrivate = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "shiro-sandbox-")))
  const [temporary, emptyFolder, emptyFile] = [join(folder, "tmp"), join(folder, "none"), join(folder, "empty")]
  for (const path of [temporary, emptyFolder]) mkdirSync(path, { mode: path === temporary ? 0o700 : 0o555 })
  writeFileSync(emptyFile, "", { mode: 0o444 })
  return { temporary, emptyFolder, emptyFile, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
export type Private = ReturnType<typeof makePrivate>

/** Parts of `.git` that make git run programs, or send it to another configuration that does. */
const gitFixed = ["config", "config.worktree", "hooks", "modules", "worktrees", "commondir", "info/attributes"]
/** Files that other programs take orders from. */
const orders = [
  ".shiro", ".mcp.json", ".vscode", ".idea", ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile",
  ".gitconfig"
]

const inGit = (root: string) => {
  const git = join(root, ".git")
  const kind = kindOf(git)
  if (kind !== "folder") return { pinned: [], fixed: kind === "file" ? [git] : [], barred: [] }
  const there = (name: string) => ["folder", "file"].includes(kindOf(join(git, name)) ?? "")
  return {
    pinned: [git],
    fixed: gitFixed.filter(there).map((name) => join(git, name)),
    barred: there("hooks") ? [] : [join(git, "hooks")]
  }
}

/** The machine as it is now, as a sandboxed command may see it. Looks at the file system, changes nothing. */
export const viewOf = ({ denied, home, network, own, root, shiroHome }: {
  readonly root: string
  readonly own: Private
  readonly home: string
  readonly shiroHome: string
  /** workspace-relative */
  readonly denied: ReadonlyArray<string>
  readonly network: boolean
}): View => {
  const places = existing([...credentialPlaces.map((place) => join(home, place)), shiroHome, ...systemPlaces])
  const secret = existing(denied.map((path) => join(root, path)))
  const git = inGit(root)
  const resolver = network ? real("/etc/resolv.conf") : null
  return {
    root,
    temporary: own.temporary,
    emptyFile: own.emptyFile,
    emptyFolder: own.emptyFolder,
    network,
    blank: ["/run", "/var/run", "/var/tmp"].filter((path) => kindOf(path) === "folder"),
    hiddenFolders: places.filter(isFolder),
    hiddenFiles: [...places, ...secret, ...sockets(root)].filter((path) => !isFolder(path)),
    shown: [...existing(["/run/current-system"]), ...resolver?.startsWith("/run/") === true ? [resolver] : []],
    pinned: git.pinned,
    fixed: [...git.fixed, ...orders.map((name) => join(root, name)).filter((path) => ["file", "folder"].includes(kindOf(path) ?? ""))],
    barred: git.barred
  }
}

/**
 * Made by the command, `.git/commondir` would send git to a configuration of the command's own, which may name programs
 * to run. Gives what to do after the command: takes it away if it was not there before, and says whether it did.
 */
export const strayCommonDir = (root: string): () => boolean => {
  const file = join(root, ".git/commondir")
  if (kindOf(join(root, ".git")) !== "folder" || kindOf(file) !== null) return () => false
  return () => {
    if (kindOf(file) === null) return false
    rmSync(file, { recursive: true, force: true })
    return true
  }
}
