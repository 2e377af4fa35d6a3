import * as Effect from "effect/Effect"
import type { DiskPort, Folder } from "../Disk.js"
import type { Spot } from "../disk/walk.js"
import { partsOf } from "../disk/walk.js"
import { ProtectedPlace } from "../Files.js"

/** A name as the file systems see it that take more than one spelling: letter case, what HFS+ ignores, what Windows strips. */
const plain = (name: string) =>
  name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "").toLowerCase().replace(/:.*$/, "").replace(/[. ]+$/, "")

const gitNames = new Set([".git", "git~1"])
const gitWhy = "it is git's own, and a file written there could make git run anything"

/** Whether a folder is a repository's own folder: the target of a `.git` file, a worktree's, a bare repository. */
const isGitFolder = Effect.fnUntraced(function*(disk: DiskPort, folder: Folder) {
  const has = (name: string) => Effect.isSuccess(disk.stat(folder, name))
  if (!(yield* has("HEAD"))) return false
  return (yield* has("commondir")) || ((yield* has("objects")) && (yield* has("refs")))
})

const folderNames = (root: string) => partsOf(root.replaceAll("\\", "/").toLowerCase())

/** Refuses places that no file tool may write. `home`: the real path of shiro's own folder. */
export const refuseProtected = Effect.fnUntraced(function*(
  disk: DiskPort,
  place: { readonly root: string; readonly home: string },
  path: string,
  spot: Spot
) {
  const parts = partsOf(spot.path)
  const names = parts.map(plain)
  if (names.some((name) => gitNames.has(name))) return yield* new ProtectedPlace({ path, why: gitWhy })
  if (names[names.length - 1] === "config.json" && names[names.length - 2] === ".shiro") {
    return yield* new ProtectedPlace({ path, why: "it is shiro's own configuration, which only the user changes" })
  }
  const home = folderNames(place.home)
  const here = [...folderNames(place.root), ...parts.map((part) => part.toLowerCase())]
  if (home.every((name, index) => here[index] === name)) {
    return yield* new ProtectedPlace({ path, why: "it lies in shiro's own folder" })
  }
  for (const folder of spot.folders) {
    if (yield* isGitFolder(disk, folder)) return yield* new ProtectedPlace({ path, why: gitWhy })
  }
})
