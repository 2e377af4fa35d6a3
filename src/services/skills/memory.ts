import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Skills } from "../Skills.js"
import type { SkillFile } from "./make.js"
import { make } from "./make.js"

/** The built-in skills and the given files. */
export const SkillsMemory = (files: ReadonlyArray<SkillFile> = []) => Layer.effect(Skills, make(Effect.succeed(files)))
