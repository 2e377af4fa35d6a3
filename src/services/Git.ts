import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type * as Effect from "effect/Effect"

export class NotARepository extends Schema.TaggedError<NotARepository>()("NotARepository", { folder: Schema.String }) {
  override get message() {
    return `${this.folder} is not a git repository.`
  }
}
/** git's own words, which are the most useful thing available. */
export class GitFailed extends Schema.TaggedError<GitFailed>()("GitFailed", { said: Schema.String }) {
  override get message() {
    return this.said
  }
}

/** git in the workspace, spawned so that a hostile repository executes nothing. Grows with the git tools. */
export class Git extends Context.Tag("shiro/Git")<Git, {
  /** Whether the workspace lies in a repository's work tree. */
  readonly inRepository: Effect.Effect<boolean>
}>() {}
