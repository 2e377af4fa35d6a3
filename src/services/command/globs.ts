import { hole } from "../Commands.js"

const special = /[*?[\]\\]/g
/** The pattern that only fits this text. */
export const escapeGlob = (text: string) => text.replace(special, "\\$&")

const token = /\\([^])|\[(?:[!^]?\]?[^\]/]*)\]|[*?]|[^]/g

/** Whether a shell looks for files that fit it. */
export const isGlob = (pattern: string): boolean =>
  /[*?[]/.test(pattern) && [...pattern.matchAll(token)].some(([all, escaped]) => escaped === undefined && (all === "*" || all === "?" || (all.length > 1 && all.startsWith("["))))

/** What its matches have in common, with a hole for what they differ in. */
export const globText = (pattern: string): string =>
  pattern.replace(token, (all, escaped: string | undefined) =>
    escaped ?? (all === "*" || all === "?" || (all.length > 1 && all.startsWith("[")) ? hole : all))

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** The pattern as a regular expression's source; `star` is what `*` becomes. */
export const globSource = (pattern: string, star = "[^]*"): string =>
  pattern.replace(token, (all, escaped: string | undefined) => {
    if (escaped !== undefined) return escapeRegExp(escaped)
    if (all === "*") return star
    if (all === "?") return star.startsWith("[^]") ? "[^]" : "[^/]"
    if (all.length > 1) return `[${all[1] === "!" || all[1] === "^" ? "^" : ""}${all.slice(all[1] === "!" || all[1] === "^" ? 2 : 1, -1).replace(/[\\\]^]/g, "\\$&")}]`
    return escapeRegExp(all)
  })

export const globFits = (pattern: string, text: string): boolean => {
  try {
    return new RegExp(`^${globSource(pattern)}$`, "u").test(text)
  } catch {
    return true
  }
}
