/** Lines as a model sees them: `12: text`. */
export const numbered = (lines: ReadonlyArray<string>, first: number): string =>
  lines.map((line, index) => `${first + index}: ${line}`).join("\n")

/** `1 line`, `3 lines`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`

/** `line 4`, `lines 4-9`. */
export const lineRange = (first: number, last: number): string => first >= last ? `line ${first}` : `lines ${first}-${last}`

/** `a`, `a and b`, `a, b and c`; of more than `limit` the first ones and how many more. */
export const listed = (items: ReadonlyArray<string | number>, limit = 10): string => {
  if (items.length > limit) return `${items.slice(0, limit).join(", ")} and ${items.length - limit} more`
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`
}
