/** Bytes of a line that are kept; `lineCap` units have at most three bytes each. */
const headBytes = 1600

/** What is told of ripgrep's output while it comes. */
export interface Receiver {
  /** A file's hits begin; whether they are wanted. */
  readonly file: (path: string) => boolean
  /** A hit in that file: the line's beginning and the UTF-16 units of the whole. */
  readonly hit: (line: number, head: string, units: number) => void
}

const unitsIn = (bytes: Buffer): number => {
  let units = 0
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  return units
}

/** Said of a file in which a NUL comes after the hits; it stands before the next path. */
const remark = /^(?:.*: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n)+/s

/**
 * Reads `path NUL line : text LF` over and over, in pieces of any size, without ever holding more than the beginning of
 * a line. Names may hold newlines and colons, texts anything but a newline.
 */
export const makeRecords = (receiver: Receiver) => {
  let state: "path" | "number" | "text" = "path"
  let pieces: Array<Buffer> = []
  let path: Buffer | null = null
  let wanted = false
  let line = 0
  let kept = 0
  let units = 0
  let last = 0

  const endPath = (piece: Buffer) => {
    const whole = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece])
    pieces = []
    if (path !== null && whole.equals(path)) return
    const text = whole.toString("utf8")
    const bare = text.includes("\n") ? text.replace(remark, "") : text
    path = Buffer.from(bare.length === text.length ? whole : bare)
    wanted = receiver.file(bare.replace(/^\.\//, ""))
  }
  const keep = (piece: Buffer) => {
    if (!wanted || piece.length === 0) return
    const room = headBytes - kept
    if (room > 0) pieces.push(piece.length <= room ? piece : piece.subarray(0, room))
    if (piece.length > room) units += unitsIn(room > 0 ? piece.subarray(room) : piece)
    kept += piece.length
    last = piece[piece.length - 1] ?? 0
  }
  const endLine = () => {
    if (wanted) {
      const whole = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
      const isWhole = kept <= headBytes
      const head = whole.toString("utf8", 0, isWhole && last === 13 ? whole.length - 1 : whole.length)
      receiver.hit(line, head, isWhole ? head.length : unitsIn(whole) + units - (last === 13 ? 1 : 0))
    }
    pieces = []
    kept = 0
    units = 0
    last = 0
  }
  return (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length;) {
      if (state === "path") {
        const end = chunk.indexOf(0, at)
        if (end < 0) {
          pieces.push(chunk.subarray(at))
          return
        }
        endPath(chunk.subarray(at, end))
        at = end + 1
        line = 0
        state = "number"
      } else if (state === "number") {
        const byte = chunk[at++] ?? 0
        if (byte === 58) state = "text"
        else line = line * 10 + byte - 48
      } else {
        const end = chunk.indexOf(10, at)
        keep(chunk.subarray(at, end < 0 ? chunk.length : end))
        if (end < 0) return
        endLine()
        at = end + 1
        state = "path"
      }
    }
  }
}
