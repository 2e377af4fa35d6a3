import * as Layer from "effect/Layer"
import { Volume } from "memfs"
import { Disk } from "../Disk.js"
import type { Calls } from "./port.js"
import { makeDisk } from "./port.js"

/** What lies at a path: content, a link, or a folder. */
export type Planted = string | Uint8Array | { readonly link: string } | { readonly folder: true }
/** By absolute path. */
export type Tree = Readonly<Record<string, Planted>>

const flags = { O_WRONLY: 1, O_CREAT: 64, O_EXCL: 128, O_NOFOLLOW: 131_072 }

const plant = (volume: Volume, tree: Tree) => {
  for (const [path, planted] of Object.entries(tree)) {
    const isFolder = typeof planted === "object" && "folder" in planted
    volume.mkdirSync(isFolder ? path : path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true })
    if (typeof planted === "string") volume.writeFileSync(path, planted, { mode: 0o644 })
    else if (planted instanceof Uint8Array) volume.writeFileSync(path, Buffer.from(planted), { mode: 0o644 })
    else if ("link" in planted) volume.symlinkSync(planted.link, path)
  }
}

const callsOn = (volume: Volume): Calls => ({
  realpath: (path) => String(volume.realpathSync(path)),
  open: (path, how, mode) => volume.openSync(path, how, mode),
  close: (fd) => volume.closeSync(fd),
  fstat: (fd) => volume.fstatSync(fd, { bigint: true }),
  lstat: (path) => volume.lstatSync(path, { bigint: true }),
  list: (path) =>
    volume.readdirSync(path).map((name) =>
      Object.assign(volume.lstatSync(`${path === "/" ? "" : path}/${String(name)}`), { name: String(name) })),
  read: (fd, into, position) => volume.readSync(fd, into, 0, into.length, position),
  readLater: (fd, into, position, done) => done(null, volume.readSync(fd, into, 0, into.length, position)),
  write: (fd, bytes, offset, position) => volume.writeSync(fd, bytes, offset, bytes.length - offset, position),
  flush: (_fd, done) => done(null),
  mayWrite: (path) => (volume.lstatSync(path).mode & 0o222) !== 0,
  chmod: (fd, mode) => volume.fchmodSync(fd, mode),
  chown: (fd, uid, gid) => volume.fchownSync(fd, uid, gid),
  utimes: (fd, seconds) => volume.futimesSync(fd, seconds, seconds),
  rename: (from, to) => {
    if (from === to) return
    // memfs renames a link's target, and leaves the count of names as it was on what it replaces.
    const isLink = volume.lstatSync(from).isSymbolicLink()
    const text = isLink ? String(volume.readlinkSync(from)) : ""
    if (volume.existsSync(to) || isThere(volume, to)) volume.unlinkSync(to)
    if (!isLink) return volume.renameSync(from, to)
    volume.symlinkSync(text, to)
    volume.unlinkSync(from)
  },
  link: (from, to) => volume.linkSync(from, to),
  symlink: (text, path) => volume.symlinkSync(text, path),
  readlink: (path) => String(volume.readlinkSync(path)),
  unlink: (path) => volume.unlinkSync(path),
  mkdir: (path, mode) => {
    volume.mkdirSync(path, { mode })
  },
  makeAll: (path, mode) => {
    volume.mkdirSync(path, { recursive: true, mode })
  },
  rmdir: (path) => volume.rmdirSync(path)
})

const isThere = (volume: Volume, path: string) => {
  try {
    volume.lstatSync(path)
    return true
  } catch {
    return false
  }
}

/** A file system in memory with the given tree; nothing else is in it. */
export const DiskMemory = (tree: Tree = {}) =>
  Layer.sync(Disk, () => {
    const volume = new Volume()
    plant(volume, tree)
    return makeDisk(callsOn(volume), {
      descriptors: null,
      separator: "/",
      flags: {
        folder: 0,
        read: flags.O_NOFOLLOW,
        create: flags.O_WRONLY | flags.O_CREAT | flags.O_EXCL | flags.O_NOFOLLOW,
        flushFolder: 0
      }
    })
  })
