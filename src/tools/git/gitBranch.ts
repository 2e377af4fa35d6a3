import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"
import { headName, noCommits } from "./logText.js"

/** Branches that are described; of the others only the names follow. */
const mostDescribed = 100

export const gitBranch = Tool.make({
  name: "git_branch",
  set: "git",
  description: "Branches, newest commit first, the current one marked *. remote: also those of remotes.",
  input: Schema.Struct({ remote: Schema.optionalWith(Schema.Boolean, { exact: true }) }),
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("git_branch")(function*({ remote = false }) {
    const { branches, head } = yield* (yield* Git).branches({ remote })
    if (branches.length === 0) return head.commit === null ? `On ${headName(head)}. ${noCommits}` : `No branches. On ${headName(head)}.`
    const lines = branches.map(({ commit, current, date, name, subject }, index) =>
      `${current ? "*" : " "} ${name}${index < mostDescribed ? `  ${commit} ${date}  ${subject}` : ""}`)
    return branches.some(({ current }) => current) ? lines.join("\n") : [`* ${headName(head)}`, ...lines].join("\n")
  })
})
