import type { EntryKind } from "../Disk.js"

export interface Named {
  readonly name: string
  readonly kind: EntryKind
}
export interface Facts {
  readonly kind: EntryKind
  readonly size: number
  readonly modified: number
}

/**
 * The little that walking needs of a file system. Plain functions, as a walk asks tens of thousands of times; nothing
 * throws. Paths are absolute.
 */
export interface Listing {
  /** A folder's entries in no order, as a new array, or the system's code where it cannot be listed. No part of the path may be a link. */
  readonly list: (folder: string) => Array<Named> | string
  /** What a regular file holds, as UTF-8; null for everything else. */
  readonly text: (file: string) => string | null
  /** null where there is nothing; `follow` describes what a link leads to */
  readonly stat: (path: string, follow: boolean) => Facts | null
}
