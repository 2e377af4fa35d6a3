import stringWidth from "string-width"

/** What the painter draws on: a terminal whose cursor can be moved. */
export interface Canvas {
  readonly write: (text: string) => void
  readonly size: () => { readonly columns: number; readonly rows: number }
}

/** Terminals that know it show what stands between these two at once; the others ignore them. */
const [together, shown] = ["\x1b[?2026h", "\x1b[?2026l"]
const [hideCursor, showCursor] = ["\x1b[?25l", "\x1b[?25h"]
const clearBelow = "\x1b[J"

/**
 * Keeps the live part of the screen below what is printed for good. All that changes in one turn of the event loop goes
 * out in one write, and of the live part only lines that differ. The cursor rests on the empty line below it.
 */
export const makePainter = ({ size, write }: Canvas) => {
  let drawn: ReadonlyArray<string> = []
  let drawnColumns = 0
  let wanted: ReadonlyArray<string> = []
  let printed = ""
  let scheduled: NodeJS.Immediate | null = null
  let started = false

  /** Rows that the drawn lines take now: a terminal made narrower has broken those that no longer fit. */
  const rowsDrawn = (columns: number) =>
    columns === drawnColumns ? drawn.length : drawn.reduce((rows, line) => rows + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0)
  const differing = (lines: ReadonlyArray<string>) =>
    lines.map((line, at) => line === drawn[at] ? "\n" : `\x1b[K${line}\n`).join("") + (lines.length < drawn.length ? clearBelow : "")

  const paint = () => {
    if (scheduled !== null) clearImmediate(scheduled)
    scheduled = null
    const { columns, rows } = size()
    // A live part as high as the screen would scroll its own top out: its end is what matters.
    const lines = wanted.slice(-Math.max(1, rows - 1))
    const whole = printed !== "" || columns !== drawnColumns || drawn.length >= rows
    if (!whole && lines.length === drawn.length && lines.every((line, at) => line === drawn[at])) return
    const up = Math.min(rowsDrawn(columns), rows - 1)
    const body = whole ? `${clearBelow}${printed}${lines.map((line) => `${line}\n`).join("")}` : differing(lines)
    write(`${together}${started ? "" : hideCursor}\r${up === 0 ? "" : `\x1b[${up}A`}${body}${shown}`)
    started = true
    drawn = lines
    drawnColumns = columns
    printed = ""
  }
  const soon = () => {
    scheduled ??= setImmediate(paint)
  }
  return {
    /** Finished lines, each ended by a line end: they go above the live part and are never drawn again. */
    print: (text: string) => {
      printed += text
      soon()
    },
    /** The live part as it shall be. */
    show: (frame: string) => {
      wanted = frame === "" ? [] : frame.split("\n")
      soon()
    },
    /** Takes the live part away and gives the cursor back. */
    stop: () => {
      wanted = []
      paint()
      if (started) write(showCursor)
      started = false
    }
  }
}
export type Painter = ReturnType<typeof makePainter>
