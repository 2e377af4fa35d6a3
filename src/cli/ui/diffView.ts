import { diffWordsWithSpace } from "diff"
import { still } from "./fit.js"
import type { Style } from "./style.js"

/** Lines of a diff shown before an approval. */
const mostLines = 3000

const paired = (removed: string, added: string, style: Style): readonly [string, string] => {
  const words = diffWordsWithSpace(removed, added)
  const side = (keep: "added" | "removed", colour: (text: string) => string) =>
    words.filter((word) => keep === "added" ? !word.removed : !word.added).map((word) => word[keep] ? style.inverse(colour(word.value)) : colour(word.value)).join("")
  return [style.red("-") + side("removed", style.red), style.green("+") + side("added", style.green)]
}

/** `a/src/x.ts` of a header; null where there is no file on that side. */
const fileOf = (header: string) => {
  const name = header.slice(4).split("\t")[0] ?? ""
  return name === "/dev/null" ? null : name.replace(/^[ab]\//, "")
}

const nameOf = (removed: string, added: string, style: Style) => {
  const [before, after] = [fileOf(removed), fileOf(added)]
  if (before === null || before === after) return style.bold(after ?? "")
  return style.bold(after === null ? `${before} (deleted)` : `${before} → ${after}`)
}

/**
 * A unified diff for the terminal: lines numbered and coloured, changed words marked where a removed and an added line pair
 * up. Files are named where there are several; of one alone the question tells the name.
 */
export const diffLines = (diff: string, style: Style): ReadonlyArray<string> => {
  const lines = still(diff).split("\n").filter((line) => !line.startsWith("===") && !line.startsWith("Index:"))
  const isHeader = (at: number) => (lines[at] ?? "").startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ")
  const several = lines.filter((_, at) => isHeader(at)).length > 1
  const shown: Array<string> = []
  let number = { before: 0, after: 0 }
  let first = true
  const numbered = (count: number, text: string) => `${style.dim(String(count).padStart(4))} ${text}`
  for (let at = 0; at < lines.length && shown.length <= mostLines; at++) {
    const line = lines[at] ?? ""
    const next = lines[at + 1] ?? ""
    const alone = !(lines[at - 1] ?? "").startsWith("-") && !(lines[at + 2] ?? "").startsWith("+")
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line)
    if (isHeader(at)) {
      if (several) shown.push(nameOf(line, next, style))
      first = true
      at++
    } else if (hunk !== null) {
      number = { before: Number(hunk[1]), after: Number(hunk[2]) }
      if (!first) shown.push(style.dim("   ⋯"))
      first = false
    } else if (line.startsWith("-") && next.startsWith("+") && alone) {
      const [removed, added] = paired(line.slice(1), next.slice(1), style)
      shown.push(numbered(number.before++, removed), numbered(number.after++, added))
      at++
    } else if (line.startsWith("-")) shown.push(numbered(number.before++, style.red(line)))
    else if (line.startsWith("+")) shown.push(numbered(number.after++, style.green(line)))
    else if (line.startsWith(" ")) {
      shown.push(numbered(number.after++, line))
      number.before++
    } else if (line !== "") shown.push(style.dim(`     ${line}`))
  }
  return shown.length <= mostLines ? shown : [...shown.slice(0, mostLines), style.dim(`… only the first ${mostLines} lines of the diff are shown`)]
}
