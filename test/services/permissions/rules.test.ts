import { assert, describe, it } from "@effect/vitest"
import type { PermissionLayer } from "../../../src/services/Config.js"
import { decide } from "../../../src/services/permissions/decide.js"
import { compile, rulesFor, ruleWarnings } from "../../../src/services/permissions/rules.js"
import type { Touches } from "../../../src/services/Permissions.js"

const user = (rules: Readonly<Record<string, unknown>>): PermissionLayer => ({ source: "user", narrowsOnly: false, rules })
const project = (rules: Readonly<Record<string, unknown>>): PermissionLayer => ({ source: "project", narrowsOnly: true, rules })
const decision = (layers: ReadonlyArray<PermissionLayer>, tool: string, subject: string, touches: Touches = "writes") =>
  decide(rulesFor(compile(layers), tool), tool, touches, subject).decision

describe("rules", () => {
  it("leave the default where they say nothing of a tool", () => {
    assert.strictEqual(decision([user({ bash: "allow" })], "write_file", "a"), "ask")
    assert.strictEqual(decision([user({ bash: "allow" })], "read_file", "a", "reads"), "allow")
    assert.strictEqual(decision([], "web_fetch", "https://a", "network"), "ask")
    assert.strictEqual(decision([], "forget", "*", "ownState"), "allow")
    assert.strictEqual(decision([], "mcp__x__read", "*", "reads"), "ask")
  })

  it("let the last entry that fits win, without a special case for deny", () => {
    const table = { "*": "deny", "src/*": "allow", "src/generated/*": "ask" }
    assert.deepStrictEqual(
      ["README.md", "src/a.ts", "src/generated/a.ts"].map((path) => decision([user({ write_file: table })], "write_file", path)),
      ["deny", "allow", "ask"]
    )
    assert.strictEqual(decision([user({ write_file: { "src/*": "deny", "*": "allow" } })], "write_file", "src/a"), "allow")
  })

  it("replace a tool's default whole, so that what no entry fits asks", () => {
    assert.strictEqual(decision([user({ read_file: { "docs/*": "allow" } })], "read_file", "src/a.ts", "reads"), "ask")
  })

  it("let a later tool key win over an earlier one, wildcards included", () => {
    assert.strictEqual(decision([user({ mcp__x__y: "allow", "mcp__*": "deny" })], "mcp__x__y", "*"), "deny")
    assert.strictEqual(decision([user({ "mcp__*": "deny", mcp__x__y: "allow" })], "mcp__x__y", "*"), "allow")
    assert.strictEqual(decision([user({ write_file: { "a": "deny" } }), user({ write_file: { "b": "allow" } })], "write_file", "a"), "ask")
  })

  it("of a project only narrow", () => {
    const layers = [user({ bash: { "git *": "allow" }, read_file: "allow" }), project({ bash: "allow", read_file: { "private/*": "deny" }, write_file: "allow" })]
    assert.strictEqual(decision(layers, "bash", "npm publish", "executes"), "ask")
    assert.strictEqual(decision(layers, "bash", "git status", "executes"), "allow")
    assert.strictEqual(decision(layers, "read_file", "private/key", "reads"), "deny")
    assert.strictEqual(decision(layers, "read_file", "public", "reads"), "allow")
    assert.strictEqual(decision(layers, "write_file", "a"), "ask")
    assert.strictEqual(decision([user({ bash: "deny" }), project({ bash: "allow" })], "bash", "ls", "executes"), "deny")
  })

  it("that are no rules are dropped with a warning that names them", () => {
    const layers = [user({ bash: { "git *": "alow", "npm *": "allow" }, write_file: "yes", read_file: 7, "mcp__*": ["deny"], edit_file: { a: null } })]
    assert.strictEqual(decision(layers, "bash", "git status", "executes"), "ask")
    assert.strictEqual(decision(layers, "bash", "npm test", "executes"), "allow")
    assert.strictEqual(decision(layers, "write_file", "a"), "ask")
    assert.strictEqual(decision(layers, "edit_file", "a"), "ask")
    assert.deepStrictEqual(ruleWarnings(layers), [
      `user: permission.bash["git *"] is "alow", which is no decision; the rule is ignored. Write allow, ask or deny.`,
      `user: permission.write_file is "yes", which is no decision; the rule is ignored. Write allow, ask or deny.`,
      `user: permission.read_file is neither a decision nor a table of patterns; the rule is ignored. Write allow, ask or deny, or { "pattern": "allow" }.`,
      `user: permission.mcp__* is neither a decision nor a table of patterns; the rule is ignored. Write allow, ask or deny, or { "pattern": "allow" }.`,
      `user: permission.edit_file["a"] is null, which is no decision; the rule is ignored. Write allow, ask or deny.`
    ])
  })
})
