import * as Effect from "effect/Effect"
import { BadRef } from "../Git.js"

/** Refuses what git could take for an option; nothing else of a ref is judged, git's own words say what is wrong. */
export const checkRef = (ref: string): Effect.Effect<void, BadRef> => {
  const why = ref === ""
    ? "it is empty"
    : ref.startsWith("-")
    ? "it begins with a dash, so git could take it for an option"
    : /[\0\n\r]/.test(ref)
    ? "it is not a single line"
    : null
  return why === null ? Effect.void : new BadRef({ ref, why })
}
