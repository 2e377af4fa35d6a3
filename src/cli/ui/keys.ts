/** One thing the user did on the keyboard. */
export type Key =
  | { readonly key: "text" | "paste"; readonly text: string }
  | { readonly key: KeyName }
export type KeyName =
  | "enter" | "newline" | "escape" | "tab" | "shift-tab" | "backspace" | "delete" | "left" | "right" | "up" | "down" | "home" | "end" | "page-up" | "page-down"
  | "word-left" | "word-right" | "kill-word" | `ctrl-${string}`

const sequences: Readonly<Record<string, KeyName>> = {
  "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
  "\x1b[H": "home", "\x1b[F": "end", "\x1bOH": "home", "\x1bOF": "end", "\x1b[1~": "home", "\x1b[4~": "end", "\x1b[3~": "delete", "\x1b[Z": "shift-tab", "\x1b[5~": "page-up", "\x1b[6~": "page-down",
  "\x1b[1;5D": "word-left", "\x1b[1;5C": "word-right", "\x1b[1;3D": "word-left", "\x1b[1;3C": "word-right", "\x1bb": "word-left", "\x1bf": "word-right",
  "\x1b\x7f": "kill-word", "\x1b\r": "newline", "\x1b[13;2u": "newline"
}
const controls: Readonly<Record<string, KeyName>> = { "\r": "enter", "\n": "newline", "\t": "tab", "\x7f": "backspace", "\x08": "backspace" }
const pasteBegin = "\x1b[200~"
const pasteEnd = "\x1b[201~"

const sequenceAt = (text: string): string | null => {
  const known = Object.keys(sequences).find((each) => text.startsWith(each))
  return known ?? /^\x1b\[[0-9;?]*[ -/]*[@-~]|^\x1bO./.exec(text)?.[0] ?? null
}

/**
 * Reads what a terminal in raw mode sends. A paste (bracketed, or a burst with line ends in it) comes as one piece,
 * however many reads it took.
 */
export const makeKeyReader = () => {
  let pasting: string | null = null
  const plain = (text: string): ReadonlyArray<Key> => {
    const keys: Array<Key> = []
    let run = ""
    const endRun = () => {
      if (run !== "") keys.push({ key: "text", text: run })
      run = ""
    }
    for (let at = 0; at < text.length;) {
      const rest = text.slice(at)
      const char = rest.charAt(0)
      if (char === "\x1b") {
        endRun()
        const sequence = sequenceAt(rest)
        const name = sequence === null ? "escape" : sequences[sequence]
        if (name !== undefined) keys.push({ key: name })
        at += sequence?.length ?? 1
      } else if (char < " " || char === "\x7f") {
        endRun()
        keys.push({ key: controls[char] ?? `ctrl-${String.fromCharCode(char.charCodeAt(0) + 96)}` })
        at += 1
      } else {
        run += char
        at += 1
      }
    }
    endRun()
    return keys
  }
  const read = (chunk: string): ReadonlyArray<Key> => {
    if (pasting !== null) {
      const whole: string = pasting + chunk
      const stop = whole.indexOf(pasteEnd)
      if (stop === -1) {
        pasting = whole
        return []
      }
      pasting = null
      return [{ key: "paste", text: whole.slice(0, stop) }, ...read(whole.slice(stop + pasteEnd.length))]
    }
    const start = chunk.indexOf(pasteBegin)
    if (start !== -1) {
      const typed = plain(chunk.slice(0, start))
      pasting = ""
      return [...typed, ...read(chunk.slice(start + pasteBegin.length))]
    }
    // A terminal without bracketed paste sends it as one burst.
    if (chunk.length > 2 && /[^\r\n\x1b][\r\n]+[^\r\n]/.test(chunk) && !chunk.includes("\x1b")) return [{ key: "paste", text: chunk }]
    return chunk === "" ? [] : plain(chunk)
  }
  return read
}
