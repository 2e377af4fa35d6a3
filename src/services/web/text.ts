export interface ContentType {
  /** "text/html"; empty where the server says nothing */
  readonly type: string
  readonly charset: string | null
}

export const contentType = (header: string | null): ContentType => ({
  type: (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "",
  charset: /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header ?? "")?.[1] ?? null
})

const texts = new Set([
  "", "application/json", "application/xml", "application/javascript", "application/ecmascript", "application/x-javascript",
  "application/typescript", "application/yaml", "application/x-yaml", "application/toml", "application/x-toml", "application/x-ndjson",
  "application/jsonl", "application/graphql", "application/sql", "application/x-sh", "application/x-httpd-php", "application/xhtml+xml",
  "application/x-www-form-urlencoded", "application/rtf", "application/x-tex"
])
/** Whether a type is read at all; an unnamed one is looked at. */
export const isTextType = (type: string) => texts.has(type) || type.startsWith("text/") || /\+(?:json|xml|yaml)$/.test(type)

const decoderFor = (label: string | null): InstanceType<typeof TextDecoder> | null => {
  if (label === null) return null
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

const byMark = (bytes: Uint8Array): string | null => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8"
  return a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : null
}
/** What the text says of itself: `<meta charset>`, `<?xml encoding>`. */
const declared = (bytes: Uint8Array): string | null => {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString("latin1")
  const label = /<meta\b[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1] ?? /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1] ?? null
  // Who can read such a declaration byte by byte does not read UTF-16.
  return label !== null && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** The text, by its byte order mark, the header, or what it says itself; null if it is none. */
export const decode = (bytes: Uint8Array, charset: string | null): string | null => {
  const decoder = decoderFor(byMark(bytes)) ?? decoderFor(charset) ?? decoderFor(declared(bytes)) ?? new TextDecoder()
  const text = decoder.decode(bytes)
  return text.slice(0, 8_192).includes("\0") ? null : text
}

export const looksLikeHtml = (text: string) => /^\s*(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 4_096))
