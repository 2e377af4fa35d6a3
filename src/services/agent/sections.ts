import * as Effect from "effect/Effect"
import type * as Context from "effect/Context"
import type { PromptPart } from "../PromptParts.js"
import type { PromptParts } from "../PromptParts.js"
import type { Offered } from "../Toolbox.js"
import type { Scene } from "./prompt.js"

const speaksOfOffered = (names: ReadonlySet<string>) => (part: PromptPart) =>
  part.text !== "" && (part.tool === undefined || names.has(part.tool))
const texts = (parts: ReadonlyArray<PromptPart>) => parts.map(({ text }) => text)
const join = (sections: ReadonlyArray<string>) => sections.filter((section) => section !== "").join("\n\n")

export interface Assembling {
  readonly scene: Omit<Scene, "tools">
  /** what stands first, for a set of tools */
  readonly base: (scene: Scene) => string
  readonly parts: Context.Tag.Service<PromptParts>
  readonly keeps: (part: PromptPart) => boolean
  /** project instructions, the root's; stable */
  readonly instructions: Effect.Effect<string>
  /** what else changes from step to step */
  readonly changing: Effect.Effect<ReadonlyArray<string>>
}

/**
 * The system prompt of a turn, anew for each request: the stable section first, the same bytes for the whole turn as
 * long as the tools are the same; then what changes.
 */
export const assemble = ({ base, changing, instructions, keeps, parts, scene }: Assembling) => {
  let stable: { readonly tools: string; readonly text: string } | null = null
  return Effect.fnUntraced(function*(tools: ReadonlyArray<Offered>) {
    const names = new Set(tools.map(({ name }) => name))
    const own = [...names].filter((name) => !name.startsWith("mcp__"))
    const key = own.join(" ")
    const all = (yield* parts.all).filter(keeps).filter(speaksOfOffered(names))
    if (stable === null || stable.tools !== key) {
      const text = join([base({ ...scene, tools: new Set(own) }), yield* instructions, ...texts(all.filter((part) => part.stable))])
      stable = { tools: key, text }
    }
    return [stable.text, ...texts(all.filter((part) => !part.stable)), ...yield* changing].filter((section) => section !== "")
  })
}
