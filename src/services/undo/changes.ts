import { existsSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import type { State, Step } from "../journal/record.js"
import type { Facts, Known, Survey } from "./survey.js"
import { sizeOf } from "./survey.js"

const isSame = (one: Facts | undefined, other: Facts | undefined): boolean =>
  one === undefined || other === undefined
    ? one === other
    : one.is === "link" ? other.is === "link" : other.is === "file" && one.stamp === other.stamp && one.mode === other.mode

/** Paths that may not be what they were, as far as content, kind and mode go. */
export const changedSince = (before: Known, now: Survey): ReadonlyArray<string> => {
  const dirty = new Set(now.dirty)
  const paths = new Set<string>([...before.there.keys(), ...now.there.keys()])
  return [...paths].filter((path) => {
    const [was, is] = [before.there.get(path), now.there.get(path)]
    if (was === undefined || is === undefined || was.is !== is.is) return true
    if (was.is === "file" && is.is === "file" && was.mode !== is.mode) return true
    return before.left.has(path) ? !isSame(was, is) : dirty.has(path) || before.torn.has(path)
  }).sort()
}

/**
 * How a path came to be seen that was not before: `made` by the command, or only `shown` by it, as what had been ignored
 * or lain in another repository is when the rules or that repository go. `unsure`: the command may have changed it, too.
 * Whatever is not surely new is never taken away again.
 */
export const appeared = (before: Known, now: Survey) => {
  const old = new Map([...before.there].map(([path, { identity }]) => [identity, path]))
  return (facts: Facts): "made" | "shown" | "unsure" => {
    const earlier = old.get(facts.identity)
    // A folder that is moved touches none of the files in it.
    if (earlier !== undefined && now.there.get(earlier)?.identity !== facts.identity) return "made"
    if (facts.touched < before.began) return "shown"
    return facts.born >= before.began || earlier !== undefined ? "made" : "unsure"
  }
}

/** Folders that these paths need and that held nothing before, outer ones first. */
export const newFolders = (before: Known, created: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parents = (path: string) => path.split("/").slice(0, -1).map((_, index, parts) => parts.slice(0, index + 1).join("/"))
  const old = new Set([...before.there.keys()].flatMap(parents))
  return [...new Set(created.flatMap(parents))].filter((folder) => !old.has(folder)).sort()
}

const linkText = (path: string): string | null => {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
/** Whether a file was only touched. */
const isUntouched = (was: Facts | undefined, is: Facts | undefined, image: string, path: string): boolean => {
  if (was?.is !== "file" || is?.is !== "file" || was.mode !== is.mode || sizeOf(was) !== sizeOf(is)) return false
  try {
    return readFileSync(image).equals(readFileSync(path))
  } catch {
    return false
  }
}
const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

const stateOf = ({ gid, mode, modified, stamp, uid }: Facts & { readonly is: "file" }, image: string | null): State =>
  ({ is: "file", stamp, mode, uid, gid, modified, image, hash: null })

/** What was there, with the name of its content in `folder`; null where the content is not there any more. */
const stateBefore = (was: Facts | undefined, folder: string, name: string | undefined): State | null => {
  if (was === undefined) return { is: "nothing" }
  if (name === undefined) return null
  if (was.is === "file") return stateOf(was, name)
  const text = textOf(join(folder, name))
  return text === null ? null : { is: "link", text, image: name }
}
const stateAfter = (is: Facts | undefined, path: string): State | null => {
  if (is === undefined) return { is: "nothing" }
  if (is.is === "file") return stateOf(is, null)
  const text = linkText(path)
  return text === null ? null : { is: "link", text, image: null }
}

/** The steps of a command; `names`: of the contents that were put into `folder`. What cannot be put back is left out, by path. */
export const stepsOf = ({ before, changed, folder, names, now, root }: {
  readonly before: Known
  readonly now: Survey
  readonly changed: ReadonlyArray<string>
  readonly root: string
  readonly folder: string
  readonly names: ReadonlyMap<string, string>
}) => {
  const steps: Array<Step> = []
  const lost: Array<string> = []
  for (const path of changed) {
    const [was, is, given, place] = [before.there.get(path), now.there.get(path), names.get(path), join(root, path)]
    // git names a file also where it could not write it, as it lacks the content.
    const name = given !== undefined && existsSync(join(folder, given)) ? given : undefined
    if (name !== undefined && !before.torn.has(path) && isUntouched(was, is, join(folder, name), place)) continue
    const earlier = stateBefore(was, folder, name)
    const later = stateAfter(is, place)
    if (earlier?.is === "link" && later?.is === "link" && earlier.text === later.text) continue
    if (earlier === null || later === null) lost.push(path)
    else steps.push({ path, before: earlier, after: later })
  }
  return { steps, lost }
}
