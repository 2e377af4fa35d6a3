import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"
import { optionalCount, optionalText, pathSubject } from "./input.js"
import { commitLine, commitLines, defaultCommits, mostCommits, noCommits } from "./logText.js"

export const gitLog = Tool.make({
  name: "git_log",
  set: "git",
  description: "Commits, newest first: hash, date, author, subject. limit: default 15, at most 40. path: only commits that touched it.",
  input: Schema.Struct({ limit: optionalCount, path: optionalText }),
  touches: "reads",
  subjects: pathSubject,
  body: Effect.fn("git_log")(function*({ limit, path }) {
    const git = yield* Git
    const commits = yield* git.log({ limit: Math.min(limit ?? defaultCommits, mostCommits), ...path === undefined ? {} : { path } })
    if (commits === null) return noCommits
    if (commits.length === 0) return `No commit touched ${path ?? "anything"}.`
    return commitLines(commits.map(commitLine), limit)
  })
})
