import type { Entry, Walked, WalkOptions } from "../Walker.js"
import type { Listing, Named } from "./listing.js"
import type { Judge } from "./rules.js"
import type { Scope } from "./scope.js"
import { enter, isNever, judgeIn, lookIn, scopeAbove } from "./scope.js"
import { bytesOf } from "./wildcards.js"

const join = (folder: string, name: string) => folder === "/" ? `/${name}` : `${folder}/${name}`

/** A folder's rules, and whether the folder is hidden from a walk that begins at the root. */
interface Place {
  readonly scope: Scope | null
  readonly judge: Judge | null
  readonly hidden: boolean
}
/** Where folders of the workspace stand under the rules; each one is looked at once. */
export const makePlaces = (listing: Listing, root: string, includeIgnored: boolean) => {
  const known = new Map<string, Place>()
  const hides = (above: Place, name: string, isFolder: boolean) =>
    above.hidden || isNever(name) || (!includeIgnored && above.judge !== null && above.judge(bytesOf(name), isFolder) === "hidden")
  const look = (folder: string): Place => {
    const cut = folder.lastIndexOf("/")
    const path = folder === "." ? root : join(root, folder)
    const above = folder === "." ? { scope: scopeAbove(listing, root), judge: null, hidden: false } : place(cut < 0 ? "." : folder.slice(0, cut))
    if (folder !== "." && hides(above, folder.slice(cut + 1), true)) return { ...above, hidden: true }
    const scope = enter(listing, above.scope, path, lookIn(listing, path))
    return { scope, judge: judgeIn(scope, bytesOf(join(path, ""))), hidden: false }
  }
  const place = (folder: string): Place => {
    const found = known.get(folder) ?? look(folder)
    known.set(folder, found)
    return found
  }
  return {
    place,
    hidesFile: (file: string): boolean => {
      const cut = file.lastIndexOf("/")
      return hides(place(cut < 0 ? "." : file.slice(0, cut)), file.slice(cut + 1), false)
    }
  }
}

/** A folder whose entries are being gone through. */
interface Frame {
  /** absolute */
  readonly folder: string
  /** how entries' paths begin */
  readonly prefix: string
  readonly names: ReadonlyArray<Named>
  readonly scope: Scope | null
  /** null where everything is shown */
  readonly judge: Judge | null
  readonly depth: number
  next: number
}

const takesBack = (scope: Scope | null): boolean => scope !== null && (scope.own?.negates === true || takesBack(scope.above))
const byName = (one: Named, other: Named) => one.name < other.name ? -1 : one.name > other.name ? 1 : 0

const entryOf = (listing: Listing, folder: string, path: string, { kind, name }: Named, stat: boolean): Entry => {
  if (!stat && kind !== "link") return { path, kind: kind === "file" || kind === "folder" ? kind : "other", size: 0, modified: 0 }
  const full = join(folder, name)
  const facts = listing.stat(full, kind === "link") ?? listing.stat(full, false)
  const leads = facts === null || facts.kind === "link" ? "file" : facts.kind
  const shown = leads === "folder" && kind === "link" ? "link" : leads === "file" || leads === "folder" ? leads : "other"
  return { path, kind: shown, size: stat ? facts?.size ?? 0 : 0, modified: stat ? facts?.modified ?? 0 : 0 }
}

/** A walk that goes on folder by folder: `step` goes to the next one that has to be listed, and is false at the end. */
export interface Walk {
  readonly walked: Walked
  /** the system's code where the first folder could not be listed */
  readonly trouble: string | null
  readonly step: () => boolean
}

/** Goes through `folder` (workspace-relative, without links in it), whose entries' paths begin with `shown`. */
export const walkFolder = (listing: Listing, root: string, folder: string, shown: string, options: WalkOptions): Walk => {
  const includeIgnored = options.includeIgnored === true
  const depth = options.depth ?? Infinity
  const stat = options.stat === true
  const entries: Array<Entry> = []
  const unreadable: Array<string> = []
  const frames: Array<Frame> = []
  const first = makePlaces(listing, root, includeIgnored).place(folder)
  const walked = { folder: shown, hidden: first.hidden, takesBack: takesBack(first.scope), entries, unreadable }

  const begin = (path: string, prefix: string, above: Scope | null, level: number): string | null => {
    const names = listing.list(path)
    if (typeof names === "string") return names
    names.sort(byName)
    const scope = level === 1 ? above : enter(listing, above, path, (wanted) => names.some(({ name }) => name === wanted))
    if (scope !== above && scope?.own?.negates === true) walked.takesBack = true
    const judge = includeIgnored ? null : judgeIn(scope, bytesOf(join(path, "")))
    frames.push({ folder: path, prefix, names, scope, judge, depth: level, next: 0 })
    return null
  }
  const step = (): boolean => {
    for (let frame = frames[frames.length - 1]; frame !== undefined; frame = frames[frames.length - 1]) {
      const named = frame.names[frame.next++]
      if (named === undefined) {
        frames.pop()
        continue
      }
      if (isNever(named.name)) continue
      const entry = entryOf(listing, frame.folder, frame.prefix + named.name, named, stat)
      const { kind } = entry
      if (frame.judge !== null && frame.judge(bytesOf(named.name), kind === "folder" || kind === "link") === "hidden") continue
      entries.push(entry)
      if (kind !== "folder" || frame.depth >= depth) continue
      const code = begin(join(frame.folder, named.name), `${entry.path}/`, frame.scope, frame.depth + 1)
      if (code !== null && code !== "ENOENT") unreadable.push(entry.path)
      return true
    }
    return false
  }

  const trouble = first.hidden ? null : begin(folder === "." ? root : join(root, folder), shown === "." ? "" : `${shown}/`, first.scope, 1)
  return { walked, trouble, step }
}
