import * as Effect from "effect/Effect"
import { Config } from "../../services/Config.js"
import type { Fault } from "../../services/Fault.js"
import { Host } from "../../services/Host.js"
import { Jail } from "../../services/Jail.js"
import { McpClient } from "../../services/McpClient.js"
import { Model } from "../../services/Model.js"
import { Plugins } from "../../services/Plugins.js"
import { Processes } from "../../services/Processes.js"
import { Search } from "../../services/Search.js"
import { sandboxTrouble } from "../../services/shell/live.js"
import { Skills } from "../../services/Skills.js"
import type { Line } from "../argv.js"
import { configured, machine } from "../layers.js"
import { exitCode } from "../output/exitCode.js"
import { outLine } from "../output/text.js"
import type { Main } from "../run.js"
import { configTroubles } from "../troubles.js"

interface Finding {
  readonly what: string
  /** null: fine */
  readonly mend: string | null
  readonly says: string
}
const fine = (what: string, says: string): Finding => ({ what, says, mend: null })
const wrong = (what: string, says: string, mend: string): Finding => ({ what, says, mend })

const probe = Effect.fnUntraced(function*(what: string, program: string, args: ReadonlyArray<string>, mend: string) {
  const { env } = yield* Host
  const { run } = yield* Processes
  return yield* run({ program, args, cwd: "/", env, timeoutMillis: 3000 }).pipe(
    Effect.match({
      onSuccess: ({ exitCode: code, stdout }) =>
        code === 0 ? fine(what, stdout.head.split("\n")[0] ?? "") : wrong(what, `${program} ended with ${code}`, mend),
      onFailure: ({ message }) => wrong(what, message, mend)
    })
  )
})

const node = Effect.sync(() => {
  const major = Number(process.versions.node.split(".")[0])
  return major >= 20 ? fine("node", process.versions.node) : wrong("node", process.versions.node, "Install Node.js 20 or newer.")
})

const provider = Effect.gen(function*() {
  const model = yield* Model
  const facts = yield* model.current
  if (facts.wire === "script") return fine("provider", "script: answers come from a file")
  const name = `${facts.provider} ${facts.model} at ${facts.baseURL}`
  const models = yield* Effect.timeout(model.list, 5000)
  return models.length === 0 || models.includes(facts.model)
    ? fine("provider", `${name} answers`)
    : wrong("provider", `${name} answers, but lists no such model`, `Choose one of: ${models.slice(0, 20).join(", ")}`)
}).pipe(
  Effect.catchTag("TimeoutException", () => Effect.succeed(wrong("provider", "no answer within 5 s", "Check the network and --base-url."))),
  Effect.catchAll(({ message }) => Effect.succeed(wrong("provider", message.split("\n")[0] ?? "", "shiro demo works without a provider.")))
)

const sandbox = Effect.gen(function*() {
  const { values } = yield* Config
  const trouble = yield* sandboxTrouble
  return trouble === null
    ? fine("sandbox", `bubblewrap works; ${values.sandbox === "workspace" ? "on" : "off, --sandbox switches it on"}`)
    : wrong("sandbox", trouble.why, `${trouble.advice} Only needed for --sandbox.`)
})

const configuration = Effect.gen(function*() {
  const warnings = yield* configTroubles
  return warnings.length === 0 ? [fine("configuration", "no errors")] : warnings.map((warning) => wrong("configuration", warning, "See shiro config show."))
})

const plugins = Effect.gen(function*() {
  const { all, problems } = yield* Plugins
  if (problems.length > 0) return problems.map((problem) => wrong("plugins", problem, "Mend the file or the configuration, or remove it."))
  return [fine("plugins", all.length === 0 ? "none" : all.map(({ name }) => name).join(", "))]
})

const skills = Effect.gen(function*() {
  const service = yield* Skills
  const problems = yield* service.problems
  if (problems.length > 0) return problems.map((problem) => wrong("skills", problem, "Mend the file, or remove it."))
  return [fine("skills", (yield* service.all).map(({ name }) => name).join(", "))]
})

const servers = Effect.gen(function*() {
  const client = yield* McpClient
  yield* client.tools
  const all = yield* client.servers
  if (all.length === 0) return [fine("mcp", "no servers configured")]
  return all.map(({ name, state, tools, why }) =>
    state === "ready"
      ? fine("mcp", `${name} offers ${tools} ${tools === 1 ? "tool" : "tools"}`)
      : wrong("mcp", `${name}: ${why ?? "it ended"}`, `Mend mcpServers.${name} in the configuration (shiro config path), or remove it.`))
})

const checks = (line: Line) => {
  const onMachine = Effect.all([
    node,
    probe("git", "git", ["--version"], "Install git; without it the git tools are off."),
    probe("shell", "bash", ["--version"], "Install bash; the bash tool needs it."),
    Effect.flatMap(Jail, ({ root }) => Effect.succeed(fine("workspace", root)))
  ], { concurrency: "unbounded" }).pipe(Effect.provide(machine(line)))
  const withConfig = Effect.all([
    configuration,
    plugins,
    skills,
    servers,
    Effect.map(provider, (found) => [found]),
    Effect.map(sandbox, (found) => [found]),
    Effect.flatMap(Search, ({ engine }) => Effect.map(engine, (name) => [fine("search", name)]))
  ], { concurrency: "unbounded" }).pipe(
    Effect.map((all) => all.flat()),
    Effect.provide(configured(line)),
    Effect.catchAll((fault: Fault) => Effect.succeed([wrong("configuration", fault.message, "Nothing that needs it was checked.")]))
  )
  return Effect.map(Effect.all([onMachine, withConfig], { concurrency: 2 }), (all) => all.flat())
}

/** `shiro doctor`: what is installed and reachable, each with the way to mend it. */
export const main: Main = (line) =>
  Effect.scoped(Effect.gen(function*() {
    const found = yield* checks(line)
    for (const { mend, says, what } of found) {
      yield* outLine(`${mend === null ? "ok  " : "fix "} ${what.padEnd(14)} ${says}${mend === null ? "" : `\n     ${"".padEnd(14)} ${mend}`}`)
    }
    return found.every(({ mend, what }) => mend === null || what === "sandbox") ? exitCode.done : exitCode.failed
  }))
