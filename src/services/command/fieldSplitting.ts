const blank = /[ \t\n]/

/** A piece of a value that is split into words; `ends`: a word ends behind it. */
export interface Piece {
  readonly text: string
  readonly ends: boolean
  /** It is a word even if it is empty. */
  readonly counts: boolean
}

const usual = " \t\n"
const usualRun = /[ \t\n]+/
const pattern = (separators: string): RegExp => {
  const escaped = (some: ReadonlyArray<string>) => some.map((each) => each.replace(/[\\\]^-]/, "\\$&")).join("")
  const all = [...separators]
  const blanks = escaped(all.filter((each) => blank.test(each)))
  const others = escaped(all.filter((each) => !blank.test(each)))
  const around = blanks === "" ? "" : `[${blanks}]*`
  return new RegExp([...others === "" ? [] : [`${around}[${others}]${around}`], ...blanks === "" ? [] : [`[${blanks}]+`]].join("|"), "u")
}

/** A value cut into words as a shell does with what `IFS` holds: runs of blanks count once, other separators each. */
export const pieces = (text: string, separators: string): ReadonlyArray<Piece> => {
  if (separators === "") return [{ text, ends: false, counts: false }]
  const found = separators === usual ? usualRun : pattern(separators)
  const all: Array<Piece> = []
  let rest = text
  for (let match = found.exec(rest); match !== null; match = found.exec(rest)) {
    const before = rest.slice(0, match.index)
    all.push({ text: before, ends: true, counts: [...match[0]].some((each) => !blank.test(each)) })
    rest = rest.slice(match.index + match[0].length)
  }
  return [...all, { text: rest, ends: false, counts: false }]
}

/** The words of a line that `read` takes apart, at most so many; the last has all the rest. */
export const readWords = (line: string, separators: string, most: number): ReadonlyArray<string> => {
  const blanks = [...separators].filter((each) => blank.test(each)).join("")
  const trimmed = blanks === "" ? line : line.replace(new RegExp(`^[${blanks}]+|[${blanks}]+$`, "g"), "")
  if (separators === "" || most === 1) return [trimmed]
  const found = new RegExp(pattern(separators).source, "gu")
  const words: Array<string> = []
  let from = 0
  for (const match of trimmed.matchAll(found)) {
    if (words.length === most - 1) break
    words.push(trimmed.slice(from, match.index))
    from = match.index + match[0].length
  }
  return from < trimmed.length ? [...words, trimmed.slice(from)] : words
}
