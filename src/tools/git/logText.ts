import type { Commit, Head } from "../../services/Git.js"

export const defaultCommits = 15
export const mostCommits = 40

export const commitLine = ({ author, date, id, subject }: Commit) => `${id} ${date} ${author}  ${subject}`

/** Said in place of commits before the first one. */
export const noCommits = "No commits yet."

/** `main`, `HEAD (detached at 1a2b3c4)` */
export const headName = ({ branch, commit }: Head) => branch ?? `HEAD (detached at ${commit ?? "nothing"})`

/** Commits as lines, with a note where more were asked for than are given. */
export const commitLines = (commits: ReadonlyArray<string>, asked: number | undefined) =>
  asked !== undefined && asked > mostCommits
    ? [...commits, `(limit lowered from ${asked} to ${mostCommits})`].join("\n")
    : commits.join("\n")
