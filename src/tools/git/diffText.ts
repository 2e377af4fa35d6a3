import type { Diff, FileDiff } from "../../services/Git.js"
import { cut, resultCap, truncationNote } from "../text/cap.js"

/** Room of a diff in a result of its own; the rest is for what stands before and after it. */
export const diffRoom = resultCap

/** Left-out files that are named one by one. */
const mostNamed = 100

const figures = ({ added, removed }: FileDiff) =>
  added === null || removed === null ? "" : `, +${added.toLocaleString("en-US")} -${removed.toLocaleString("en-US")}`
const what = (file: FileDiff) => `${file.path} (${file.from === null ? file.change : `${file.change} from ${file.from}`}${figures(file)})`

const hidden = (file: FileDiff) => `${what(file)}: denied on read, its content is not shown.\n`

const listOf = (files: ReadonlyArray<FileDiff>): string => {
  if (files.length === 0) return ""
  const more = files.length - mostNamed
  return [
    `\nLeft out because the diff is too large, ${files.length === 1 ? "1 file" : `${files.length} files`} (give path to see one):`,
    ...files.slice(0, mostNamed).map(what),
    ...more > 0 ? [`and ${more} more`] : []
  ].join("\n")
}
const outsideNote = (count: number) =>
  count === 0 ? "" : `\n${count === 1 ? "1 more file" : `${count} more files`} outside the workspace left out.`

/**
 * A diff that fits into `room`, cut at the borders of files: each file whole or in the list of what is left out. Only a
 * first file that is too large alone is cut, at the end of a line.
 */
export const diffText = ({ files, outside }: Diff, room: number): string => {
  const tail = outsideNote(outside)
  const parts = files.map((file) => ({ file, text: file.leftOut === "secret" ? hidden(file) : file.text }))
  let shown = parts.filter(({ text }) => text !== null)
  let used = shown.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
  const list = () => listOf(files.filter((file) => !shown.some((part) => part.file === file)))
  while (shown.length > 0 && used + list().length + tail.length > room) {
    // Small files stay: the largest goes first, the later one of two.
    const largest = shown.reduce((most, part) => (part.text?.length ?? 0) >= (most.text?.length ?? 0) ? part : most)
    used -= largest.text?.length ?? 0
    shown = shown.filter((part) => part !== largest)
  }
  const [first] = parts
  if (shown.length === 0 && first !== undefined && first.text !== null) {
    const rest = listOf(files.slice(1)) + tail
    const head = cut(first.text, Math.max(0, room - rest.length - 100)).text
    const whole = head.slice(0, head.lastIndexOf("\n") + 1)
    return `${whole}${truncationNote(first.text.length - whole.length)}${rest}`
  }
  return `${shown.map(({ text }) => text ?? "").join("")}${list()}${tail}`.replace(/^\n+|\r?\n$/g, "")
}
