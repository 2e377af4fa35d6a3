import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Skill } from "../Skills.js"

const Matter = Schema.Struct({ name: Schema.NonEmptyString, description: Schema.NonEmptyString })

/** A skill file: YAML front matter with `name` and `description`, then the body. Left: what is wrong, naming the file. */
export const readSkill = (path: string, text: string): Effect.Effect<Either.Either<Skill, string>> =>
  Effect.promise(async () => {
    const parts = /^\uFEFF?---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n([^]*))?$/.exec(text)
    if (parts === null) return Either.left(`${path} is no skill: it does not begin with front matter between two lines of ---.`)
    const { parseYaml } = await import("./yaml.js")
    // A line more in front, so that lines are counted as in the file.
    const matter = parseYaml(`\n${parts[1] ?? ""}`)
    if (Either.isLeft(matter)) return Either.left(`${path} is no skill: its front matter is not YAML: ${matter.left}.`)
    return Either.mapBoth(Schema.decodeUnknownEither(Matter)(matter.right), {
      onLeft: () => `${path} is no skill: its front matter needs a name and a description, both text.`,
      onRight: ({ description, name }) => ({ name, description: description.replace(/\s+/g, " ").trim(), body: (parts[2] ?? "").trim(), source: path })
    })
  })
