import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import { Disk } from "../Disk.js"
import type { Calls, Ways } from "./port.js"
import { makeDisk } from "./port.js"

const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = fs.constants
// Node types them as always there; Windows has none of them.
const flag = (name: "O_DIRECTORY" | "O_NOFOLLOW" | "O_NONBLOCK"): number => fs.constants[name] ?? 0
/** Linux only: a descriptor to look names up below, which needs no right to list. */
const O_PATH = 0x20_0000

const calls: Calls = {
  realpath: (path) => fs.realpathSync.native(path),
  open: fs.openSync,
  close: fs.closeSync,
  fstat: (fd) => fs.fstatSync(fd, { bigint: true }),
  lstat: (path) => fs.lstatSync(path, { bigint: true }),
  list: (path) => fs.readdirSync(path, { withFileTypes: true }),
  read: (fd, into, position) => fs.readSync(fd, into, 0, into.length, position),
  readLater: (fd, into, position, done) => fs.read(fd, into, 0, into.length, position, done),
  write: (fd, bytes, offset, position) => fs.writeSync(fd, bytes, offset, bytes.length - offset, position),
  flush: fs.fsync,
  mayWrite: (path) => {
    try {
      fs.accessSync(path, fs.constants.W_OK)
      return true
    } catch {
      return false
    }
  },
  chmod: fs.fchmodSync,
  chown: fs.fchownSync,
  utimes: (fd, seconds) => fs.futimesSync(fd, seconds, seconds),
  rename: fs.renameSync,
  link: fs.linkSync,
  symlink: (text, path) => fs.symlinkSync(text, path),
  readlink: (path) => fs.readlinkSync(path),
  unlink: fs.unlinkSync,
  mkdir: (path, mode) => {
    fs.mkdirSync(path, { mode })
  },
  makeAll: (path, mode) => {
    fs.mkdirSync(path, { recursive: true, mode })
  },
  rmdir: (path) => fs.rmdirSync(path)
}

const folderFlags = flag("O_DIRECTORY") | flag("O_NOFOLLOW")
const ways = (descriptors: string | null): Ways => ({
  descriptors,
  separator: process.platform === "win32" ? "\\" : "/",
  flags: {
    folder: O_PATH | folderFlags,
    read: O_RDONLY | flag("O_NOFOLLOW") | flag("O_NONBLOCK"),
    create: O_WRONLY | O_CREAT | O_EXCL | flag("O_NOFOLLOW"),
    flushFolder: O_RDONLY | flag("O_DIRECTORY")
  }
})

export const DiskLive = Layer.sync(Disk, () =>
  makeDisk(calls, ways(process.platform === "linux" && fs.existsSync("/proc/self/fd") ? "/proc/self/fd" : null)))
/** As on a platform that cannot look names up below a descriptor. */
export const DiskByPath = Layer.sync(Disk, () => makeDisk(calls, ways(null)))
