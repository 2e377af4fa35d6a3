import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { SessionRecord as Record } from "../Sessions.js"
import { SessionRecord } from "../Sessions.js"

const decodeLine = Schema.decodeUnknownEither(Schema.parseJson(SessionRecord))
const newline = 10

/** A session's file as read: its records, and how many bytes of it are whole lines. */
export interface Parsed {
  readonly records: ReadonlyArray<Record>
  readonly whole: number
  /** the last line is a record that only lacks its newline */
  readonly unended: boolean
}

/**
 * Lines that are no records are left out; a last line without its newline counts only if it is whole, since a crash
 * leaves at most that one behind.
 */
export const parseSession = (bytes: Uint8Array): Parsed => {
  const records: Array<Record> = []
  const decoder = new TextDecoder()
  let from = 0
  while (from < bytes.length) {
    const end = bytes.indexOf(newline, from)
    const line = decoder.decode(bytes.subarray(from, end === -1 ? bytes.length : end))
    const record = decodeLine(line)
    if (Either.isRight(record)) records.push(record.right)
    if (end === -1) return { records, whole: Either.isRight(record) ? bytes.length : from, unended: Either.isRight(record) }
    from = end + 1
  }
  return { records, whole: bytes.length, unended: false }
}

export const lineOf = (record: Record): string => `${JSON.stringify(record)}\n`
