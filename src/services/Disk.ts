import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The system said no to one call. */
export class DiskFault extends Data.TaggedError("DiskFault")<{
  /** the system's code, as ENOENT */
  readonly code: string
  /** the call, as "open" */
  readonly call: string
  readonly name: string
}> {
  override get message() {
    return `${this.call} ${this.name}: ${this.code}`
  }
}

export type EntryKind = "file" | "folder" | "link" | "pipe" | "socket" | "device"
export interface DiskStat {
  readonly kind: EntryKind
  /** bytes */
  readonly size: number
  /** milliseconds since 1970 */
  readonly modified: number
  /** permission bits */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly hardLinks: number
  /** `device:inode` */
  readonly identity: string
  /** Changes whenever the content does, and when another file takes the name: identity, size, time in nanoseconds. */
  readonly stamp: string
}

/**
 * An open folder. Where the system lets names be looked up below a descriptor, `fd` is one and `path` only tells; else
 * it is null and `identity` tells whether the path still leads to the same folder.
 */
export type Folder =
  | { readonly fd: number; readonly path: string }
  | { readonly fd: null; readonly path: string; readonly identity: string }
export interface OpenFile {
  readonly fd: number
}
export interface Attributes {
  readonly mode?: number
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** milliseconds since 1970 */
  readonly modified?: number
}

type Io<A> = Effect.Effect<A, DiskFault>
type Held<A> = Effect.Effect<A, DiskFault, Scope.Scope>

/**
 * The file system by descriptor: one name below one open folder at a time, links never followed. What is opened is
 * closed with the scope. `walk.ts` beside the layers builds paths on it.
 */
export class Disk extends Context.Tag("shiro/Disk")<Disk, {
  /** The real path of something that exists. */
  readonly realPath: (path: string) => Io<string>
  /** Opens a folder by absolute path; only for paths that are trusted (the root, shiro's home), as their parents may be links. */
  readonly root: (path: string) => Held<Folder>
  /** Makes such a folder and its parents where they are missing, for this user only. */
  readonly makeRoot: (path: string) => Io<void>
  readonly folder: (parent: Folder, name: string) => Held<Folder>
  /** For reading; never waits, so that a pipe does not hang. */
  readonly open: (folder: Folder, name: string) => Held<OpenFile>
  /** A new file for writing; the name must be free. */
  readonly create: (folder: Folder, name: string, mode: number) => Held<OpenFile>
  /** Where an open file or folder lies now as the system sees it; null where it cannot tell. */
  readonly where: (open: OpenFile | Folder) => Io<string | null>
  readonly statOf: (open: OpenFile | Folder) => Io<DiskStat>
  readonly stat: (folder: Folder, name: string) => Io<DiskStat>
  /** Names and kinds of a folder's entries, in no order. */
  readonly list: (folder: Folder) => Io<ReadonlyArray<{ readonly name: string; readonly kind: EntryKind }>>
  /** Fills `into` from `position` on; gives how many bytes, 0 at the end. */
  readonly read: (open: OpenFile, into: Uint8Array, position: number) => Io<number>
  /** All of the bytes, from `position` on. */
  readonly write: (open: OpenFile, bytes: Uint8Array, position: number) => Io<void>
  /** Until it is on the disk itself: a file's content, a folder's names. */
  readonly flush: (open: OpenFile | Folder) => Io<void>
  /** Whether this user may write to the open file in place. */
  readonly writable: (folder: Folder, name: string) => Io<boolean>
  readonly setAttributes: (open: OpenFile, attributes: Attributes) => Io<void>
  /** Replaces `toName`. */
  readonly rename: (from: Folder, fromName: string, to: Folder, toName: string) => Io<void>
  /** A second name for a regular file; the name must be free. */
  readonly link: (from: Folder, fromName: string, to: Folder, toName: string) => Io<void>
  /** A symbolic link; the name must be free. */
  readonly symlink: (text: string, folder: Folder, name: string) => Io<void>
  readonly readLink: (folder: Folder, name: string) => Io<string>
  readonly unlink: (folder: Folder, name: string) => Io<void>
  readonly makeFolder: (folder: Folder, name: string, mode: number) => Io<void>
  /** Removes an empty folder. */
  readonly removeFolder: (folder: Folder, name: string) => Io<void>
}>() {}
export type DiskPort = Context.Tag.Service<Disk>
