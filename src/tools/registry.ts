import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Config } from "../services/Config.js"
import { Git } from "../services/Git.js"
import { McpClient } from "../services/McpClient.js"
import type { Permissions } from "../services/Permissions.js"
import type { PluginServices } from "../services/Plugins.js"
import { Plugins } from "../services/Plugins.js"
import type { Secrets } from "../services/Secrets.js"
import type { Listed, Offered, ToolSet } from "../services/Toolbox.js"
import { Toolbox } from "../services/Toolbox.js"
import { loadTools } from "./loadTools.js"
import { mcpTool } from "./mcp.js"
import { offer } from "./pipeline.js"
import { wireBytes } from "./Tool.js"

/** Sets in the order they are listed; `core` is always on, `net` only on request (tools.md, Tool sets). */
export const optionalSets: ReadonlyArray<ToolSet> = ["edit-plus", "git", "nav", "extra", "net"]
const defaultSets: ReadonlyArray<ToolSet> = ["edit-plus", "git", "nav", "extra"]

/** Which sets are on, and a warning for every name that is none. */
export const chosenSets = (wanted: ReadonlyArray<string> | undefined) => {
  const known = (name: string): name is ToolSet => name === "core" || optionalSets.some((set) => set === name)
  return {
    on: new Set<ToolSet>(["core", ...wanted === undefined ? defaultSets : wanted.filter(known)]),
    unknown: (wanted ?? []).filter((name) => !known(name))
  }
}

/** Servers' schemas beyond this many bytes are not sent unless asked for (agent.md, MCP). */
const mostMcpBytes = 20_000

export interface ToolboxOptions {
  /** tools that are not offered in this run, with the reason */
  readonly withheld?: Readonly<Record<string, string>>
  /** tools of plugins and embedders, offered in every run; made by `Tools.offer`, their own services provided */
  readonly more?: Effect.Effect<ReadonlyArray<Offered>, never, ToolServices>
}

/** What tools from elsewhere may use without bringing it along. */
export type ToolServices = PluginServices

/** MCP tools as they are offered now: all of them, or `load_tools` and those that were loaded. */
const mcpTools = Effect.gen(function*() {
  const client = yield* McpClient
  const loaded = yield* Ref.make<ReadonlySet<string>>(new Set())
  const context = yield* Effect.context<Permissions | Secrets>()
  const all = Effect.flatMap(client.tools, (tools) => Effect.forEach(tools, (tool) => offer(mcpTool(tool)))).pipe(Effect.provide(context))
  const loader = yield* offer(loadTools(loaded, Effect.map(all, (tools) => tools.map(({ name }) => name))))
  const live = Effect.gen(function*() {
    const tools = yield* all
    if (tools.reduce((bytes, tool) => bytes + wireBytes(tool), 0) <= mostMcpBytes) return { offered: tools, deferred: [] }
    const ready = yield* Ref.get(loaded)
    return {
      offered: [loader, ...tools.filter(({ name }) => ready.has(name))],
      deferred: tools.filter(({ name }) => !ready.has(name)).map(({ name }) => name)
    }
  })
  return { all, live }
})

/** The toolbox over the given built-in tools. */
export const toolboxLayer = <R>(builtIn: Effect.Effect<ReadonlyArray<Offered>, never, R>, options: ToolboxOptions = {}) =>
  Layer.effect(
    Toolbox,
    Effect.gen(function*() {
      const { values } = yield* Config
      const git = yield* Git
      const mcp = yield* mcpTools
      const ours = yield* builtIn
      const plugged = yield* Effect.forEach((yield* Plugins).all, ({ tools }) => tools ?? Effect.succeed([]))
      // The first of a name counts: no plugin takes the place of a tool that is known.
      const known = [...ours, ...yield* options.more ?? Effect.succeed([]), ...plugged.flat()]
      const fixed = known.filter(({ name }, index) => known.findIndex((tool) => tool.name === name) === index)
      const sets = chosenSets(values.toolSets)
      const whyOff = (tool: Offered, repository: boolean): string | null => {
        if (tool.set !== null && !sets.on.has(tool.set)) return `the set ${tool.set} is off`
        if (tool.needsRepository && !repository) return "not a git repository"
        return options.withheld?.[tool.name] ?? null
      }
      const listed = (tool: Offered, why: string | null): Listed =>
        ({ name: tool.name, set: tool.set, access: tool.touches, bytes: wireBytes(tool), live: why === null, why })
      return Toolbox.of({
        live: Effect.gen(function*() {
          const repository = yield* git.inRepository
          return [...fixed.filter((tool) => whyOff(tool, repository) === null), ...(yield* mcp.live).offered]
        }),
        all: Effect.map(mcp.all, (servers) => [...fixed, ...servers]),
        deferred: Effect.map(mcp.live, ({ deferred }) => deferred),
        listing: Effect.gen(function*() {
          const repository = yield* git.inRepository
          const { deferred, offered } = yield* mcp.live
          return [
            ...fixed.map((tool) => listed(tool, whyOff(tool, repository))),
            ...offered.map((tool) => listed(tool, null)),
            ...(yield* mcp.all).filter(({ name }) => deferred.includes(name)).map((tool) => listed(tool, "deferred: load_tools brings it in"))
          ]
        })
      })
    })
  )
