import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Asker } from "../Asker.js"
import { PromptParts } from "../PromptParts.js"
import type { Plugin, TurnEnd } from "../Plugins.js"
import { Plugins } from "../Plugins.js"

const worded = (error: unknown) => error instanceof Error ? error.message : String(error)

/** Tells all of them; what fails or throws keeps nobody else from being told. Gives a sentence for each that did. */
export const tellAfterTurn = (plugins: ReadonlyArray<Plugin>, turn: TurnEnd): Effect.Effect<ReadonlyArray<string>> =>
  Effect.forEach(plugins, ({ afterTurn, name }) =>
    afterTurn === undefined ? Effect.succeed([]) : Effect.suspend(() => afterTurn(turn)).pipe(
      Effect.as([]),
      Effect.catchAll((error) => Effect.succeed([`The plugin ${name} broke down after the turn: ${worded(error)}`])),
      Effect.catchAllDefect((error) => Effect.succeed([`The plugin ${name} broke down after the turn: ${worded(error)}`]))
    )).pipe(Effect.map((all) => all.flat()))

/** A question is about to wait for its answer. */
export const tellQuestion = (plugins: ReadonlyArray<Plugin>): Effect.Effect<void> =>
  Effect.forEach(plugins, ({ beforeQuestion }) =>
    beforeQuestion === undefined ? Effect.void : beforeQuestion.pipe(Effect.catchAll(() => Effect.void), Effect.catchAllDefect(() => Effect.void)),
  { discard: true })

/** The agent's questions, with the plugins told of them. */
export const askerWithPlugins = (asker: Layer.Layer<Asker>) =>
  Layer.effect(Asker, Effect.gen(function*() {
    const inner = yield* Asker
    const { all } = yield* Plugins
    return Asker.of({ ...inner, ask: (inquiry) => Effect.zipRight(inner.attended ? tellQuestion(all) : Effect.void, inner.ask(inquiry)) })
  })).pipe(Layer.provide(asker))

/** What plugins add to the system prompt. One that breaks down adds nothing. */
export const PluginsInPrompt = Layer.effectDiscard(Effect.gen(function*() {
  const { all } = yield* Plugins
  const appendices = all.flatMap(({ appendix }) => appendix === undefined ? [] : [appendix])
  if (appendices.length === 0) return
  const texts = Effect.forEach(appendices, (appendix) =>
    typeof appendix === "string" ? Effect.succeed(appendix) : appendix.pipe(
      Effect.catchAll(() => Effect.succeed("")),
      Effect.catchAllDefect(() => Effect.succeed(""))
    ))
  yield* (yield* PromptParts).register(Effect.map(texts, (each) => ({
    name: "plugins",
    text: each.filter((text) => text.trim() !== "").join("\n\n"),
    stable: typeof appendices.find((appendix) => typeof appendix !== "string") === "undefined"
  })))
}))
