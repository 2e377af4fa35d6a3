import * as Effect from "effect/Effect"
import { Git } from "../../services/Git.js"
import { nothing } from "../git/input.js"
import * as Tool from "../Tool.js"

export const gitCurrentBranch = Tool.make({
  name: "git_current_branch",
  set: "extra",
  needsRepository: true,
  description: "The current branch, its upstream, commits ahead and behind.",
  input: nothing,
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("git_current_branch")(function*() {
    const { ahead, behind, head, upstream } = yield* (yield* Git).currentBranch
    if (head.branch === null) return `On a detached HEAD at ${head.commit ?? "nothing"}, no branch.`
    if (head.commit === null) return `${head.branch}, no commits yet`
    if (upstream === null) return `${head.branch}, no upstream`
    if (ahead === null || behind === null) return `${head.branch}, upstream ${upstream} is gone`
    return `${head.branch}, upstream ${upstream}, ${ahead === 0 && behind === 0 ? "up to date" : `${ahead} ahead, ${behind} behind`}`
  })
})
