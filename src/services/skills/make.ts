import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Skill } from "../Skills.js"
import { SkillNotFound, Skills } from "../Skills.js"
import { builtIn } from "./builtIn.js"
import { readSkill } from "./frontMatter.js"
import { once } from "../once.js"

export interface SkillFile {
  readonly path: string
  readonly text: string
}

/** `files`: the skill files there are, the user's before the project's. Read once, on first use. */
export const make = Effect.fnUntraced(function*(files: Effect.Effect<ReadonlyArray<SkillFile>>) {
  const catalogue = yield* once(Effect.gen(function*() {
    const found = new Map<string, Skill>(builtIn.map((skill) => [skill.name, skill]))
    const problems: Array<string> = []
    for (const file of yield* files) {
      const read = yield* readSkill(file.path, file.text)
      if (Either.isLeft(read)) problems.push(read.left)
      else found.set(read.right.name, read.right)
    }
    const all = [...found.values()].sort((one, other) => one.name < other.name ? -1 : 1)
    return { all, problems }
  }))
  return Skills.of({
    all: Effect.map(catalogue, ({ all }) => all),
    problems: Effect.map(catalogue, ({ problems }) => problems),
    find: Effect.fn("Skills.find")(function*(name) {
      const { all } = yield* catalogue
      return all.find((skill) => skill.name === name) ?? (yield* new SkillNotFound({ name, known: all.map((skill) => skill.name) }))
    })
  })
})
