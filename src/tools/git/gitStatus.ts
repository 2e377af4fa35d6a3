import * as Effect from "effect/Effect"
import type { Changed, Head } from "../../services/Git.js"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"
import { nothing } from "./input.js"

/** Files that are named one by one. */
const mostFiles = 300

const where = ({ branch, commit }: Head) =>
  branch === null ? `On a detached HEAD at ${commit ?? "nothing"}` : commit === null ? `On ${branch}, no commits yet` : `On ${branch}`

export const fileLines = (files: ReadonlyArray<Changed>): ReadonlyArray<string> => [
  ...files.slice(0, mostFiles).map(({ path, states }) => `${path}  (${states.join(", ")})`),
  ...files.length > mostFiles ? [`... and ${files.length - mostFiles} more`] : []
]
export const outsideLine = (outside: number): ReadonlyArray<string> =>
  outside === 0 ? [] : [`${outside} more changed outside the workspace.`]

export const gitStatus = Tool.make({
  name: "git_status",
  set: "git",
  description: "Current branch and each staged, modified, conflicted or untracked file.",
  input: nothing,
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("git_status")(function*() {
    const { files, head, outside, underway } = yield* (yield* Git).status
    const first = files.length > 0
      ? `${where(head)}, ${files.length} changed:`
      : head.commit === null && head.branch !== null
      ? where(head)
      : `${where(head)}, nothing changed.`
    return [first, ...fileLines(files), ...outsideLine(outside), ...underway].join("\n")
  })
})
