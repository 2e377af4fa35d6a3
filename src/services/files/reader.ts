import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isUtf8 } from "node:buffer"
import type { DiskFault, DiskPort, DiskStat, OpenFile } from "../Disk.js"
import type { Spot, Walk } from "../disk/walk.js"
import type { FileFault, Window } from "../Files.js"
import { BinaryFile, NoSuchFile, SecretFile, TooLarge } from "../Files.js"
import type { Jail } from "../Jail.js"
import type { Secrets } from "../Secrets.js"
import { guessForeign, looksBinary, markOf } from "./encoding.js"
import { faultOf, wrongKind } from "./faults.js"
import type { Unit } from "./lines.js"
import { collectLines, countNewlines, lineBytes } from "./lines.js"
import type { Sight } from "./seen.js"

export interface Reads {
  readonly disk: DiskPort
  readonly walk: Walk
  readonly jail: Context.Tag.Service<Jail>
  readonly secrets: Context.Tag.Service<Secrets>
}
/** A regular file, open for reading. */
export interface Opened {
  /** as the model knows it */
  readonly path: string
  readonly spot: Spot
  readonly stat: DiskStat
  readonly file: OpenFile
}

/** Bytes of a file that is taken as a whole. */
export const wholeFile = 67_108_864
const firstBlock = 65_536
const laterBlock = 1_048_576

export const inWords = (path: string, doing: string, state = "") =>
  <A, R>(effect: Effect.Effect<A, DiskFault | FileFault, R>): Effect.Effect<A, FileFault, R> =>
    Effect.mapError(effect, (fault) => fault._tag === "DiskFault" ? faultOf(path, doing, state)(fault) : fault)

/** Whether content is denied, by the name that was asked for and the one that it really has. */
export const deniedByName = ({ secrets }: Reads, path: string, spot: Spot) =>
  secrets.deniedName(path) || secrets.deniedName(spot.path)

/** Opens a file for its content; refuses denied ones and anything but regular files. */
export const openContent = Effect.fnUntraced(function*(reads: Reads, given: string) {
  const path = yield* reads.jail.relative(given)
  return yield* Effect.gen(function*() {
    const spot = yield* reads.walk.to(given, true)
    if (deniedByName(reads, path, spot)) return yield* new SecretFile({ path })
    if (spot.stat === null) return yield* new NoSuchFile({ path })
    if (spot.stat.kind !== "file") return yield* wrongKind(path, spot.stat.kind, "read")
    const file = yield* reads.walk.open(spot, given)
    const opened: Opened = { path, spot, stat: yield* reads.disk.statOf(file), file }
    return opened
  }).pipe(inWords(path, "read"))
})

/** Known by its inode, a denied file stays denied under any other name. Asked after reading, as the answer may take a while. */
export const refuseDenied = Effect.fnUntraced(function*({ secrets }: Reads, opened: Opened) {
  if (yield* secrets.deniedIdentity(opened.stat.identity)) return yield* new SecretFile({ path: opened.path })
})

/** At most `limit` bytes from the start. Takes no more memory than a file of `size` bytes needs, unless it has grown since. */
const readUpTo = Effect.fnUntraced(function*(disk: DiskPort, file: OpenFile, limit: number, size = limit) {
  let bytes = new Uint8Array(Math.min(limit, size + 1))
  let length = 0
  while (length < limit) {
    if (length === bytes.length) {
      const larger = new Uint8Array(limit)
      larger.set(bytes)
      bytes = larger
    }
    const count = yield* disk.read(file, bytes.subarray(length), length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
})

/** All bytes, as they were at one moment: read again while somebody writes. */
export const readWhole = Effect.fnUntraced(function*(reads: Reads, opened: Opened) {
  let stat = opened.stat
  for (let tries = 1; ; tries += 1) {
    if (stat.size > wholeFile) return yield* new TooLarge({ path: opened.path, size: stat.size, limit: wholeFile })
    const bytes = yield* readUpTo(reads.disk, opened.file, stat.size)
    const after = yield* reads.disk.statOf(opened.file)
    if (after.stamp === stat.stamp || tries === 3) return { bytes, stamp: after.stamp }
    stat = after
  }
})

const openBytes = Effect.fnUntraced(function*(reads: Reads, given: string, limit: number) {
  const opened = yield* openContent(reads, given)
  const bytes = yield* readUpTo(reads.disk, opened.file, Math.min(limit, opened.stat.size)).pipe(inWords(opened.path, "read"))
  yield* refuseDenied(reads, opened)
  return bytes
})
export const bytesOf = (reads: Reads, given: string, limit: number) => Effect.scoped(openBytes(reads, given, limit))

/** The file block by block, `head` first and without its mark, until `take` has enough; gives whether the end was reached. */
const eachBlock = Effect.fnUntraced(function*(
  reads: Reads,
  opened: Opened,
  { head, mark }: { readonly head: Uint8Array; readonly mark: number },
  take: (block: Uint8Array) => boolean
) {
  if (take(head.subarray(mark))) return false
  if (head.length < firstBlock) return true
  const block = new Uint8Array(laterBlock)
  for (let position = head.length;;) {
    const count = yield* reads.disk.read(opened.file, block, position)
    if (count === 0) return true
    // A short read must not cut a two-byte unit.
    const whole = count > 1 ? count - (count % 2) : count
    if (take(block.subarray(0, whole))) return false
    position += whole
  }
})

const firstOf = Effect.fnUntraced(function*(reads: Reads, opened: Opened) {
  const head = yield* readUpTo(reads.disk, opened.file, firstBlock, opened.stat.size)
  if (looksBinary(head)) return yield* new BinaryFile({ path: opened.path, size: opened.stat.size })
  const mark = markOf(head)
  const unit: Unit = mark?.encoding === "utf-16le" ? "little" : mark?.encoding === "utf-16be" ? "big" : "byte"
  return { head, unit, mark: mark?.length ?? 0 }
})

const countIn = Effect.fnUntraced(function*(reads: Reads, given: string) {
  const opened = yield* openContent(reads, given)
  return yield* Effect.gen(function*() {
    const first = yield* firstOf(reads, opened)
    const { unit } = first
    let count = 0
    let tail: Uint8Array = new Uint8Array(0)
    yield* eachBlock(reads, opened, first, (block) => {
      count += countNewlines(block, unit)
      tail = block.slice(-2)
      return false
    })
    yield* refuseDenied(reads, opened)
    const isEnded = tail.length === 0 || countNewlines(unit === "byte" ? tail.slice(-1) : tail, unit) === 1
    return isEnded ? count : count + 1
  }).pipe(inWords(opened.path, "read"))
})
export const countLines = (reads: Reads, given: string) => Effect.scoped(countIn(reads, given))

/** Without an unfinished character at the end, which the cap on a line's length can leave. */
const wholeCharacters = (line: Uint8Array): Uint8Array => {
  let end = line.length
  while (end > 0 && end > line.length - 4 && ((line[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  const lead = line[end - 1] ?? 0
  const needs = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return end > 0 && needs > line.length - end + 1 ? line.subarray(0, end - 1) : line
}

const inText = (lines: ReadonlyArray<Uint8Array>, unit: Unit) => {
  const strip = (line: string) => line.endsWith("\r") ? line.slice(0, -1) : line
  if (unit !== "byte") {
    const decoder = new TextDecoder(unit === "little" ? "utf-16le" : "utf-16be", { ignoreBOM: true })
    return { lines: lines.map((line) => strip(decoder.decode(line))), note: null }
  }
  const whole = lines.map((line) => line.length >= lineBytes ? wholeCharacters(line) : line)
  const all = Buffer.concat(whole.flatMap((line) => [line, Buffer.from("\n")]))
  if (isUtf8(all)) return { lines: whole.map((line) => strip(Buffer.from(line).toString("utf8"))), note: null }
  const { name, decoder } = guessForeign(all)
  const lenient = new TextDecoder(decoder, { ignoreBOM: true })
  return {
    lines: whole.map((line) => strip(lenient.decode(line))),
    note: `This file is not valid UTF-8 (looks like ${name}); it is shown as such and cannot be edited here.`
  }
}

const windowIn = Effect.fnUntraced(function*(
  reads: Reads,
  given: string,
  window: { readonly offset: number; readonly limit: number }
) {
  const opened = yield* openContent(reads, given)
  return yield* Effect.gen(function*() {
    const first = yield* firstOf(reads, opened)
    const collected = collectLines(window, first.unit)
    const reachedEnd = yield* eachBlock(reads, opened, first, collected.take)
    const total = reachedEnd ? collected.finish() : null
    yield* refuseDenied(reads, opened)
    const shown: Window = {
      path: opened.path,
      ...inText(collected.lines, first.unit),
      first: window.offset,
      left: collected.left(),
      more: total === null || window.offset + collected.lines.length <= total,
      total
    }
    const sight: Sight = { stamp: opened.stat.stamp, hash: null }
    return { ...shown, at: opened.spot.path, sight }
  }).pipe(inWords(opened.path, "read"))
})
/** Some lines, with where the file really is and what it was. */
export const windowOf = (reads: Reads, given: string, window: { readonly offset: number; readonly limit: number }) =>
  Effect.scoped(windowIn(reads, given, window))
