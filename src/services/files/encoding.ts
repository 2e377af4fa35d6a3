import { isUtf8 } from "node:buffer"
import type { Encoding } from "../Files.js"

export type Decoded =
  | { readonly is: "text"; readonly text: string; readonly encoding: Encoding; readonly bom: boolean }
  | { readonly is: "binary" }
  /** `encoding`: the best guess, in words */
  | { readonly is: "foreign"; readonly encoding: string }

/** A NUL this early means no text (tools.md, read_file). */
const headBytes = 8192

/** What a byte order mark at the start says, null without one. UTF-32 begins like UTF-16, but is none. */
export const markOf = (bytes: Uint8Array): { readonly encoding: Encoding | "utf-32"; readonly length: number } | null => {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", length: 3 }
  if (a === 0xff && b === 0xfe) {
    return c === 0 && d === 0 && bytes.length >= 4 ? { encoding: "utf-32", length: 4 } : { encoding: "utf-16le", length: 2 }
  }
  return a === 0xfe && b === 0xff ? { encoding: "utf-16be", length: 2 } : null
}

export const looksBinary = (head: Uint8Array): boolean => {
  const mark = markOf(head)
  if (mark !== null && mark.encoding !== "utf-8") return false
  return head.subarray(0, headBytes).includes(0)
}

const strictly = (encoding: "utf-16le" | "utf-16be", bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The bytes of UTF-8 that is well formed but for some bytes; Japanese in Shift_JIS; else the West's single bytes. */
export const guessForeign = (bytes: Uint8Array): { readonly name: string; readonly decoder: string } => {
  const lenient = new TextDecoder("utf-8").decode(bytes)
  const broken = lenient.split("\uFFFD").length - 1
  const whole = (lenient.match(/[^\x00-\x7f\uFFFD]/gu) ?? []).length
  if (whole > broken) return { name: `UTF-8 with ${broken} broken ${broken === 1 ? "place" : "places"}`, decoder: "utf-8" }
  if (readsAsJapanese(bytes)) return { name: "Shift_JIS", decoder: "shift_jis" }
  return bytes.some((byte) => byte >= 0x80 && byte < 0xa0)
    ? { name: "Windows-1252", decoder: "windows-1252" }
    : { name: "ISO-8859-1 (Latin-1)", decoder: "windows-1252" }
}

const readsAsJapanese = (bytes: Uint8Array): boolean => {
  try {
    const text = new TextDecoder("shift_jis", { fatal: true }).decode(bytes)
    const kana = (text.match(/[\u3041-\u30fe]/g) ?? []).length
    const high = (text.match(/[^\x00-\x7f]/g) ?? []).length
    return kana * 4 >= high
  } catch {
    return false
  }
}

export const decode = (bytes: Uint8Array): Decoded => {
  if (looksBinary(bytes)) return { is: "binary" }
  const mark = markOf(bytes)
  if (mark?.encoding === "utf-32") return { is: "foreign", encoding: "UTF-32" }
  const body = bytes.subarray(mark?.length ?? 0)
  if (mark === null || mark.encoding === "utf-8") {
    return isUtf8(body)
      ? { is: "text", text: Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8"), encoding: "utf-8", bom: mark !== null }
      : { is: "foreign", encoding: guessForeign(body).name }
  }
  const text = strictly(mark.encoding, body)
  const name = mark.encoding === "utf-16le" ? "UTF-16LE" : "UTF-16BE"
  return text === null
    ? { is: "foreign", encoding: `${name} with broken characters` }
    : { is: "text", text, encoding: mark.encoding, bom: true }
}

/** The bytes of `text`, with a mark where the file had one. A mark in the text itself is not doubled. */
export const encode = (text: string, encoding: Encoding, bom: boolean): Uint8Array => {
  const marked = bom && !text.startsWith("\uFEFF") ? `\uFEFF${text}` : text
  if (encoding === "utf-8") return Buffer.from(marked, "utf8")
  const bytes = Buffer.from(marked, "utf16le")
  return encoding === "utf-16le" ? bytes : bytes.swap16()
}
