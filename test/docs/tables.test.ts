import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toolboxOver } from "../../src/layers/whole.js"
import { AgentEvent } from "../../src/services/Agent.js"
import { ConfigFile } from "../../src/services/config/schema.js"
import { HostMemory } from "../../src/services/Host.js"
import { presets } from "../../src/services/model/presets.js"
import { defaultDecision } from "../../src/services/permissions/defaults.js"
import { Toolbox } from "../../src/services/Toolbox.js"

/** `SHIRO_WRITE_DOCS=1 npx vitest run test/docs` writes what these tests otherwise compare. */
const writes = process.env["SHIRO_WRITE_DOCS"] === "1"
const row = (...cells: ReadonlyArray<string>) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

const compared = (page: string, part: string, table: string) => {
  const file = `docs/${page}`
  const text = readFileSync(file, "utf8")
  const between = new RegExp(`(<!-- ${part}: [^\\n]*-->\\n)[^]*?(<!-- end -->)`)
  const next = text.replace(between, (_whole, open: string, close: string) => `${open}${table}\n${close}`)
  if (writes) writeFileSync(file, next)
  else assert.strictEqual(text, next, `${page} is out of date: SHIRO_WRITE_DOCS=1 npx vitest run test/docs`)
}

const repository = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "shiro-docs-")))
    execFileSync("git", ["init", "-q"], { cwd: folder })
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

describe("The docs' tables", () => {
  it.scopedLive("of tools agree with the registry", () =>
    Effect.gen(function*() {
      const root = yield* repository
      const table = yield* Effect.gen(function*() {
        const toolbox = yield* Toolbox
        const listing = yield* toolbox.listing
        const described = new Map((yield* toolbox.all).map(({ description, name }) => [name, description]))
        return [
          row("tool", "set", "touches", "by default", "bytes", "what the model is told"),
          row("---", "---", "---", "---", "---", "---"),
          ...listing.map(({ access, bytes, name, set }) =>
            row(`\`${name}\``, set ?? "", access, defaultDecision(access), String(bytes), (described.get(name) ?? "").replace(/\s+/g, " ")))
        ].join("\n")
      }).pipe(Effect.provide(toolboxOver({ root, host: HostMemory({ env: { PATH: process.env["PATH"] }, homeFolder: root, cwd: root }), mcp: false })))
      compared("tools.md", "tools", table)
    }))

  it("of events agree with the schemas", () => {
    const rows = AgentEvent.members.map((member) => {
      const [type = "", ...fields] = Object.keys(member.fields).map((name) =>
        name === "type" ? String(member.fields.type.literals[0]) : `\`${name}\``)
      return row(`\`${type}\``, fields.join(" "))
    })
    compared("headless.md", "events", [row("type", "fields"), row("---", "---"), ...rows].join("\n"))
  })

  it("of configuration agree with its schema", () => {
    const schema: unknown = JSON.parse(JSON.stringify(JSONSchema.make(ConfigFile)))
    const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value)
    const words = (value: unknown): string => {
      if (!isRecord(value)) return "any"
      if (Array.isArray(value["enum"])) return value["enum"].map((each) => `\`${String(each)}\``).join(" ")
      const what = typeof value["description"] === "string" && !/^a (string|number|positive|non-negative|boolean)/i.test(value["description"]) ? value["description"] : ""
      return what === "" ? String(value["type"] ?? "one of several shapes") : what
    }
    const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {}
    compared("configuration.md", "keys", [row("key", "value"), row("---", "---"), ...Object.entries(properties).map(([key, value]) => row(`\`${key}\``, words(value)))].join("\n"))
  })

  it("and the versions to install beside shiro are those it has: with others there are two copies of Effect", () => {
    const { dependencies } = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ dependencies: Schema.Record({ key: Schema.String, value: Schema.String }) })))(
      readFileSync("package.json", "utf8")
    )
    const wanted = ["effect", "@effect/platform"].map((name) => `${name}@${dependencies[name] ?? "?"}`).join(" ")
    assert.include(readFileSync("docs/embedding.md", "utf8"), `\nnpm install shiro-neko ${wanted}\n`)
  })

  it("of providers agree with the presets", () => {
    const shown = presets.filter(({ wire }) => wire !== "script").map(({ baseURL, keyVariable, name }) =>
      row(`\`${name}\``, baseURL ?? "`baseURL`, to be set", keyVariable === null ? "" : `\`${keyVariable}\``))
    compared("configuration.md", "providers", [row("provider", "address", "key variable"), row("---", "---", "---"), ...shown].join("\n"))
  })
})

describe("The docs' blocks of JSON", () => {
  const pages = ["README.md", ...readdirSync("docs").filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)]
  for (const page of pages) {
    it(`in ${page} parse, and are configuration where they look like it`, () => {
      for (const [, text = ""] of readFileSync(page, "utf8").matchAll(/^```json\n([^]*?)^```$/gm)) {
        const value: unknown = JSON.parse(text.replace(/^ {3}/gm, ""))
        const known = new Set(Object.keys(ConfigFile.fields))
        if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => known.has(key))) {
          Schema.decodeUnknownSync(ConfigFile)(value, { onExcessProperty: "error" })
        }
      }
    })
  }
})
