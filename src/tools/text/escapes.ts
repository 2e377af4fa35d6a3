// ESC [ and CSI; strings (OSC, DCS, SOS, PM, APC) up to their end, which must be there: an unfinished one must not swallow
// what follows; other escapes of two and more bytes; ESC alone.
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]|\x1b/g

/** What a terminal acts on. Tab, newline, vertical tab, form feed and NEL are text. */
const controls = /[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f]/g

/**
 * Takes terminal escape sequences and control characters out. A model never sees a carriage return: before a newline it
 * goes, elsewhere it becomes a space.
 */
export const withoutEscapes = (text: string): string =>
  text.replace(/\r+\n/g, "\n").replace(sequences, "").replace(/\r/g, " ").replace(controls, "")

/** A sequence that has begun and not ended. */
const unfinished = /^(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]*\x1b?|[ -/]*)|\x9b[0-?]*[ -/]*|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]*\x1b?|\r+)$/
/** Where a sequence may begin. */
const introducers = /[\x1b\x9b\x90\x98\x9d-\x9f]|\r+$/g
/** Longest sequence that is waited for. */
const longest = 8192

const heldFrom = (text: string): number => {
  const from = Math.max(0, text.length - longest)
  for (const { index } of text.slice(from).matchAll(introducers)) if (unfinished.test(text.slice(from + index))) return from + index
  return text.length
}

/** `withoutEscapes` for text that comes by pieces: a sequence cut by the border of two pieces is waited for. */
export const escapeStream = () => {
  let held = ""
  return {
    push: (piece: string): string => {
      const text = held + piece
      const at = heldFrom(text)
      held = text.slice(at)
      return withoutEscapes(text.slice(0, at))
    },
    end: (): string => {
      const rest = held
      held = ""
      return withoutEscapes(rest)
    }
  }
}
