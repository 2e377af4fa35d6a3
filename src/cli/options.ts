import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { RunOptions } from "../layers/machine.js"
import type { AgentOptions } from "../services/Agent.js"
import type { Approver } from "../services/Approver.js"
import type { ConfigValues } from "../services/config/schema.js"
import { ConfigFile } from "../services/config/schema.js"
import { HostLive } from "../services/host/live.js"
import { Host } from "../services/Host.js"
import type { Line } from "./argv.js"
import { ApproverOnTerminal } from "./ask.js"

/** What a command line says beside its words, as options of a run. */

const text = (line: Line, name: string): string | undefined => {
  const value = line.flags.get(name)
  return typeof value === "string" ? value : undefined
}
const number = (line: Line, name: string) => {
  const value = text(line, name)
  return value === undefined ? undefined : Number(value)
}

/** Values were checked when the line was read, so the decoding cannot fail. */
const configOf = (line: Line): ConfigValues => {
  const given = {
    agent: text(line, "agent"), thinking: text(line, "think"), provider: text(line, "provider"), model: text(line, "model"),
    baseURL: text(line, "base-url"), maxSteps: number(line, "max-steps"), maxCostUsd: number(line, "max-cost"),
    sandbox: line.flags.has("sandbox") ? "workspace" : undefined
  }
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return Either.getOrElse(Schema.decodeUnknownEither(ConfigFile)(values), () => ({}))
}

const off = (flag: string) => `--no-${flag}`
const withheldBy = (line: Line): Readonly<Record<string, string>> => ({
  ...(line.flags.has("no-subagent") ? { task: off("subagent") } : {}),
  ...(line.flags.has("no-skills") ? { skill: off("skills") } : {}),
  ...(line.flags.has("no-memory") ? { remember: off("memory"), recall: off("memory"), forget: off("memory") } : {})
})

export interface Extra {
  /** where a client says that it works; a `--cwd` wins */
  readonly root?: string | null
  readonly approver?: Layer.Layer<Approver>
  readonly asker?: RunOptions["asker"]
  readonly background?: RunOptions["background"]
  /** variables set for this run only */
  readonly env?: Readonly<Record<string, string>>
}

const hostWith = (env: Readonly<Record<string, string>> | undefined): Layer.Layer<Host> =>
  env === undefined ? HostLive : Layer.effect(Host, Effect.map(Host, (host) => Host.of({ ...host, env: { ...host.env, ...env } }))).pipe(Layer.provide(HostLive))

export const optionsOf = (line: Line, extra: Extra = {}): RunOptions => ({
  root: text(line, "cwd") ?? extra.root ?? process.cwd(),
  host: hostWith(extra.env),
  config: configOf(line),
  yolo: line.flags.has("yolo"),
  plugins: !line.flags.has("no-plugins"),
  mcp: !line.flags.has("no-mcp"),
  approver: extra.approver ?? ApproverOnTerminal,
  toolbox: { withheld: withheldBy(line) },
  ...(text(line, "record") === undefined ? {} : { record: text(line, "record") ?? "" }),
  ...(extra.asker === undefined ? {} : { asker: extra.asker }),
  ...(extra.background === undefined ? {} : { background: extra.background })
})

/** How the agent itself runs, by the line's flags. */
export const agentOptionsOf = ({ flags }: Line): typeof AgentOptions.Service => {
  const resume = flags.get("resume")
  return {
    instructions: !flags.has("no-instructions"),
    maxMillis: null,
    resume: typeof resume === "string" ? resume : flags.has("continue") ? "newest" : null,
    saves: true
  }
}
