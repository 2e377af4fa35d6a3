import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import { relative } from "node:path"
import { makeOpen } from "../git/repository.js"
import { workspaceKey } from "../journal/archive.js"
import type { Ground } from "./store.js"

const within = (top: string, place: string): string | null => {
  const path = relative(top, place)
  return path === "" || path.startsWith("..") || path.startsWith("/") ? null : path
}

/** Finds what a workspace's store is of, again for each snapshot: a command may have made or removed the repository. */
export const makeFindGround = Effect.fnUntraced(function*(root: string, home: string) {
  const open = yield* makeOpen
  const folder = `${home}/undo/${workspaceKey(root)}`
  let last: { readonly gitDir: string; readonly shared: string | null } | null = null
  const sharedBy = Effect.fnUntraced(function*(repository: Effect.Effect.Success<ReturnType<typeof open>>) {
    const { gitDir } = repository
    if (last?.gitDir === gitDir) return last.shared
    const out = yield* repository.run(["rev-parse", "--path-format=absolute", "--git-common-dir"])
    last = { gitDir, shared: out.replace(/\n$/, "") }
    return last.shared
  })
  const realHome = Effect.promise(() => realpath(home).catch(() => home))
  return Effect.gen(function*() {
    const alone: Ground = {
      root, top: root, prefix: "", shared: null, gitDir: null, format: "sha1", folder, ownPlace: within(root, yield* realHome)
    }
    return yield* Effect.gen(function*() {
      const repository = yield* open()
      const { emptyTree, gitDir, prefix, top } = repository
      const ground: Ground = {
        root,
        top,
        prefix: prefix === "" ? "" : `${prefix}/`,
        shared: yield* sharedBy(repository),
        gitDir,
        format: emptyTree.length === 64 ? "sha256" : "sha1",
        folder,
        ownPlace: within(top, yield* realHome)
      }
      return ground
    }).pipe(Effect.catchAll(() => Effect.succeed(alone)))
  })
})
