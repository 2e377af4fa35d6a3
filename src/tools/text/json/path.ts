/** One step into a value: a key, or where `index` is a number, an item too. */
export interface Step {
  readonly key: string
  readonly index: number | null
}
const step = (key: string): Step => ({ key, index: /^-?\d+$/.test(key) ? Number(key) : null })

const quoted = (query: string, start: number, quote: string): { readonly key: string; readonly end: number } | null => {
  let key = ""
  for (let at = start; at < query.length; at++) {
    const char = query.charAt(at)
    if (char === quote) return { key, end: at + 1 }
    if (char === "\\" && at + 1 < query.length) at++
    key += query.charAt(at)
  }
  return null
}

/** `a["b.c"][0].d` as steps, a leading `$` or `.` aside; a sentence if it is no such path. */
export const stepsOf = (query: string): ReadonlyArray<Step> | string => {
  const text = query.trim().replace(/^\$(?=[.[]|$)/, "")
  const steps: Array<Step> = []
  let at = text.startsWith(".") ? 1 : 0
  while (at < text.length) {
    if (text.charAt(at) === "[") {
      const quote = text.charAt(at + 1)
      const named = quote === "\"" || quote === "'" ? quoted(text, at + 2, quote) : null
      const end = named?.end ?? text.indexOf("]", at)
      if (text.charAt(end) !== "]") return `"[" at character ${at + 1} of "${text}" has no end`
      steps.push(named === null ? step(text.slice(at + 1, end).trim()) : { key: named.key, index: null })
      at = end + 1
      if (text.charAt(at) === ".") at++
      continue
    }
    const ends = [text.indexOf(".", at), text.indexOf("[", at)].filter((end) => end !== -1)
    const end = ends.length === 0 ? text.length : Math.min(...ends)
    steps.push(step(text.slice(at, end)))
    at = text.charAt(end) === "." ? end + 1 : end
    if (at === text.length && text.endsWith(".")) steps.push(step(""))
  }
  return steps
}

/** Steps as one would write them. */
export const written = (steps: ReadonlyArray<Step>): string =>
  steps.map(({ index, key }, at) =>
    index !== null ? `[${key}]` : /^[^.[\]"'\s]+$/.test(key) ? `${at === 0 ? "" : "."}${key}` : `[${JSON.stringify(key)}]`).join("")
