export const hidden = "[secret hidden]"

export interface Mask {
  readonly text: (text: string) => string
  readonly stream: () => { readonly push: (text: string) => string; readonly end: () => string }
}

const nothing: Mask = {
  text: (text) => text,
  stream: () => ({ push: (text) => text, end: () => "" })
}

/** Where the end of `text` may be the beginning of something to hide, else its length. */
const undecided = (text: string, texts: ReadonlyArray<string>, longest: number): number => {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const rest = text.slice(at)
    if (texts.some((each) => each.length > rest.length && each.startsWith(rest))) return at
  }
  return text.length
}

/** Hides the given texts (longest first) wherever they stand. A stream holds back what may be the beginning of one. */
export const makeMask = (texts: ReadonlyArray<string>): Mask => {
  const longest = texts[0]?.length ?? 0
  if (longest === 0) return nothing
  const pattern = new RegExp(texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g")
  const mask = (text: string) => text.replace(pattern, hidden)
  return {
    text: mask,
    stream: () => {
      let held = ""
      return {
        push: (text) => {
          held += text
          let safe = undecided(held, texts, longest)
          for (const match of held.matchAll(pattern)) {
            if (match.index < safe && match.index + match[0].length > safe) safe = match.index
          }
          const out = mask(held.slice(0, safe))
          held = held.slice(safe)
          return out
        },
        end: () => {
          const out = mask(held)
          held = ""
          return out
        }
      }
    }
  }
}
