import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export interface Skill {
  readonly name: string
  /** one line, for the catalogue in the prompt */
  readonly description: string
  readonly body: string
  /** `built-in`, or the file it is from */
  readonly source: string
}
export class SkillNotFound extends Schema.TaggedError<SkillNotFound>()("SkillNotFound", {
  name: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  override get message() {
    return `No skill is named "${this.name}". Available: ${this.known.join(", ")}`
  }
}

/** Ways of working that are loaded when needed: built-in ones, the user's, the project's; of one name the later wins. */
export class Skills extends Context.Tag("shiro/Skills")<Skills, {
  /** by name */
  readonly all: Effect.Effect<ReadonlyArray<Skill>>
  /** files that are no skill, each as a sentence that names the file */
  readonly problems: Effect.Effect<ReadonlyArray<string>>
  readonly find: (name: string) => Effect.Effect<Skill, SkillNotFound>
}>() {}
