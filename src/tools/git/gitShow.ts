import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Shown } from "../../services/Git.js"
import { Git } from "../../services/Git.js"
import * as Tool from "../Tool.js"
import { diffRoom, diffText } from "./diffText.js"
import { optionalText } from "./input.js"

/** Of a commit's message, where it has that much, so that the diff has room. */
const mostMessage = 10_000

const commitText = (shown: Extract<Shown, { readonly is: "commit" }>, path: string | undefined): string => {
  const { author, date, diff, email, id, message, parents, tag } = shown
  const body = message.length > mostMessage ? `${message.slice(0, mostMessage)} ...` : message
  const head = [
    ...tag === null || tag === "" ? [] : [`tag: ${tag}`],
    `commit ${id}`,
    ...parents.length > 1 ? [`Merge of ${parents.map((parent) => parent.slice(0, 8)).join(" and ")}; the diff shows what differs from all of them`] : [],
    `Author: ${author} <${email}>`,
    `Date: ${date}`,
    "",
    ...body.split("\n").map((line) => line === "" ? "" : `    ${line}`),
    "",
    ""
  ].join("\n")
  const text = diffText(diff, diffRoom - head.length)
  const none = path === undefined ? "No changes to show." : `It does not change ${path}.`
  return head + (diff.files.length > 0 ? text : [none, text.trim()].filter((part) => part !== "").join("\n"))
}

export const gitShow = Tool.make({
  name: "git_show",
  set: "git",
  description: "One commit: message, author, diff (of path, if given). ref: hash, branch, tag, HEAD~2.",
  input: Schema.Struct({ ref: Schema.String, path: optionalText }),
  touches: "reads",
  subjects: ({ ref }) => [ref],
  body: Effect.fn("git_show")(function*({ path, ref }) {
    const shown = yield* (yield* Git).show(ref, { room: diffRoom, ...path === undefined ? {} : { path } })
    switch (shown.is) {
      case "commit":
        return commitText(shown, path)
      case "folder":
        return shown.names.length === 0 ? "(empty folder)" : shown.names.join("\n")
      case "file":
        return shown.text === "" ? "(empty file)" : shown.text
    }
  })
})
