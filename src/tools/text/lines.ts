/** How a line ends; `""` only for a last line without one. */
export type Ending = "\n" | "\r\n" | ""

export interface Line {
  readonly text: string
  readonly ending: Ending
}

/** Lines as git and editors count them: `\n` ends one, a `\r` right before it belongs to the ending; `""` has none. */
export const splitLines = (text: string): Array<Line> => {
  const lines: Array<Line> = []
  let start = 0
  while (start < text.length) {
    const end = text.indexOf("\n", start)
    if (end === -1) {
      lines.push({ text: text.slice(start), ending: "" })
      break
    }
    const crlf = end > start && text.charCodeAt(end - 1) === 13
    lines.push({ text: text.slice(start, crlf ? end - 1 : end), ending: crlf ? "\r\n" : "\n" })
    start = end + 1
  }
  return lines
}

export const joinLines = (lines: ReadonlyArray<Line>): string => {
  const parts: Array<string> = []
  for (const line of lines) parts.push(line.text, line.ending)
  return parts.join("")
}

/** The texts of the lines, without endings. */
export const lineTexts = (text: string): Array<string> => splitLines(text).map((line) => line.text)

export const countLines = (text: string): number => {
  let count = 0
  let at = text.indexOf("\n")
  let last = 0
  while (at !== -1) {
    count++
    last = at + 1
    at = text.indexOf("\n", last)
  }
  return last < text.length ? count + 1 : count
}

/** The ending that new lines at `index` get: the line before's, else the following ones', else `\n`. */
export const endingNear = (lines: ReadonlyArray<Line>, index: number): Ending => {
  for (let at = Math.min(index, lines.length) - 1; at >= 0; at--) {
    const ending = lines[at]?.ending
    if (ending !== undefined && ending !== "") return ending
  }
  for (let at = Math.max(index, 0); at < lines.length; at++) {
    const ending = lines[at]?.ending
    if (ending !== undefined && ending !== "") return ending
  }
  return "\n"
}

/** A last line without an ending, so that only it has none: the others get their neighbour's, the last one what `terminated` says. */
export const withFinalNewline = (lines: ReadonlyArray<Line>, terminated: boolean): Array<Line> =>
  lines.map((line, index) => {
    const isLast = index === lines.length - 1
    if (isLast && !terminated) return line.ending === "" ? line : { text: line.text, ending: "" }
    return line.ending === "" ? { text: line.text, ending: endingNear(lines, index) } : line
  })

/** 1-based numbers of the lines that hold the given ascending positions. */
export const lineNumbersAt = (text: string, positions: ReadonlyArray<number>): Array<number> => {
  let line = 1
  let next = text.indexOf("\n")
  return positions.map((position) => {
    while (next !== -1 && next < position) {
      line++
      next = text.indexOf("\n", next + 1)
    }
    return line
  })
}
