import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Git } from "../../services/Git.js"
import { Model } from "../../services/Model.js"
import { Secrets } from "../../services/Secrets.js"
import * as Tool from "../Tool.js"
import { diffText } from "./diffText.js"
import { nothing } from "./input.js"

class NothingStaged extends Schema.TaggedError<NothingStaged>()("NothingStaged", {}) {
  override get message() {
    return "Nothing is staged, so there is nothing to write a commit message for. Stage changes with git add first."
  }
}
class NoMessage extends Schema.TaggedError<NoMessage>()("NoMessage", {}) {
  override get message() {
    return "The model answered with no text. Nothing was committed. Call git_commit_message again, or write the message yourself."
  }
}

/** Units of the diff that the model sees. */
const room = 20_000
/** Subjects that show how this repository words its commits. */
const recent = 15

const system = [
  "You write one git commit message for the staged diff you are given.",
  "Follow the style of the repository's recent subjects: language, tense, capitals, prefixes, length.",
  "One subject line of at most 72 characters; a body after an empty line only if the change needs a reason.",
  "Answer with the message alone: no quotes, no code fence, no comment."
].join("\n")

/** Some models fence or quote what they were asked to give bare. */
const bare = (text: string): string => {
  const trimmed = text.trim()
  const fenced = /^```[^\n]*\n([^]*?)\n?```$/.exec(trimmed)?.[1]?.trim() ?? trimmed
  return /^(["'`])([^\n]*)\1$/.exec(fenced)?.[2] ?? fenced
}

export const gitCommitMessage = Tool.make({
  name: "git_commit_message",
  set: "git",
  description: "Write a commit message for the staged changes, in the repository's style. Returns the text, never commits.",
  input: nothing,
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("git_commit_message")(function*() {
    const git = yield* Git
    const diff = yield* git.diff({ of: "staged" }, { room })
    if (diff.files.length === 0) return yield* new NothingStaged()
    const commits = (yield* git.log({ limit: recent })) ?? []
    const prompt = [
      commits.length === 0 ? "This is the first commit." : `Recent subjects, newest first:\n${commits.map(({ subject }) => subject).join("\n")}`,
      `Staged diff:\n${diffText(diff, room)}`
    ].join("\n\n")
    // The pipeline masks what comes back; this goes out before that.
    const text = bare(yield* (yield* Model).generate({ system, prompt: yield* (yield* Secrets).mask(prompt) }))
    return text === "" ? yield* new NoMessage() : text
  })
})
