import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import { optionalCount } from "../git/input.js"
import { commitLines, defaultCommits, mostCommits, noCommits } from "../git/logText.js"
import * as Tool from "../Tool.js"

export const gitLogFile = Tool.make({
  name: "git_log_file",
  set: "extra",
  needsRepository: true,
  description: "Commits that touched one file, also under earlier names, newest first. limit: default 15, at most 40.",
  input: Schema.Struct({ path: Schema.String, limit: optionalCount }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("git_log_file")(function*({ limit, path }) {
    const commits = yield* (yield* Git).log({ limit: Math.min(limit ?? defaultCommits, mostCommits), path, follow: true })
    if (commits === null) return noCommits
    if (commits.length === 0) return `No commit touched ${path}.`
    return commitLines(commits.map(({ date, id, subject }) => `${id} ${date}  ${subject}`), limit)
  })
})
