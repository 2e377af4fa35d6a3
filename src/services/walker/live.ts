import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import type { EntryKind } from "../Disk.js"
import { Disk } from "../Disk.js"
import { Jail } from "../Jail.js"
import { Walker } from "../Walker.js"
import type { Listing, Named } from "./listing.js"
import { make } from "./make.js"

const { O_RDONLY } = fs.constants
// Node types them as always there; Windows has none of them.
const flag = (name: "O_DIRECTORY" | "O_NOFOLLOW" | "O_NONBLOCK"): number => fs.constants[name] ?? 0
const folderFlags = O_RDONLY | flag("O_DIRECTORY") | flag("O_NOFOLLOW")
const fileFlags = O_RDONLY | flag("O_NOFOLLOW") | flag("O_NONBLOCK")
/** Longer ignore files are not read; git's own limit is beyond anything a person writes. */
const mostBytes = 8 * 1024 * 1024

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "EIO"

const kindOf = (bits: Pick<fs.Dirent, "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket">): EntryKind =>
  bits.isFile() ? "file" : bits.isDirectory() ? "folder" : bits.isSymbolicLink() ? "link" : bits.isFIFO()
    ? "pipe"
    : bits.isSocket() ? "socket" : "device"

const named = (entry: fs.Dirent): Named => ({ name: entry.name, kind: kindOf(entry) })

/** The folder that was opened is the one that is listed, and it lies where it was looked for: a swapped link gains nothing. */
const listOpened = (folder: string): Array<Named> | string => {
  const fd = fs.openSync(folder, folderFlags)
  try {
    const opened = `/proc/self/fd/${fd}`
    return fs.readlinkSync(opened) === folder ? fs.readdirSync(opened, { withFileTypes: true }).map(named) : "ESTALE"
  } finally {
    fs.closeSync(fd)
  }
}
/** Where the system cannot tell where an open folder lies. The gap between the two calls is named on the page on security. */
const listByPath = (folder: string): Array<Named> | string =>
  fs.lstatSync(folder).isDirectory() ? fs.readdirSync(folder, { withFileTypes: true }).map(named) : "ENOTDIR"

const tellsPlaces = (root: string): boolean => {
  try {
    return process.platform === "linux" && typeof listOpened(root) !== "string"
  } catch {
    return false
  }
}

const listingFor = (root: string): Listing => {
  const list = tellsPlaces(root) ? listOpened : listByPath
  return {
    list: (folder) => {
      try {
        return list(folder)
      } catch (error) {
        return codeOf(error)
      }
    },
    text: (file) => {
      try {
        const fd = fs.openSync(file, fileFlags)
        try {
          const facts = fs.fstatSync(fd)
          return facts.isFile() && facts.size <= mostBytes ? fs.readFileSync(fd, "utf8") : null
        } finally {
          fs.closeSync(fd)
        }
      } catch {
        return null
      }
    },
    stat: (path, follow) => {
      const facts = tryStat(path, follow)
      return facts && { kind: kindOf(facts), size: facts.size, modified: facts.mtimeMs }
    }
  }
}

const tryStat = (path: string, follow: boolean): fs.Stats | null => {
  try {
    return (follow ? fs.statSync : fs.lstatSync)(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

export const WalkerLive = Layer.effect(
  Walker,
  Effect.gen(function*() {
    const jail = yield* Jail
    return make(listingFor(jail.root), yield* Disk, jail)
  })
)
