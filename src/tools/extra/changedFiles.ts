import * as Effect from "effect/Effect"
import { Git } from "../../services/Git.js"
import { fileLines, outsideLine } from "../git/gitStatus.js"
import { nothing } from "../git/input.js"
import * as Tool from "../Tool.js"

export const changedFiles = Tool.make({
  name: "changed_files",
  set: "extra",
  needsRepository: true,
  description: "Files that git reports as staged, modified, conflicted or untracked.",
  input: nothing,
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("changed_files")(function*() {
    const { files, outside } = yield* (yield* Git).status
    return [...files.length === 0 ? ["Nothing changed."] : fileLines(files), ...outsideLine(outside)].join("\n")
  })
})
