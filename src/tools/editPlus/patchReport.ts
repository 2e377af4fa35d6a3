import { changes } from "../text/diff.js"
import { countLines } from "../text/lines.js"
import { counted } from "../text/number.js"
import type { Outcome } from "../text/patch/outcome.js"

/** Numbered lines shown of all files together. */
const mostLines = 80

/** What became of each file, with the changed places of those that were there before. */
export const report = (files: ReadonlyArray<Outcome>, before: (path: string) => string | undefined, notes: ReadonlyArray<string>): string => {
  const updated = files.filter((file) => file.kind === "changed" && file.text !== null).length
  const room = Math.max(4, Math.floor(mostLines / Math.max(1, updated)))
  const blocks = files.map((file) => {
    if (file.kind === "added") return `Added ${file.path} (${counted(countLines(file.text), "line")}).`
    if (file.kind === "deleted") return `Deleted ${file.path}.`
    const done = file.from === file.path ? `Updated ${file.path}` : `Moved ${file.from} to ${file.path}`
    const mode = file.mode === null ? [] : [`mode ${file.mode.toString(8)}`]
    if (file.text === null) return `${done}${mode.length === 0 ? "" : ` (${mode.join("")})`}.`
    const { added, removed, snippet } = changes(before(file.from) ?? "", file.text, room)
    const size = [`+${added} -${removed} lines`, ...mode].join(", ")
    return `${done} (${size}).${snippet === "" ? "" : `\n${snippet}`}`
  })
  return [...blocks, ...notes.map((note) => `Note: ${note}.`)].join("\n")
}
