import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"
import { diffRoom, diffText } from "./diffText.js"
import { optionalText, pathSubject } from "./input.js"

/** What an empty diff may be hiding from someone who expected one. */
const elsewhere = Effect.fnUntraced(function*(staged: boolean) {
  const { files } = yield* (yield* Git).status
  const having = (wanted: (state: string) => boolean) => files.filter(({ states }) => states.some(wanted)).length
  const isStaged = (state: string) => state.startsWith("staged")
  const other = having((state) => state !== "untracked" && isStaged(state) !== staged)
  const untracked = having((state) => state === "untracked")
  return [
    ...other === 0 ? [] : [staged ? `${other} changed but not staged: leave staged out.` : `${other} staged: set staged.`],
    ...untracked === 0 || staged ? [] : [`${untracked} untracked: read them.`]
  ]
})

export const gitDiff = Tool.make({
  name: "git_diff",
  set: "git",
  description: "Unified diff of uncommitted changes: unstaged ones, or with staged the staged ones.",
  input: Schema.Struct({
    staged: Schema.optionalWith(Schema.Boolean, { exact: true }),
    path: optionalText
  }),
  touches: "reads",
  subjects: pathSubject,
  body: Effect.fn("git_diff")(function*({ path, staged = false }) {
    const git = yield* Git
    const diff = yield* git.diff({ of: staged ? "staged" : "unstaged" }, { room: diffRoom, ...path === undefined ? {} : { path } })
    const text = diffText(diff, diffRoom)
    if (diff.files.length > 0) return text
    const kind = staged ? "staged" : "unstaged"
    const none = path === undefined ? `No ${kind} changes.` : `No ${kind} changes in ${path}.`
    return [none, ...path === undefined ? yield* elsewhere(staged) : [], ...text === "" ? [] : [text.trim()]].join("\n")
  })
})
