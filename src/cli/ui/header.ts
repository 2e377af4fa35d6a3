import * as Effect from "effect/Effect"
import { Agent } from "../../services/Agent.js"
import { Config } from "../../services/Config.js"
import { Jail } from "../../services/Jail.js"
import { McpClient } from "../../services/McpClient.js"
import { Model } from "../../services/Model.js"
import { Plugins } from "../../services/Plugins.js"
import { Skills } from "../../services/Skills.js"
import { Toolbox } from "../../services/Toolbox.js"
import { chosenSets } from "../../tools/registry.js"
import { version } from "../../version.js"
import { wrap } from "./fit.js"
import type { Style } from "./style.js"
import { troubles } from "../troubles.js"

/** What a session starts with: everything that decides what the agent can do. */
export const headerLines = Effect.fnUntraced(function*(style: Style, width: number) {
  const { values, yolo } = yield* Config
  const { root } = yield* Jail
  const facts = yield* Effect.either((yield* Model).current)
  const state = yield* Effect.either((yield* Agent).state)
  const before = yield* Effect.either((yield* Agent).messages)
  const soFar = before._tag === "Left" || before.right.length === 0 ? "" : `, ${before.right.length} messages so far`
  const tools = yield* (yield* Toolbox).live
  const { on } = chosenSets(values.toolSets)
  const skills = yield* (yield* Skills).all
  const { all: plugins } = yield* Plugins
  const servers = yield* (yield* McpClient).servers
  const asks = tools.filter(({ touches }) => touches === "writes" || touches === "executes" || touches === "network").length
  const row = (name: string, text: string) => wrap(text, width - 10).map((line, at) => `${style.dim((at === 0 ? name : "").padEnd(10))}${line}`).join("\n")
  return [
    `${style.bold(`shiro ${version}`)}  ${facts._tag === "Right" ? `${facts.right.provider}/${facts.right.model}` : "no model yet"}`,
    ...state._tag === "Right" ? [row("session", `${state.right.session}${soFar}`), row("agent", `${state.right.agent}, thinking ${state.right.thinking}`)] : [],
    row("workspace", root),
    row("tools", [...on].join(" ")),
    ...skills.length === 0 ? [] : [row("skills", skills.map(({ name }) => name).join(" "))],
    row("plugins", plugins.length === 0 ? style.red("none: the guard is off") : plugins.map(({ name }) => name).join(" ")),
    ...servers.length === 0 ? [] : [row("servers", servers.map(({ name, state: phase }) => `${name} (${phase})`).join(" "))],
    row("asks", yolo ? style.yellow("nothing: --yolo") : `before ${asks} of ${tools.length} tools, unless a rule allows them`),
    ...(yield* troubles).flatMap((trouble) => wrap(trouble, width)).map(style.yellow)
  ]
})
