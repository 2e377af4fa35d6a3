import * as Effect from "effect/Effect"
import { Agent } from "../../../services/Agent.js"
import { agentNames, thinkingLevels } from "../../../services/config/schema.js"
import { Model } from "../../../services/Model.js"
import { setUp } from "../setup.js"
import type { SlashCommand } from "./command.js"

const pick = <const Name extends string>(names: ReadonlyArray<Name>, word: string): Name | undefined => names.find((name) => name === word)

const choice = <const Name extends string>(
  what: string,
  names: ReadonlyArray<Name>,
  choose: (name: Name) => Effect.Effect<void, never, Agent>
): SlashCommand["run"] =>
({ people, words }) =>
  Effect.gen(function*() {
    const asked = words !== "" ? words : (yield* people.inquire({ question: `Which ${what}?`, options: names.map((label) => ({ label })), multiple: false }))?.[0]
    if (asked === undefined) return `The ${what} stays as it is.`
    const name = pick(names, asked)
    if (name === undefined) return `Unknown ${what} "${asked}". Available: ${names.join(", ")}`
    yield* choose(name)
    return `${what}: ${name}`
  })

export const agentCommands: ReadonlyArray<SlashCommand> = [
  {
    name: "agent",
    about: "switch the agent: default, quick, deep, plan, review",
    run: choice("agent", agentNames, (agent) => Effect.flatMap(Agent, ({ choose }) => choose({ agent })))
  },
  {
    name: "think",
    about: "how much it thinks: off, low, medium, high, max",
    run: choice("level", thinkingLevels, (thinking) => Effect.flatMap(Agent, ({ choose }) => choose({ thinking })))
  },
  {
    name: "model",
    about: "switch the model",
    run: ({ people, words }) =>
      Effect.gen(function*() {
        const model = yield* Model
        const listed = words === "" ? yield* model.list.pipe(Effect.catchAll(() => Effect.succeed<ReadonlyArray<string>>([]))) : []
        const name = words !== "" ? words : (yield* people.inquire({ question: "Which model?", options: listed.map((label) => ({ label })), multiple: false }))?.[0]
        if (name === undefined) return "The model stays as it is."
        yield* model.select({ model: name })
        return `model: ${name} (for this run; shiro config set model ${name} keeps it)`
      })
  },
  { name: "provider", about: "set up a provider", run: ({ people }) => setUp(people) },
  {
    name: "context",
    about: "what fills the context",
    run: () =>
      Effect.gen(function*() {
        const { contextTokens, contextWindow } = yield* (yield* Agent).state
        const messages = yield* (yield* Agent).messages
        return `${contextTokens.toLocaleString("en-US")} of ${contextWindow.toLocaleString("en-US")} tokens in ${messages.length} messages. /compact makes room.`
      })
  },
  {
    name: "cost",
    about: "tokens and money so far",
    run: () =>
      Effect.gen(function*() {
        const { cachedTokens, costUsd, inputTokens, outputTokens } = yield* (yield* Agent).state
        const count = (tokens: number) => tokens.toLocaleString("en-US")
        return `${count(inputTokens)} tokens in (${count(cachedTokens)} from cache), ${count(outputTokens)} out. ${costUsd === null ? "No price is known for this model; set pricing in the configuration." : `$${costUsd.toFixed(4)}`}`
      })
  },
  {
    name: "compact",
    about: "put a summary in place of the conversation",
    run: () => Effect.flatMap(Agent, ({ compact }) => Effect.map(compact, ({ after, before }) => `${before.toLocaleString("en-US")} tokens became ${after.toLocaleString("en-US")}.`))
  },
  { name: "clear", about: "begin a new session", run: () => Effect.flatMap(Agent, ({ clear }) => Effect.as(clear, "A new session begins.")) }
]
