import { diffWordsWithSpace } from "diff"
import { withoutEscapes } from "../../tools/text/escapes.js"
import type { Style } from "./style.js"

/** Lines of a diff shown before an approval. */
const mostLines = 1000

const paired = (removed: string, added: string, style: Style): readonly [string, string] => {
  const words = diffWordsWithSpace(removed, added)
  const side = (keep: "added" | "removed", colour: (text: string) => string) =>
    words.filter((word) => keep === "added" ? !word.removed : !word.added).map((word) => word[keep] ? style.inverse(colour(word.value)) : colour(word.value)).join("")
  return [style.red("-") + side("removed", style.red), style.green("+") + side("added", style.green)]
}

/** A unified diff for the terminal: coloured, changed words marked where a removed and an added line pair up. */
export const diffLines = (diff: string, style: Style): ReadonlyArray<string> => {
  const lines = withoutEscapes(diff).split("\n").filter((line) => !line.startsWith("===") && !line.startsWith("Index:"))
  const shown: Array<string> = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const next = lines[at + 1] ?? ""
    const alone = !(lines[at - 1] ?? "").startsWith("-") && !(lines[at + 2] ?? "").startsWith("+")
    if (line.startsWith("---") || line.startsWith("+++")) shown.push(style.bold(line))
    else if (line.startsWith("@@")) shown.push(style.cyan(line))
    else if (line.startsWith("-") && next.startsWith("+") && alone) {
      shown.push(...paired(line.slice(1), next.slice(1), style))
      at++
    } else if (line.startsWith("-")) shown.push(style.red(line))
    else if (line.startsWith("+")) shown.push(style.green(line))
    else if (line !== "") shown.push(line)
  }
  return shown.length <= mostLines ? shown : [...shown.slice(0, mostLines), style.dim(`… ${shown.length - mostLines} more lines`)]
}
