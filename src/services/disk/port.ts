import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Attributes, DiskPort, DiskStat, EntryKind, Folder, OpenFile } from "../Disk.js"
import { Disk, DiskFault } from "../Disk.js"

interface Bits {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
  isFIFO(): boolean
  isSocket(): boolean
}
interface BigStat extends Bits {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mode: bigint
  readonly nlink: bigint
  readonly uid: bigint
  readonly gid: bigint
  readonly mtimeMs: bigint
  readonly mtimeNs: bigint
}
/** What the port needs of a file system; node's own and memfs both have it. Everything throws errors with a `code`. */
export interface Calls {
  readonly realpath: (path: string) => string
  readonly open: (path: string, flags: number, mode?: number) => number
  readonly close: (fd: number) => void
  readonly fstat: (fd: number) => BigStat
  readonly lstat: (path: string) => BigStat
  readonly list: (path: string) => ReadonlyArray<Bits & { readonly name: string }>
  readonly read: (fd: number, into: Uint8Array, position: number) => number
  /** The same off this thread, for large blocks. */
  readonly readLater: (fd: number, into: Uint8Array, position: number, done: (error: unknown, count: number) => void) => void
  readonly write: (fd: number, bytes: Uint8Array, offset: number, position: number) => number
  readonly flush: (fd: number, done: (error: unknown) => void) => void
  readonly mayWrite: (path: string) => boolean
  readonly chmod: (fd: number, mode: number) => void
  readonly chown: (fd: number, uid: number, gid: number) => void
  readonly utimes: (fd: number, seconds: number) => void
  readonly rename: (from: string, to: string) => void
  readonly link: (from: string, to: string) => void
  readonly symlink: (text: string, path: string) => void
  readonly readlink: (path: string) => string
  readonly unlink: (path: string) => void
  readonly mkdir: (path: string, mode: number) => void
  readonly makeAll: (path: string, mode: number) => void
  readonly rmdir: (path: string) => void
}
/** How names are looked up. `descriptors` is the folder that lists this process's descriptors, null where there is none. */
export interface Ways {
  readonly descriptors: string | null
  readonly separator: "/" | "\\"
  readonly flags: {
    readonly folder: number
    readonly read: number
    readonly create: number
    readonly flushFolder: number
  }
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "EIO"

const kindOf = (bits: Bits): EntryKind =>
  bits.isFile() ? "file" : bits.isDirectory() ? "folder" : bits.isSymbolicLink() ? "link" : bits.isFIFO()
    ? "pipe"
    : bits.isSocket() ? "socket" : "device"

const statFrom = (stat: BigStat): DiskStat => ({
  kind: kindOf(stat),
  size: Number(stat.size),
  modified: Number(stat.mtimeNs) / 1e6,
  mode: Number(stat.mode) & 0o7777,
  uid: Number(stat.uid),
  gid: Number(stat.gid),
  hardLinks: Number(stat.nlink),
  identity: `${stat.dev}:${stat.ino}`,
  stamp: `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}`
})

/** A block up to this size is read on this thread, as handing it over costs more. */
const smallBlock = 65_536

const attempt = <A>(call: string, name: string, run: () => A) =>
  Effect.try({ try: run, catch: (error) => new DiskFault({ code: codeOf(error), call, name }) })
/** Runs on another thread. Uninterruptible: a descriptor must not be closed while a thread uses it. */
const later = <A>(call: string, run: (done: (error: unknown, value: A) => void) => void) =>
  Effect.uninterruptible(Effect.async<A, DiskFault>((resume) =>
    run((error, value) =>
      resume(error === null || error === undefined
        ? Effect.succeed(value)
        : new DiskFault({ code: codeOf(error), call, name: "" })))
  ))
const refuse = (code: string): never => {
  throw Object.assign(new Error(code), { code })
}
const identityOf = (stat: BigStat) => `${stat.dev}:${stat.ino}`

/**
 * How a name in an open folder is spelt for the system.
 *
 * With `descriptors` (Linux), as `/proc/self/fd/N/name`: below the very folder that was opened, so that nothing that
 * happens to the path meanwhile changes where it leads.
 *
 * Without (macOS, Windows) Node cannot do that. There a folder is its path and its identity, and the identity is
 * compared again before each call below it. A folder that is swapped for a link and back within the microseconds
 * between comparison and call goes unnoticed: that gap is left on those platforms, and the page on security says so.
 */
const lookup = (calls: Calls, ways: Ways) => {
  const below = (path: string, name: string) =>
    path.endsWith(ways.separator) ? path + name : `${path}${ways.separator}${name}`
  const at = (folder: Folder, name: string): string => {
    if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes(ways.separator)) refuse("EINVAL")
    if (folder.fd !== null) return `${ways.descriptors}/${folder.fd}/${name}`
    const now = calls.lstat(folder.path)
    if (!now.isDirectory() || identityOf(now) !== folder.identity) refuse("ESTALE")
    return below(folder.path, name)
  }
  /** The folder itself, to be opened again or listed. */
  const itself = (folder: Folder) => folder.fd === null ? folder.path : `${ways.descriptors}/${folder.fd}`
  return { at, below, itself }
}

/**
 * Opens something that is closed with the scope. `Effect.acquireRelease` also carries the fibre's state over to the
 * release, which costs more than the calls themselves; closing needs none of it.
 */
const held = <A>(open: Effect.Effect<A, DiskFault>, close: (opened: A) => Effect.Effect<void>) =>
  Effect.uninterruptible(Effect.flatMap(open, (opened) =>
    Effect.flatMap(Scope.Scope, (scope) => Effect.as(Scope.addFinalizer(scope, close(opened)), opened))))

const handles = (calls: Calls, ways: Ways) => {
  const { at, below, itself } = lookup(calls, ways)
  const close = (fd: number) => Effect.sync(() => calls.close(fd))
  const openFolder = (name: string, path: () => string, shown: string) =>
    ways.descriptors === null
      ? attempt("open", name, (): Folder => {
        const stat = calls.lstat(path())
        if (!stat.isDirectory()) refuse(stat.isSymbolicLink() ? "ELOOP" : "ENOTDIR")
        return { fd: null, path: shown, identity: identityOf(stat) }
      })
      : held(
        attempt("open", name, () => ({ fd: calls.open(path(), ways.flags.folder), path: shown })),
        (folder) => close(folder.fd)
      )
  const openFile = (call: string, folder: Folder, name: string, flags: number, mode?: number) =>
    held(
      attempt(call, name, (): OpenFile => ({ fd: calls.open(at(folder, name), flags, mode) })),
      (file) => close(file.fd)
    )
  // A folder that may be entered but not read cannot be flushed, and Windows flushes none.
  const noFlush = new Set(["EACCES", "EPERM", "EISDIR", "EINVAL", "EBADF", "ENOTSUP"])
  const flushFolder = (folder: Folder) =>
    held(attempt("flush", folder.path, () => calls.open(itself(folder), ways.flags.flushFolder)), close).pipe(
      Effect.flatMap((fd) => later<void>("flush", (done) => calls.flush(fd, (error) => done(error, undefined)))),
      Effect.scoped,
      Effect.catchIf((fault) => noFlush.has(fault.code), () => Effect.void)
    )
  return {
    realPath: (path: string) => attempt("realpath", path, () => calls.realpath(path)),
    root: (path: string) => openFolder(path, () => path, path),
    makeRoot: (path: string) => attempt("mkdir", path, () => calls.makeAll(path, 0o700)),
    folder: (parent: Folder, name: string) => openFolder(name, () => at(parent, name), below(parent.path, name)),
    open: (folder: Folder, name: string) => openFile("open", folder, name, ways.flags.read),
    create: (folder: Folder, name: string, mode: number) => openFile("create", folder, name, ways.flags.create, mode),
    where: (open: OpenFile | Folder) =>
      ways.descriptors === null ? Effect.succeed(null) : attempt("readlink", "", () => calls.readlink(`${ways.descriptors}/${open.fd}`)),
    list: (folder: Folder) =>
      attempt("list", folder.path, () =>
        calls.list(itself(folder)).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))),
    flush: (open: OpenFile | Folder) =>
      "path" in open ? flushFolder(open) : later<void>("flush", (done) => calls.flush(open.fd, (error) => done(error, undefined)))
  }
}

const contents = (calls: Calls) => ({
  statOf: (open: OpenFile | Folder) =>
    attempt("stat", "", () => statFrom("path" in open && open.fd === null ? calls.lstat(open.path) : calls.fstat(open.fd ?? -1))),
  read: (open: OpenFile, into: Uint8Array, position: number) =>
    into.length <= smallBlock
      ? attempt("read", "", () => calls.read(open.fd, into, position))
      : later<number>("read", (done) => calls.readLater(open.fd, into, position, done)),
  write: (open: OpenFile, bytes: Uint8Array, position: number) =>
    attempt("write", "", () => {
      for (let written = 0; written < bytes.length;) written += calls.write(open.fd, bytes, written, position + written)
    }),
  setAttributes: (open: OpenFile, attributes: Attributes) =>
    attempt("chmod", "", () => {
      // Changing the owner takes the set-id bits away, so it comes first.
      if (attributes.owner !== undefined) calls.chown(open.fd, attributes.owner.uid, attributes.owner.gid)
      if (attributes.mode !== undefined) calls.chmod(open.fd, attributes.mode)
      if (attributes.modified !== undefined) calls.utimes(open.fd, attributes.modified / 1000)
    })
})

const names = (calls: Calls, ways: Ways) => {
  const { at } = lookup(calls, ways)
  const within = <A>(call: string, folder: Folder, name: string, run: (path: string) => A) =>
    attempt(call, name, () => run(at(folder, name)))
  return {
    stat: (folder: Folder, name: string) => within("stat", folder, name, (path) => statFrom(calls.lstat(path))),
    writable: (folder: Folder, name: string) => within("access", folder, name, calls.mayWrite),
    rename: (from: Folder, fromName: string, to: Folder, toName: string) =>
      within("rename", from, fromName, (path) => calls.rename(path, at(to, toName))),
    link: (from: Folder, fromName: string, to: Folder, toName: string) =>
      within("link", from, fromName, (path) => calls.link(path, at(to, toName))),
    symlink: (text: string, folder: Folder, name: string) => within("symlink", folder, name, (path) => calls.symlink(text, path)),
    readLink: (folder: Folder, name: string) => within("readlink", folder, name, calls.readlink),
    unlink: (folder: Folder, name: string) => within("unlink", folder, name, calls.unlink),
    makeFolder: (folder: Folder, name: string, mode: number) => within("mkdir", folder, name, (path) => calls.mkdir(path, mode)),
    removeFolder: (folder: Folder, name: string) => within("rmdir", folder, name, calls.rmdir)
  }
}

export const makeDisk = (calls: Calls, ways: Ways): DiskPort =>
  Disk.of({ ...handles(calls, ways), ...contents(calls), ...names(calls, ways) })
