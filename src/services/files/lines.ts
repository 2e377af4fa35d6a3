/** How a file's lines are told apart: the bytes of `\n` in its encoding. */
export type Unit = "byte" | "little" | "big"

/** Bytes kept of one line, and of all lines of a window; a result has room for far less. */
export const lineBytes = 65_536
export const windowBytes = 4_194_304

/** How many bytes of a block are `\n`. Four at a time: a block of a large file is mostly not newlines. */
const countBytes = (block: Uint8Array): number => {
  const aligned = block.byteOffset % 4 === 0 ? block.length >> 2 : 0
  const words = new Int32Array(block.buffer, aligned === 0 ? 0 : block.byteOffset, aligned)
  let count = 0
  for (let index = 0; index < aligned; index += 1) {
    // A byte that is 10 becomes 0; then exactly the zero bytes have their top bit set in `marks`.
    const word = (words[index] ?? 0) ^ 0x0a0a0a0a
    const marks = ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080
    if (marks !== 0) count += Math.imul(marks >>> 7, 0x01010101) >>> 24
  }
  for (let index = aligned * 4; index < block.length; index += 1) if (block[index] === 10) count += 1
  return count
}
const indexOfUnit = (block: Uint8Array, from: number, unit: "little" | "big"): number => {
  const high = unit === "big" ? 0 : 1
  for (let at = from; at + 1 < block.length; at += 2) {
    if (block[at + 1 - high] === 10 && block[at + high] === 0) return at
  }
  return -1
}
const indexOfNewline = (block: Uint8Array, from: number, unit: Unit) =>
  unit === "byte" ? block.indexOf(10, from) : indexOfUnit(block, from, unit)

export const countNewlines = (block: Uint8Array, unit: Unit): number => {
  if (unit === "byte") return countBytes(block)
  let count = 0
  for (let at = indexOfUnit(block, 0, unit); at !== -1; at = indexOfUnit(block, at + 2, unit)) count += 1
  return count
}

/** UTF-16 units that bytes come to as text. */
const unitsIn = (bytes: Uint8Array, unit: Unit): number => {
  if (unit !== "byte") return bytes.length >> 1
  let count = 0
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1
  return count
}

/** Takes a file block by block and keeps the lines of a window. */
export const collectLines = (window: { readonly offset: number; readonly limit: number }, unit: Unit) => {
  const lines: Array<Uint8Array> = []
  const width = unit === "byte" ? 1 : 2
  let pieces: Array<Uint8Array> = []
  let pieceBytes = 0
  let keptBytes = 0
  let left = 0
  /** lines that ended before the current position */
  let ended = 0
  /** bytes of the current line so far, kept or not */
  let current = 0
  const isFull = () => lines.length >= window.limit || keptBytes >= windowBytes

  const keep = (piece: Uint8Array) => {
    let room = lineBytes - pieceBytes
    const isCut = piece.length > room
    while (isCut && unit === "byte" && room > 0 && ((piece[room] ?? 0) & 0xc0) === 0x80) room -= 1
    // A copy, because the block is read into again.
    if (room > 0 && piece.length > 0) pieces.push(piece.slice(0, room))
    pieceBytes = isCut ? lineBytes : pieceBytes + piece.length
    if (isCut && !isFull()) left += unitsIn(piece.subarray(room), unit)
  }
  const endLine = () => {
    if (ended + 1 >= window.offset && !isFull()) {
      lines.push(Buffer.concat(pieces))
      keptBytes += pieceBytes
    }
    pieces = []
    pieceBytes = 0
    current = 0
    ended += 1
  }
  /** Whole blocks before the window are only counted. */
  const skip = (block: Uint8Array): boolean => {
    if (ended + 1 >= window.offset) return false
    const count = countNewlines(block, unit)
    if (ended + count + 1 >= window.offset) return false
    ended += count
    const last = unit === "byte" ? block.lastIndexOf(10) : count === 0 ? -1 : lastUnit(block, unit)
    current = last === -1 ? current + block.length : block.length - last - width
    return true
  }

  return {
    /** Gives whether the window is complete and it is known whether more follows. */
    take: (block: Uint8Array): boolean => {
      if (skip(block)) return false
      for (let at = 0; at < block.length;) {
        if (isFull()) return true
        const end = indexOfNewline(block, at, unit)
        const stop = end === -1 ? block.length : end
        if (ended + 1 >= window.offset) keep(block.subarray(at, stop))
        current += stop - at
        if (end === -1) return false
        endLine()
        at = end + width
      }
      return false
    },
    /** At the end of the file: an unterminated last line counts. Gives the number of lines. */
    finish: (): number => {
      if (current > 0) endLine()
      return ended
    },
    lines,
    /** UTF-16 units of kept lines that there was no room for. */
    left: () => left
  }
}

const lastUnit = (block: Uint8Array, unit: "little" | "big"): number => {
  for (let at = block.length - 2; at >= 0; at -= 2) if (indexOfUnit(block.subarray(at, at + 2), 0, unit) === 0) return at
  return -1
}
