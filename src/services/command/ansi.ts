const simple: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, E: 27, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, "'": 39, "\"": 34, "?": 63 }

const escape = /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([^])|([^]))|([^\\]+)/g

/** What `$'…'` stands for: escapes replaced, cut at a NUL as bash does; null where it can't be said. */
export const ansi = (text: string): string | null => {
  const bytes: Array<number> = []
  for (const [, letter, octal, hex, short, long, control, other, plain] of text.matchAll(escape)) {
    if (plain !== undefined) bytes.push(...new TextEncoder().encode(plain))
    else if (letter !== undefined) bytes.push(simple[letter] ?? 0)
    else if (octal !== undefined) bytes.push(parseInt(octal, 8) & 255)
    else if (hex !== undefined) bytes.push(parseInt(hex, 16))
    else if (short !== undefined || long !== undefined) {
      const code = parseInt(short ?? long ?? "0", 16)
      // Beyond ASCII it depends on the locale.
      if (code > 0x7f) return null
      bytes.push(code)
    } else if (control !== undefined) return null
    else if (other === "x") return null
    else bytes.push(...new TextEncoder().encode(`\\${other ?? ""}`))
  }
  const end = bytes.indexOf(0)
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(end < 0 ? bytes : bytes.slice(0, end)))
  } catch {
    return null
  }
}
