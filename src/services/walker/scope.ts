import { isAbsolute, resolve } from "node:path"
import type { Listing } from "./listing.js"
import type { Judge, Rules } from "./rules.js"
import { parseRules } from "./rules.js"
import { bytesOf } from "./wildcards.js"

/** Never listed nor entered, whatever is asked. */
export const isNever = (name: string) => name === ".git" || name === "node_modules"

/** The rules that hold in a folder: its own, and those of the folders above it. */
export interface Scope {
  readonly above: Scope | null
  /** length of the folder's path with the slash after it, in bytes */
  readonly length: number
  readonly git: Rules | null
  readonly own: Rules | null
  /** The folder is a repository's top: `.gitignore` files above it do not count in it. */
  readonly top: boolean
  /** the repository's `info/exclude`, at its top */
  readonly exclude: Rules | null
}

const within = (folder: string) => bytesOf(folder).length + (folder === "/" ? 0 : 1)

const rulesIn = (listing: Listing, file: string): Rules | null => {
  const text = listing.text(file)
  return text === null ? null : parseRules(text)
}

/** `.git` is a folder, or (worktrees, submodules) a file that names one, which in turn may name a common one. */
const excludeOf = (listing: Listing, folder: string): Rules | null => {
  const named = listing.text(`${folder}/.git`)
  if (named === null) return rulesIn(listing, `${folder}/.git/info/exclude`)
  const target = /^gitdir: (.*?)\r?\n?$/.exec(named)?.[1]
  if (target === undefined) return null
  const own = isAbsolute(target) ? target : resolve(folder, target)
  const common = listing.text(`${own}/commondir`)?.trim()
  return rulesIn(listing, `${common === undefined ? own : resolve(own, common)}/info/exclude`)
}

/** The scope of `folder` (absolute); `has` tells which of the names that matter are in it. */
export const enter = (listing: Listing, above: Scope | null, folder: string, has: (name: string) => boolean): Scope | null => {
  const git = has(".gitignore") ? rulesIn(listing, `${folder}/.gitignore`) : null
  const own = has(".shiroignore") ? rulesIn(listing, `${folder}/.shiroignore`) : null
  const top = has(".git")
  if (git === null && own === null && !top) return above
  return { above, length: within(folder), git, own, top, exclude: top ? excludeOf(listing, folder) : null }
}

/** Looks in the file system for the names that matter. */
export const lookIn = (listing: Listing, folder: string) => (name: string) =>
  name === ".git" ? listing.stat(`${folder}/.git`, false) !== null : true

/** The scope of what lies above `root`: up to the top of the repository it is in, or nothing outside of one. */
export const scopeAbove = (listing: Listing, root: string): Scope | null => {
  const folders: Array<string> = []
  for (let folder = root; !lookIn(listing, folder)(".git");) {
    const parent = resolve(folder, "..")
    if (parent === folder) return null
    folders.unshift(parent)
    folder = parent
  }
  return folders.reduce<Scope | null>((above, folder) => enter(listing, above, folder, lookIn(listing, folder)), null)
}

/** What the rules say of the entries of `folder` (absolute, as bytes, a slash at its end): `.shiroignore` before `.gitignore`, deeper files first. */
export const judgeIn = (scope: Scope | null, folder: string): Judge | null => {
  const judges: Array<Judge> = []
  for (let here = scope; here !== null; here = here.above) {
    if (here.own !== null) judges.push(here.own.within(folder.slice(here.length)))
  }
  for (let here = scope; here !== null; here = here.above) {
    if (here.git !== null) judges.push(here.git.within(folder.slice(here.length)))
    if (here.top) {
      if (here.exclude !== null) judges.push(here.exclude.within(folder.slice(here.length)))
      break
    }
  }
  const [first, ...others] = judges
  if (first === undefined) return null
  return others.length === 0 ? first : (name, isFolder) => {
    for (const judge of judges) {
      const verdict = judge(name, isFolder)
      if (verdict !== null) return verdict
    }
    return null
  }
}
