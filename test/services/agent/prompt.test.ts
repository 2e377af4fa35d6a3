import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { basePrompt, helperPrompt } from "../../../src/services/agent/prompt.js"
import { kinds, toolsFor, variants, withoutWorker } from "../../../src/services/agent/variants.js"
import { agentNames } from "../../../src/services/config/schema.js"
import { PromptParts, PromptPartsLive } from "../../../src/services/PromptParts.js"
import { agentLayer, simple, turn } from "../../support/agent.js"
import { modelServer } from "../../support/modelServer.js"
import type { Seen } from "../../support/modelServer.js"
import { configFor, modelAt } from "../../support/wires.js"

/** Every tool that a prompt could name. */
const everyTool = [
  "read_file", "write_file", "edit_file", "glob", "grep", "bash", "multi_edit", "list_dir", "read_many_files", "apply_patch", "move_file",
  "delete_file", "find_symbol", "json_query", "insert_lines", "delete_lines", "replace_lines", "append_file", "prepend_file", "count_lines", "tree",
  "file_info", "find_files", "recent_files", "changed_files", "git_log_file", "git_diff_commits", "git_show_file", "git_current_branch",
  "git_changed_in_ref", "outline", "read_symbol", "env_info", "count_tokens", "git_status", "git_diff", "git_log", "git_show", "git_blame",
  "git_branch", "git_commit_message", "web_fetch", "task", "ask", "todo_write", "remember", "recall", "forget", "skill", "load_tools"
]
const scene = (tools: ReadonlyArray<string>) => ({ tools: new Set(tools), cwd: "/home/somebody/projects/a-repository", platform: "linux", attended: false })
const named = (text: string) => everyTool.filter((name) => new RegExp(`\\b${name}\\b`).test(text))
/** Words of plain English that are tools' names too. */
const plainWords = ["task", "ask", "tree", "skill", "outline", "recall", "remember", "forget", "grep", "glob", "bash"]

describe("the system prompt", () => {
  it.each(agentNames.map((name) => [name] as const))("of %s stays within its bytes with every tool there is", (name) => {
    assert.isAtMost(Buffer.byteLength(basePrompt(scene(everyTool), variants[name])), 4_600)
  })

  it.each(agentNames.map((name) => [name] as const))("of %s names no tool where none is offered", (name) => {
    assert.deepStrictEqual(named(basePrompt(scene([]), variants[name])).filter((tool) => !plainWords.includes(tool)), [])
  })

  it("names no tool that writes or runs where it may only read", () => {
    const offered = ["read_file", "glob", "grep", "git_status", "git_diff", "todo_write", "recall"]
    for (const name of ["plan", "review"] as const) {
      const names = named(basePrompt(scene(offered), variants[name])).filter((tool) => !plainWords.includes(tool))
      assert.deepStrictEqual(names.filter((tool) => !offered.includes(tool)), [])
    }
    for (const kind of kinds) {
      const names = named(helperPrompt(scene(offered), kind)).filter((tool) => !plainWords.includes(tool))
      assert.deepStrictEqual(names.filter((tool) => !offered.includes(tool)), [])
    }
  })

  it("says to decide where nobody can be asked", () => {
    assert.include(basePrompt(scene([]), variants.default), "Nobody can answer questions in this run")
    assert.notInclude(basePrompt({ ...scene([]), attended: true }, variants.default), "Nobody can answer")
  })
})

describe("what a variant holds", () => {
  const tool = (name: string, touches: "reads" | "writes" | "executes" | "network" | "ownState") => ({
    name, touches, set: null, description: "", inputSchema: {}, needsRepository: false,
    explain: () => Effect.die("unused"), review: () => Effect.die("unused"), settle: () => Effect.die("unused"), run: () => Effect.die("unused")
  })
  const live = [tool("read", "reads"), tool("write", "writes"), tool("run", "executes"), tool("web_fetch", "network"), tool("todo_write", "ownState"), tool("mcp__a__b", "reads"), tool("load_tools", "ownState"), tool("ask", "ownState")]
  const names = (readOnly: boolean, attended: boolean) => toolsFor(live, { readOnly, attended }).map(({ name }) => name)

  it("is everything, but nothing to ask where nobody is there", () => {
    assert.deepStrictEqual(names(false, true), live.map(({ name }) => name))
    assert.deepStrictEqual(names(false, false), live.map(({ name }) => name).filter((name) => name !== "ask"))
  })
  it("is only what reads for plan and review, and no server's tool whatever it says of itself", () => {
    assert.deepStrictEqual(names(true, true), ["read", "web_fetch", "todo_write", "ask"])
  })
  it("loses the worker from the task tool's kinds, and nothing else", () => {
    assert.deepStrictEqual(
      withoutWorker({ type: "object", properties: { kind: { type: "string", enum: ["explore", "review", "worker"] }, prompt: { type: "string" } } }),
      { type: "object", properties: { kind: { type: "string", enum: ["explore", "review"] }, prompt: { type: "string" } } }
    )
  })
})

const systemOf = (request: Seen | undefined): ReadonlyArray<string> => {
  const system = request?.body["system"]
  return Array.isArray(system) ? system.flatMap((block: unknown) => typeof block === "object" && block !== null && "text" in block ? [String(block.text)] : []) : []
}

describe("the prompt of a turn", () => {
  it.scopedLive("has the same first bytes in every step, a cache mark after them, and what changes behind", () =>
    Effect.gen(function*() {
      const serving = yield* modelServer([
        { reasoning: "a", tools: [{ name: "look", input: { text: "1" } }] }, { reasoning: "b", tools: [{ name: "look", input: { text: "2" } }] }, { text: "." }
      ])
      let step = 0
      const parts = Layer.effectDiscard(Effect.gen(function*() {
        const all = yield* PromptParts
        yield* all.register(Effect.succeed({ name: "skills", text: "# Skills", stable: true }))
        yield* all.register(Effect.sync(() => ({ name: "tasks", text: `# Tasks ${++step}`, stable: false })))
        yield* all.register(Effect.succeed({ name: "absent", text: "# Never", stable: true, tool: "not_offered" }))
      })).pipe(Layer.provideMerge(PromptPartsLive))
      const config = configFor(serving, "anthropic")
      yield* turn("go").pipe(Effect.provide(agentLayer({
        model: modelAt(serving, "anthropic"), config, parts, tools: [simple("look", "reads", Effect.succeed)], files: { "AGENTS.md": "Use tabs." }
      })))
      const systems = serving.requests.map(systemOf)
      assert.strictEqual(new Set(systems.map(([first]) => first)).size, 1)
      assert.deepStrictEqual(systems.map((sections) => sections.at(-1)), ["# Tasks 1", "# Tasks 2", "# Tasks 3"])
      const first = systems[0]?.[0] ?? ""
      assert.include(first, "# Project instructions (AGENTS.md)\nUse tabs.")
      assert.include(first, "# Skills")
      assert.notInclude(first, "# Never")
      assert.match(JSON.stringify(serving.requests[0]?.body["system"]), /"cache_control":\{"type":"ephemeral"\}/)
      assert.deepStrictEqual(serving.faults(), [])
    }))

  it.scopedLive("takes CLAUDE.md where there is no AGENTS.md, and those of folders that are worked in from the next step on", () =>
    Effect.gen(function*() {
      const serving = yield* modelServer([{ reasoning: "a", tools: [{ name: "look", input: { text: "x", path: "src/deep/a.ts" } }] }, { text: "." }])
      const config = configFor(serving, "anthropic")
      yield* turn("go").pipe(Effect.provide(agentLayer({
        model: modelAt(serving, "anthropic"), config, tools: [simple("look", "reads", Effect.succeed)],
        files: { "CLAUDE.md": "Root rules.", "src/deep/AGENTS.md": "Deep rules.", "other/AGENTS.md": "Other rules." }
      })))
      const [before, after] = serving.requests.map((request) => systemOf(request).join("\n"))
      assert.include(before, "# Project instructions (CLAUDE.md)\nRoot rules.")
      assert.notInclude(before, "Deep rules.")
      assert.include(after, "# Project instructions (src/deep/AGENTS.md)\nDeep rules.")
      assert.notInclude(after, "Other rules.")
    }))
})
