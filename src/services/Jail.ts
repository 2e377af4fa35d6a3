import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

export class PathEscapes extends Schema.TaggedError<PathEscapes>()("PathEscapes", { path: Schema.String }) {
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

const below = (root: string, path: string): string | null =>
  path === root ? "" : path.startsWith(root.endsWith("/") ? root : `${root}/`) ? path.slice(root.length) : null

/** `aliases` are other spellings of the root that absolute paths may begin with, such as the one before links were resolved. */
export const makeJail = (root: string, aliases: ReadonlyArray<string> = []) =>
  Jail.of({
    root,
    relative: Effect.fnUntraced(function*(path) {
      const escapes = new PathEscapes({ path })
      if (path.includes("\0") || /^~([a-z_][\w-]*)?([/\\]|$)/.test(path)) return yield* escapes
      if (!path.startsWith("/")) {
        const parts = partsOf(path)
        return parts === null ? yield* escapes : parts.join("/") || "."
      }
      const absolute = partsOf(path)
      if (absolute === null) return yield* escapes
      const rest = [root, ...aliases].map((base) => below(base, `/${absolute.join("/")}`)).find((found) => found !== null)
      if (rest === undefined || rest === null) return yield* escapes
      return rest.replace(/^\/+/, "") || "."
    })
  })

export const JailMemory = (root = "/ws") => Layer.succeed(Jail, makeJail(root))
