// These functions also run inside a worker thread, made from their source texts (`workerSource`): they may use nothing
// but each other, their arguments and globals.
import type * as NodeBuffer from "node:buffer"
import type * as NodeFs from "node:fs"

export interface RegExpParts {
  readonly source: string
  readonly flags: string
}
/** A pattern made ready. */
export interface Matcher {
  /** for text that is ASCII without carriage returns, which is nearly all text and can be matched faster */
  readonly plain: RegExpParts
  readonly full: RegExpParts
  /** Lines are matched one by one; else the whole text, which the expressions then allow for. */
  readonly byLine: boolean
  /** text that is in every line that matches, or null */
  readonly needle: string | null
}
export interface FoundLine {
  /** 1-based */
  readonly line: number
  /** the beginning of the line, more than is ever shown */
  readonly head: string
  /** UTF-16 units of the whole line, without its ending */
  readonly units: number
}
export interface Job {
  readonly root: string
  /** by code units */
  readonly paths: ReadonlyArray<string>
  readonly matcher: Matcher
  /** how many lines to find, then stop */
  readonly limit: number
  /** how many lines to find in one file */
  readonly perFile: number
  /** two numbers: one that counts up while the worker gets on, and the index of the path it is at */
  readonly progress: SharedArrayBuffer
}
/** What the worker tells, file by file, then once `end`. */
export type Told =
  | { readonly kind: "found"; readonly path: string; readonly lines: ReadonlyArray<FoundLine> }
  | { readonly kind: "unreadable"; readonly path: string; readonly code: string }
  /** `failure`: why the expression could not be run, which some show only then */
  | { readonly kind: "end"; readonly failure: string | null }

/** Length of the valid UTF-8 sequence at `at`, 0 where there is none. */
export function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next] ?? 0
    const lowest = next > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const highest = next > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    if (byte < lowest || byte > highest) return 0
  }
  return length
}

/** Text of bytes that are not all UTF-8: each wrong byte is a lone surrogate of its own, which no pattern's `.` matches. */
export function decodeForeign(bytes: Buffer): string {
  let text = ""
  let start = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    if (length === 0) {
      text += bytes.toString("utf8", start, at) + String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
      start = at + 1
    }
    at += length || 1
  }
  return text + bytes.toString("utf8", start)
}
/** A line as it is shown: wrong bytes as any decoder shows them. */
export function shownLine(line: string): string {
  if (!/[\uDC80-\uDCFF]/.test(line)) return line
  return Buffer.concat(
    line.split(/([\u{DC80}-\u{DCFF}])/u).map((part, n) => n % 2 === 1 ? Buffer.of(part.charCodeAt(0) - 0xdc00) : Buffer.from(part))
  ).toString("utf8")
}

/** How much is text, in the way ripgrep looks: by blocks that end at a line's end, and up to the block with a NUL in it. */
export function textLength(bytes: Buffer): number {
  const nul = bytes.indexOf(0)
  if (nul < 0) return bytes.length
  const block = 65_536
  let start = 0
  for (let size = block; nul >= start + size;) {
    const end = bytes.lastIndexOf(10, start + size - 1) + 1
    if (end > start) {
      start = end
      size = block
    } else size *= 2
  }
  return start
}

/** The text in it, whether it is of the plain kind, and whether it was cut at a NUL. */
export function decode(bytes: Buffer, { isAscii, isUtf8 }: Pick<typeof NodeBuffer, "isAscii" | "isUtf8">) {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (mark === 0xfffe || mark === 0xfeff) {
    return { text: new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes), plain: false, cut: false }
  }
  const body = mark === 0xefbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
  const content = body.subarray(0, textLength(body))
  const cut = content.length < body.length
  if (isAscii(content)) return { text: content.toString("latin1"), plain: !content.includes(13), cut }
  return { text: isUtf8(content) ? content.toString("utf8") : decodeForeign(content), plain: false, cut }
}

/** Lines of `text` that match, at most `limit`, the first of them numbered `first`. */
export function matchingLines(text: string, regex: RegExp, byLine: boolean, limit: number, first: number, tick: () => void): Array<FoundLine> {
  const found: Array<FoundLine> = []
  let number = first
  let counted = 0
  for (let from = 0; from < text.length && found.length < limit;) {
    let start = from
    let end = -1
    if (byLine) {
      end = text.indexOf("\n", from)
      if (end < 0) end = text.length
    } else {
      regex.lastIndex = from
      const match = regex.exec(text)
      if (match === null || (match.index >= text.length && text.endsWith("\n"))) break
      start = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1
      end = text.indexOf("\n", match.index)
      if (end < 0) end = text.length
      for (let next = text.indexOf("\n", counted); next >= 0 && next < start; next = text.indexOf("\n", next + 1)) number += 1
      counted = start
    }
    from = end + 1
    const line = text.slice(start, end > start && end < text.length && text[end - 1] === "\r" ? end - 1 : end)
    if (!byLine || regex.test(line)) found.push({ line: number, head: shownLine(line.slice(0, 600)), units: line.length })
    if (byLine) {
      number += 1
      if (number % 1000 === 0) tick()
    }
  }
  return found
}

/** What a file holds, in windows that end at a line's end. */
export function* windows(fs: typeof NodeFs, fd: number, size: number, room: number): Generator<{ readonly bytes: Buffer; readonly last: boolean }> {
  let position = 0
  let left = Buffer.alloc(0)
  for (let last = false; !last;) {
    const window = Buffer.allocUnsafe(left.length + Math.min(room, Math.max(size - position, 1)))
    left.copy(window)
    const count = fs.readSync(fd, window, left.length, window.length - left.length, position)
    position += count
    last = count === 0 || position >= size
    const bytes = window.subarray(0, left.length + count)
    // A line longer than some times the room is given in parts.
    const end = last || bytes.length > 4 * room ? bytes.length : bytes.lastIndexOf(10) + 1
    if (end > 0) yield { bytes: bytes.subarray(0, end), last }
    left = bytes.subarray(end)
  }
}

/** Finds lines in bytes whose first line has the number `first`; `cut` tells that a NUL ended the text. */
export function makeByteSearch(buffers: Pick<typeof NodeBuffer, "isAscii" | "isUtf8">, matcher: Matcher, tick: () => void) {
  const { byLine, full, needle, plain } = matcher
  const plainRegex = new RegExp(plain.source, plain.flags)
  const fullRegex = new RegExp(full.source, full.flags)
  return (bytes: Buffer, first: number, limit: number) => {
    const isWide = bytes.length > 1 && (bytes.readUInt16BE(0) === 0xfffe || bytes.readUInt16BE(0) === 0xfeff)
    if (needle !== null && !isWide && !bytes.includes(needle)) return { lines: [], cut: false }
    const { cut, plain: isPlain, text } = decode(bytes, buffers)
    return { cut, lines: matchingLines(text, isPlain ? plainRegex : fullRegex, byLine, limit, first, tick) }
  }
}

export function makeFileSearch(fs: typeof NodeFs, buffers: typeof NodeBuffer, matcher: Matcher, tick: () => void) {
  const search = makeByteSearch(buffers, matcher, tick)
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)
  const room = 32 * 1024 * 1024
  return (file: string, limit: number): Array<FoundLine> => {
    const fd = fs.openSync(file, flags)
    try {
      const facts = fs.fstatSync(fd)
      const found: Array<FoundLine> = []
      let first = 1
      for (const { bytes, last } of facts.isFile() ? windows(fs, fd, facts.size, room) : []) {
        tick()
        const { cut, lines } = search(bytes, first, limit - found.length)
        found.push(...lines)
        if (cut || last || found.length >= limit) break
        for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) first += 1
      }
      return found
    } finally {
      fs.closeSync(fd)
    }
  }
}

/** The worker's whole work. */
export function runJob(fs: typeof NodeFs, buffers: typeof NodeBuffer, job: Job, tell: (told: Told) => void) {
  const progress = new Int32Array(job.progress)
  const search = makeFileSearch(fs, buffers, job.matcher, () => Atomics.add(progress, 0, 1))
  let room = job.limit
  for (let at = 0; at < job.paths.length && room > 0; at++) {
    const path = job.paths[at] ?? ""
    Atomics.store(progress, 1, at)
    Atomics.add(progress, 0, 1)
    try {
      const lines = search(`${job.root}/${path}`, Math.min(room, job.perFile))
      room -= lines.length
      if (lines.length > 0) tell({ kind: "found", path, lines })
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) {
        tell({ kind: "end", failure: error.message })
        return
      }
      const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "EIO"
      // Links are not followed, and what is gone by now is not there to be searched.
      if (code !== "ELOOP" && code !== "ENOENT") tell({ kind: "unreadable", path, code })
    }
  }
  tell({ kind: "end", failure: null })
}

const parts = [sequenceLength, decodeForeign, shownLine, textLength, decode, matchingLines, windows, makeByteSearch, makeFileSearch, runJob]

/** The worker's script. The first line is for builds that keep functions' names with a helper of that name. */
export const workerSource = () => `
const __name = (value) => value
${parts.map(String).join("\n")}
const threads = require("node:worker_threads");
(${runJob.name})(require("node:fs"), require("node:buffer"), threads.workerData, (told) => threads.parentPort.postMessage(told))
`
