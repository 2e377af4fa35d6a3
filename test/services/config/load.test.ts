import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { merge, readConfig, restrict } from "../../../src/services/config/load.js"

const fault = (text: string) => Either.match(readConfig("/c.json", text), { onLeft: ({ message }) => message, onRight: () => "was read" })

describe("a configuration file", () => {
  it("names file, place and what was expected, all faults at once", () => {
    const message = fault("{ \"agent\": \"turbo\", \"maxSteps\": \"many\" }")
    assert.include(message, "/c.json")
    assert.include(message, "agent: Expected \"default\"")
    assert.include(message, "maxSteps: Expected number")
  })
  it("tells all that could stand in a place together, and both shapes of a server", () => {
    assert.include(fault("{ \"agent\": \"turbo\" }"), "agent: Expected \"default\", \"quick\", \"deep\", \"plan\", \"review\".")
    assert.include(fault("{ \"toolSets\": \"nav\" }"), "toolSets: Expected a list, as [\"a\"].")
    assert.match(fault("{ \"mcpServers\": { \"x\": { \"comand\": \"y\" } } }"), /cannot be used: mcpServers\.x: expected \{ "command", .* for a program, or \{ "url", [^;]* for an address\. /)
  })
  it("names line and column of text that is no JSON and quotes nothing of it", () => {
    const message = fault("{\n  \"apiKey\": \"sk-very-secret-1\",\n  oops\n}")
    assert.include(message, "line 3, column 3")
    assert.notInclude(message, "sk-very")
  })
  it("leaves an unknown key out with a warning", () => {
    const read = Either.getOrThrow(readConfig("/c.json", "{ \"modle\": \"x\", \"model\": \"y\" }"))
    assert.deepStrictEqual(read.values, { model: "y" })
    assert.include(read.warnings[0] ?? "", "unknown key \"modle\"")
  })
})

describe("a project's configuration", () => {
  it("may not set providers, keys, addresses, plugins, servers before it is trusted", () => {
    const values = { provider: "custom", baseURL: "http://evil", apiKey: "k", plugins: { guard: false }, mcpServers: { x: { command: "sh" } }, model: "m" }
    const kept = restrict("/p.json", values, false)
    assert.deepStrictEqual(kept.values, { model: "m" })
    assert.include(kept.warnings[0] ?? "", "shiro config trust")
    assert.deepStrictEqual(restrict("/p.json", values, true).values, values)
  })
  it("never switches net on nor the sandbox off, trusted or not", () => {
    const values = { toolSets: ["net", "git"], sandbox: "off", sandboxNetwork: true } as const
    const kept = restrict("/p.json", values, true)
    assert.deepStrictEqual(kept.values, { toolSets: ["git"] })
    assert.strictEqual(kept.warnings.length, 3)
  })
})

describe("layers", () => {
  it("win key by key, later over earlier, with their sources; servers are joined by name", () => {
    const { permissionLayers, sources, values } = merge([
      { source: "own", project: false, values: { model: "a", agent: "deep", mcpServers: { one: { command: "1" } }, permission: { bash: "ask" } } },
      { source: "project", project: true, values: { model: "b", mcpServers: { two: { command: "2" } }, permission: { bash: "allow" } } },
      { source: "flag", project: false, values: { model: "c" } }
    ])
    assert.strictEqual(values.model, "c")
    assert.deepStrictEqual(sources, { model: "flag", agent: "own", mcpServers: "project", permission: "project" })
    assert.deepStrictEqual(Object.keys(values.mcpServers ?? {}), ["one", "two"])
    assert.deepStrictEqual(permissionLayers.map(({ narrowsOnly, source }) => [source, narrowsOnly]), [["own", false], ["project", true]])
  })
})
