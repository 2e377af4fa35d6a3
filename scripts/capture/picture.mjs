// A terminal's screen as an SVG picture.

/** The colours of the picture, by the terminal's own numbers. */
const palette = { 1: "#e06c75", 2: "#98c379", 3: "#e5c07b", 6: "#56b6c2" }
const [foreground, background] = ["#d7dae0", "#1e2127"]
/** A character's width and a line's height, and the room around the text. */
const [wide, high, around] = [8.4, 18, 16]

const escaped = (chars) => chars.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
const colourOf = (cell) => cell.isFgPalette() ? palette[cell.getFgColor()] ?? foreground : foreground
const styleOf = (cell) =>
  cell.isInverse()
    ? `fill="${background}"`
    : `fill="${colourOf(cell)}"${cell.isBold() ? ' font-weight="bold"' : ""}${cell.isDim() ? ' opacity="0.6"' : ""}${cell.isItalic() ? ' font-style="italic"' : ""}`

/** The cells of one row that look alike, together. */
const runsOf = (line, columns) => {
  const runs = []
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const style = styleOf(cell)
    const last = runs.at(-1)
    const behind = cell.isInverse() ? colourOf(cell) : null
    if (last !== undefined && last.style === style && last.behind === behind) {
      last.chars += cell.getChars() || " "
      last.cells += cell.getWidth()
    } else runs.push({ style, behind, column, cells: cell.getWidth(), chars: cell.getChars() || " " })
  }
  return runs
}

export const picture = ({ columns, line, settled, text }) => {
  const lines = text().split("\n")
  const begin = lines.findIndex((shown) => shown !== "")
  const used = lines.length - begin
  const drawn = []
  for (let row = 0; row < used; row++) {
    for (const { behind, cells, chars, column, style } of runsOf(line(begin + row), columns)) {
      const x = (around + column * wide).toFixed(1)
      if (behind !== null) drawn.push(`<rect x="${x}" y="${around + row * high}" width="${(cells * wide).toFixed(1)}" height="${high}" fill="${behind}"/>`)
      const shown = settled(chars.trimEnd())
      if (shown === "") continue
      // the width is told, so that columns stand below each other in whatever font there is
      drawn.push(`<text x="${x}" y="${around + row * high + 13.5}" ${style} textLength="${([...shown].length * wide).toFixed(1)}" xml:space="preserve">${escaped(shown)}</text>`)
    }
  }
  const size = [Math.ceil(columns * wide + 2 * around), used * high + 2 * around]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="${background}"/>
${drawn.join("\n")}
</svg>
`
}
