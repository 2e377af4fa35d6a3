/** Shorter values are never masked: they would hide ordinary text. */
const shortest = 8

const unquoted = (value: string): string => {
  const quote = value.charAt(0)
  if ((quote === "\"" || quote === "'" || quote === "`") && value.length > 1 && value.endsWith(quote)) {
    const inner = value.slice(1, -1)
    return quote === "\"" ? inner.replace(/\\n/g, "\n").replace(/\\(["\\$])/g, "$1") : inner
  }
  return value.replace(/\s+#.*$/, "").trim()
}

const assignment = /^\s*(?:export\s+)?[\w.-]+\s*[=:]\s*("(?:[^"\\]|\\[^])*"|'[^']*'|`[^`]*`|[^\n]*)/gm

/** Every value that a denied file assigns, and every line of a key block. */
export const valuesIn = (text: string): ReadonlyArray<string> => {
  const plain = text.replace(/\r\n/g, "\n")
  const block = /-----BEGIN [^-]+-----([^]*?)-----END [^-]+-----/g
  const keys = [...plain.matchAll(block)].flatMap(([, body = ""]) => body.split("\n").map((line) => line.trim()))
  const assigned = [...plain.replace(block, "").matchAll(assignment)].map(([, value = ""]) => unquoted(value.trim()))
  return [...keys, ...assigned].filter((value) => value !== "")
}

/** `user:password@` of a URL: the password is a secret of its own. */
const passwordIn = (value: string): ReadonlyArray<string> => {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s:]*:([^@\s]+)@/i.exec(value)
  return found?.[1] === undefined ? [] : [found[1]]
}

const ordinary: ReadonlyArray<RegExp> = [
  /^\p{L}+$/u, // a word
  /^[\d\s.,:;+\-_/TZ]*$/, // a number, a date, a version
  /^(?:true|false|null|undefined|yes|no|on|off)$/i,
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?\/?$/, // a host name
  /^[a-z]+:\d+$/, // localhost:5432
  /^[a-z][a-z0-9+.-]*:\/\/[^@\s]*$/i // a URL without user info
]

const spellings = (value: string): ReadonlyArray<string> => [
  value,
  ...value.includes("\n") ? value.split("\n") : [],
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value.replace(/[\uD800-\uDFFF]/g, "")) // lone surrogates have no such spelling
]

/**
 * The texts to hide, longest first: the values that are no ordinary words, with the spellings they take in JSON and in
 * URLs. `isPath` tells values that name something that exists.
 */
export const textsToHide = (
  values: ReadonlyArray<string>,
  examples: ReadonlySet<string>,
  isPath: (value: string) => boolean
): ReadonlyArray<string> => {
  const secret = values.flatMap((value) => [value, ...passwordIn(value)]).filter((value) =>
    value.length >= shortest && !examples.has(value) && !ordinary.some((pattern) => pattern.test(value)) && !isPath(value))
  const all = new Set(secret.flatMap(spellings).filter((text) => text.length >= shortest && !ordinary.some((pattern) => pattern.test(text))))
  return [...all].sort((one, other) => other.length - one.length)
}
