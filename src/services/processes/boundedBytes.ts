import type { Captured } from "../Processes.js"

/** How many bytes at the end of `bytes` are the beginning of a character that is cut off. */
const cutAtEnd = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
/** How many bytes at the start are the rest of a character that is cut off. */
const cutAtStart = (bytes: Buffer): number => {
  let count = 0
  while (count < Math.min(4, bytes.length) && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++
  return count === 4 ? 0 : count
}

/** A buffer that grows by doubling, to `limit` bytes; gives how many of a chunk's bytes found room. */
const growing = (limit: number) => {
  let buffer = Buffer.alloc(0)
  let size = 0
  return {
    push: (chunk: Buffer): number => {
      const taken = Math.min(chunk.length, limit - size)
      if (size + taken > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(size + taken, buffer.length * 2)))
        buffer.copy(larger, 0, 0, size)
        buffer = larger
      }
      chunk.copy(buffer, size, 0, taken)
      size += taken
      return taken
    },
    bytes: () => buffer.subarray(0, size)
  }
}

/** The last `limit` bytes of all that was pushed. */
const trailing = (limit: number) => {
  let buffer = Buffer.alloc(0)
  let size = 0
  return {
    push: (chunk: Buffer): void => {
      if (buffer.length === 0) buffer = Buffer.allocUnsafe(limit * 2)
      const part = chunk.length > limit ? chunk.subarray(chunk.length - limit) : chunk
      if (size + part.length > buffer.length) {
        const kept = Math.max(0, limit - part.length)
        buffer.copyWithin(0, size - kept, size)
        size = kept
      }
      part.copy(buffer, size)
      size += part.length
    },
    bytes: () => buffer.subarray(Math.max(0, size - limit), size)
  }
}

/** One pipe's bytes: the first `keepHead` and the last `keepTail`, whatever comes between only counted. */
export const boundedBytes = (keepHead: number, keepTail: number) => {
  const head = growing(keepHead)
  const tail = trailing(keepTail)
  let total = 0
  return {
    total: () => total,
    push: (chunk: Buffer): void => {
      total += chunk.length
      const taken = head.push(chunk)
      if (taken < chunk.length && keepTail > 0) tail.push(chunk.subarray(taken))
    },
    /** Decoded; where something was dropped, no character is shown by halves. */
    captured: (): Captured => {
      const [first, last] = [head.bytes(), tail.bytes()]
      if (first.length + last.length === total) {
        return { head: Buffer.concat([first, last]).toString("utf8"), tail: "", dropped: 0 }
      }
      const whole = first.subarray(0, first.length - cutAtEnd(first))
      const rest = last.subarray(cutAtStart(last))
      return { head: whole.toString("utf8"), tail: rest.toString("utf8"), dropped: total - whole.length - rest.length }
    }
  }
}
