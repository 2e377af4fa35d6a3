import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PromptParts } from "../PromptParts.js"
import { Skills } from "../Skills.js"

export const SkillsInPrompt = Layer.effectDiscard(Effect.gen(function*() {
  const skills = yield* Skills
  yield* (yield* PromptParts).register(Effect.map(skills.all, (all) => ({
    name: "skills",
    text: all.length === 0 ? "" : `# Skills (load with skill before that kind of work)\n${all.map(({ description, name }) => `- ${name}: ${description}`).join("\n")}`,
    stable: true,
    tool: "skill",
    helpers: false
  })))
}))
