/** Select Graphic Rendition, or nothing where colours are off (`NO_COLOR`, `--no-color`). */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly italic: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
  readonly inverse: (text: string) => string
}

const sgr = (on: number, off: number) => (text: string) => text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`
const same = (text: string) => text

export const coloured: Style = {
  bold: sgr(1, 22), dim: sgr(2, 22), italic: sgr(3, 23), red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39), cyan: sgr(36, 39), inverse: sgr(7, 27)
}
export const plain: Style = { bold: same, dim: same, italic: same, red: same, green: same, yellow: same, cyan: same, inverse: same }
