import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Platform } from "./Host.js"
import * as Layer from "effect/Layer"

export class PathEscapes extends Data.TaggedError("PathEscapes")<{ readonly path: string }> {
  readonly refused = true
  override get message() {
    return `Path escapes workspace: ${this.path}`
  }
}

/**
 * The workspace root and the meaning of a path text. Lexical only: links are the business of `Files`, which opens
 * part by part below the root's descriptor.
 */
export class Jail extends Context.Tag("shiro/Jail")<Jail, {
  /** Real, absolute path of the workspace root. */
  readonly root: string
  /**
   * The path relative to the root, POSIX separators, normalised (`./a/../b` is `b`, the root is `.`).
   * Absolute paths inside the root (as given or as real path) are fine.
   */
  readonly relative: (path: string) => Effect.Effect<string, PathEscapes>
}>() {}

const partsOf = (path: string): ReadonlyArray<string> | null => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part !== "..") parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts
}

/** What a text may not be, before anything else is asked: another user's or one's own home, and bytes no name has. */
const isNoPath = (path: string) => path.includes("\0") || /^~([a-z_][\w-]*)?([/\\]|$)/.test(path)

/**
 * The ways of Windows: both separators, drive letters, names in any letter case. `C:x` (relative to a drive's folder),
 * `name:stream`, the devices, and trailing dots and spaces, which the system takes off, lead elsewhere than they say.
 */
const windows = {
  posix: (path: string) => path.replaceAll("\\", "/"),
  isAbsolute: (path: string) => path.startsWith("/") || /^[a-z]:/i.test(path),
  same: (name: string) => name.toLowerCase(),
  isOdd: (name: string) =>
    /[:<>"|?*\u0000-\u001f]|[. ]$/.test(name) || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
}
const posix: typeof windows = {
  posix: (path) => path,
  isAbsolute: (path) => path.startsWith("/"),
  same: (name) => name,
  isOdd: () => false
}

/** `aliases` are other spellings of the root that absolute paths may begin with, such as the one before links were resolved. */
export const makeJail = (root: string, aliases: ReadonlyArray<string> = [], platform: Platform = "linux") => {
  const ways = platform === "win32" ? windows : posix
  const bases = [root, ...aliases].map((base) => partsOf(ways.posix(base)) ?? [])
  const below = (base: ReadonlyArray<string>, parts: ReadonlyArray<string>) =>
    base.every((name, index) => ways.same(name) === ways.same(parts[index] ?? "")) ? parts.slice(base.length) : null
  return Jail.of({
    root,
    relative: Effect.fnUntraced(function*(given) {
      const path = ways.posix(given)
      const parts = isNoPath(path) ? null : partsOf(path)
      const rest = parts === null || !ways.isAbsolute(path)
        ? parts
        : bases.map((base) => below(base, parts)).find((found) => found !== null)
      if (rest === null || rest === undefined || rest.some(ways.isOdd)) return yield* new PathEscapes({ path: given })
      return rest.join("/") || "."
    })
  })
}

/** A workspace by its root, absolute (`/ws`), whose paths are checked by their text: nothing on a disk is looked at. */
export const JailMemory = (root = "/ws") => Layer.succeed(Jail, makeJail(root))
