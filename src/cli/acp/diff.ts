import type { ToolCallContent } from "@agentclientprotocol/sdk"
import { isAbsolute, join } from "node:path"
import { fenced } from "../output/transcript.js"

interface Hunk {
  readonly path: string
  readonly added: boolean
  before: string
  after: string
}

const nothing = "/dev/null"
const pathOf = (line: string) => {
  const path = line.slice(4).split("\t")[0]?.trim() ?? ""
  return path === nothing ? path : path.replace(/^[ab]\//, "")
}
const withoutEnd = (text: string) => text.endsWith("\n") ? text.slice(0, -1) : text

/** The hunks of a unified diff, each as the text before and after; null where the diff is cut. */
const hunksOf = (diff: string): ReadonlyArray<Hunk> | null => {
  const hunks: Array<Hunk> = []
  let from = ""
  let to = ""
  let sign = " "
  let left = { old: 0, fresh: 0 }
  for (const line of diff.split("\n")) {
    const hunk = hunks.at(-1)
    if (hunk !== undefined && line.startsWith("\\ ")) {
      if (sign !== "+") hunk.before = withoutEnd(hunk.before)
      if (sign !== "-") hunk.after = withoutEnd(hunk.after)
    } else if (hunk === undefined || (left.old <= 0 && left.fresh <= 0)) {
      const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
      if (counts !== null) {
        left = { old: Number(counts[1] ?? 1), fresh: Number(counts[2] ?? 1) }
        hunks.push({ path: to === nothing ? from : to, added: from === nothing, before: "", after: "" })
      } else if (line.startsWith("--- ")) from = pathOf(line)
      else if (line.startsWith("+++ ")) to = pathOf(line)
    } else {
      sign = line.charAt(0)
      if (sign !== " " && sign !== "-" && sign !== "+") return null
      if (sign !== "+") {
        hunk.before += `${line.slice(1)}\n`
        left.old--
      }
      if (sign !== "-") {
        hunk.after += `${line.slice(1)}\n`
        left.fresh--
      }
    }
  }
  return left.old > 0 || left.fresh > 0 ? null : hunks
}

/** A unified diff as the protocol's diffs, one for each hunk, paths absolute; as text where it was cut. */
export const diffContent = (diff: string, root: string): ReadonlyArray<ToolCallContent> =>
  hunksOf(diff)?.map(({ added, after, before, path }) => ({
    type: "diff" as const,
    path: isAbsolute(path) ? path : join(root, path),
    oldText: added ? null : before,
    newText: after
  })) ?? [{ type: "content", content: { type: "text", text: fenced(diff) } }]
