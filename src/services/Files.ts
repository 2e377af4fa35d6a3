import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { PathEscapes } from "./Jail.js"

/** All paths in results and messages are workspace-relative with POSIX separators; paths taken are as a model gave them. */

export class NoSuchFile extends Data.TaggedError("NoSuchFile")<{ readonly path: string }> {
  override get message() {
    return `No such file: ${this.path}`
  }
}
/** A folder, pipe, socket or device where a regular file is needed, or a file where a folder is. */
export class WrongKind extends Data.TaggedError("WrongKind")<{
  readonly path: string
  /** what it is, with article: "a folder", "a named pipe" */
  readonly is: string
  /** what to do instead, a sentence */
  readonly hint: string
}> {
  override get message() {
    return `${this.path} is ${this.is}. ${this.hint}`
  }
}
export class AlreadyExists extends Data.TaggedError("AlreadyExists")<{ readonly path: string }> {
  override get message() {
    return `${this.path} already exists and was left as it is. Nothing was changed. Choose another path, or edit that file.`
  }
}
export class BinaryFile extends Data.TaggedError("BinaryFile")<{ readonly path: string; readonly size: number }> {
  override get message() {
    return `${this.path} is a binary file (${this.size} bytes; it has a NUL byte in its first 8 KB) and is not shown.`
  }
}
/** Bytes that are no valid UTF-8 (nor UTF-16 with a BOM): readable with a note, never rewritten. */
export class ForeignEncoding extends Data.TaggedError("ForeignEncoding")<{
  readonly path: string
  readonly encoding: string
}> {
  override get message() {
    return `${this.path} is not valid UTF-8 (looks like ${this.encoding}), so an edit could destroy bytes. Nothing was changed. Convert it first, or edit it with a command.`
  }
}
/** More than is taken as a whole. */
export class TooLarge extends Data.TaggedError("TooLarge")<{
  readonly path: string
  /** bytes */
  readonly size: number
  readonly limit: number
}> {
  override get message() {
    return `${this.path} has ${this.size.toLocaleString("en-US")} bytes; at most ${this.limit.toLocaleString("en-US")} are taken as a whole. Nothing was changed. Read it in windows, or change it with a command.`
  }
}
/** New text with the literal that stands for a hidden value; written, it would replace the value itself. */
export class HiddenValue extends Data.TaggedError("HiddenValue")<{ readonly path: string }> {
  readonly refused = true
  override get message() {
    return `The new text for ${this.path} holds "[secret hidden]", which stands for a value that was hidden from you. Nothing was changed. Leave that part of the file as it is, or ask the user to write it.`
  }
}
/** Content that is denied on read: a secret. */
export class SecretFile extends Data.TaggedError("SecretFile")<{ readonly path: string }> {
  readonly refused = true
  override get message() {
    return `${this.path} is denied on read: it may hold secrets, which must not leave this machine. Ask the user for what you need from it.`
  }
}
/** A place that no tool may write: `.git` internals, shiro's own files. */
export class ProtectedPlace extends Data.TaggedError("ProtectedPlace")<{
  readonly path: string
  readonly why: string
}> {
  readonly refused = true
  override get message() {
    return `${this.path} is protected: ${this.why}. Nothing was changed.`
  }
}
/** `write_file` on a file that changed on disk since it was read or written here; said once per path and content. */
export class ChangedOnDisk extends Data.TaggedError("ChangedOnDisk")<{ readonly path: string }> {
  override get message() {
    return `${this.path} changed on disk since you last read it, so it was not overwritten. Read it again, then send the full content; sending this call again overwrites it.`
  }
}
/** The system said no: permissions, a full disk, too many links. */
export class FileTrouble extends Data.TaggedError("FileTrouble")<{
  readonly path: string
  /** what was tried, as "read", "write", "list" */
  readonly doing: string
  /** the system's code, as EACCES */
  readonly code: string
  /** what is still as it was, a sentence; empty for reads */
  readonly state: string
}> {
  override get message() {
    return [`Cannot ${this.doing} ${this.path}: ${this.code}.`, this.state].filter((part) => part !== "").join(" ")
  }
}
export type FileFault =
  | PathEscapes | NoSuchFile | WrongKind | AlreadyExists | BinaryFile | ForeignEncoding | SecretFile | ProtectedPlace
  | ChangedOnDisk | FileTrouble | TooLarge | HiddenValue

export type Kind = "file" | "folder" | "link" | "pipe" | "socket" | "device"
export interface Info {
  readonly path: string
  readonly kind: Kind
  /** bytes */
  readonly size: number
  /** milliseconds since 1970 */
  readonly modified: number
  /** permission bits */
  readonly mode: number
  readonly hardLinks: number
  /** `device:inode` */
  readonly identity: string
}

export type Encoding = "utf-8" | "utf-16le" | "utf-16be"
/** A whole text file, decoded; line endings as they are on disk, the BOM taken off and remembered. */
export interface TextFile {
  readonly path: string
  readonly text: string
  readonly encoding: Encoding
  readonly bom: boolean
  /** It differs from what was last read or written here (`false` when it never was). */
  readonly changedSinceSeen: boolean
}
/** Some lines of a file. `lines` are without their endings (`\n` or `\r\n`). */
export interface Window {
  readonly path: string
  readonly lines: ReadonlyArray<string>
  /** 1-based number of the first of `lines` */
  readonly first: number
  /** UTF-16 units that are missing at the ends of `lines` too long to be kept whole; 0 but for huge lines */
  readonly left: number
  /** lines follow after the last one given */
  readonly more: boolean
  /** number of lines in the whole file where it is known (the end was reached), else null */
  readonly total: number | null
  /** a sentence about the encoding where the bytes were no valid UTF-8, else null */
  readonly note: string | null
}

/** One step of a transaction. Content is text, to be encoded as the file was (`like`), or UTF-8 without BOM for a new file. */
export type Change = Data.TaggedEnum<{
  /** A new file; its folders are made. Never replaces anything. */
  Create: { readonly path: string; readonly text: string; readonly mode?: number }
  /** New content for a file that was read in this transaction; keeps encoding, BOM, mode unless given, owner, and a link's target. */
  Rewrite: { readonly like: TextFile; readonly text: string; readonly mode?: number }
  /** Removes a regular file or a link itself. */
  Remove: { readonly path: string }
  /** Renames a file or a link itself; its folders are made; the target must not exist. */
  Move: { readonly from: string; readonly to: string }
}>
export const Change = Data.taggedEnum<Change>()

/** What a plan sees: the files as they are while the locks on them are held. */
export interface Held {
  /** Refuses what `Files.read` refuses. */
  readonly read: (path: string) => Effect.Effect<TextFile, FileFault>
  readonly stat: (path: string) => Effect.Effect<Info, FileFault>
}
export interface Plan<A> {
  readonly changes: ReadonlyArray<Change>
  readonly value: A
}
export interface Done<A> {
  readonly value: A
  /** Sentences for the caller: had changed on disk, other hard links keep the old content, owner not kept. */
  readonly notes: ReadonlyArray<string>
}

/**
 * The workspace's files. Content of denied files never comes out of it; nothing outside the root is opened, whatever
 * links do meanwhile; every change is one journalled transaction.
 */
export class Files extends Context.Tag("shiro/Files")<Files, {
  /** A link is described itself, not its target. */
  readonly stat: (path: string) => Effect.Effect<Info, FileFault>
  /** A whole file as text. Refuses binaries, foreign encodings, and more than 64 MB. */
  readonly read: (path: string) => Effect.Effect<TextFile, FileFault>
  /** Like `read`, for a person who is asked: it does not count as seen. */
  readonly look: (path: string) => Effect.Effect<TextFile, FileFault>
  /** `limit` lines from line `offset` (1-based); reads no more than that needs. Foreign bytes come with a note. */
  readonly window: (path: string, window: { readonly offset: number; readonly limit: number }) => Effect.Effect<Window, FileFault>
  /** How many lines, counted as git and editors do: `\n` ends a line, an unterminated last one counts. */
  readonly countLines: (path: string) => Effect.Effect<number, FileFault>
  /** The content's bytes as they are, at most `limit` of them. */
  readonly bytes: (path: string, limit: number) => Effect.Effect<Uint8Array, FileFault>
  /**
   * Locks `paths` (against every other call, in this process and others), lets `plan` read them and say what to
   * change, then makes all of the changes or none. A plan without changes writes nothing.
   */
  readonly transact: <A, E, R>(
    paths: ReadonlyArray<string>,
    plan: (held: Held) => Effect.Effect<Plan<A>, E, R>
  ) => Effect.Effect<Done<A>, E | FileFault, R>
  /** `write_file`'s whole content: creates or rewrites, refusing once what changed on disk unseen. Gives the old text, null for a new file. */
  readonly overwrite: (path: string, text: string) => Effect.Effect<Done<{ readonly path: string; readonly old: string | null }>, FileFault>
}>() {}
