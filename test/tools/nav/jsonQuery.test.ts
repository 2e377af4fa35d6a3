import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { jsonQuery } from "../../../src/tools/nav/jsonQuery.js"
import { call } from "../../../src/tools/pipeline.js"
import { bytesOf, given } from "../workspace.js"

const file = `{
  // what it is called
  "name": "shiro",
  "scripts": { "build": "tsc -p .", "a.b": ["x", { "c": null }], },
  "big": 12345678901234567890,
  "nested": {
    "list": [
      1,
      true
    ]
  },
  "twice": 1, "twice": 2, /* the last counts */
  "quo\\"te": "y", "__proto__": { "z": 1 }, "": 0
}
`
const asked = (query: string, text = file) => call(jsonQuery, { path: "a.json", query }).pipe(given({ "a.json": text }))
const missed = (query: string, text = file) => Effect.map(Effect.flip(asked(query, text)), (error) => error.message)

describe("json_query", () => {
  it.effect("follows keys, indices and brackets, and gives the value as it stands in the file", () =>
    Effect.gen(function*() {
      const answers: Readonly<Record<string, string>> = {
        name: `"shiro"`,
        "scripts.build": `"tsc -p ."`,
        ".scripts.build": `"tsc -p ."`,
        "$.scripts.build": `"tsc -p ."`,
        "scripts[\"a.b\"][0]": `"x"`,
        "scripts['a.b'][1].c": "null",
        "scripts[\"a.b\"].1": `{ "c": null }`,
        "scripts[\"a.b\"][-1].c": "null",
        big: "12345678901234567890",
        nested: "{\n  \"list\": [\n    1,\n    true\n  ]\n}",
        "nested.list[1]": "true",
        twice: "2",
        "[\"quo\\\"te\"]": `"y"`,
        "__proto__.z": "1",
        "[\"\"]": "0"
      }
      for (const [query, answer] of Object.entries(answers)) assert.strictEqual(yield* asked(query), answer, query)
      assert.strictEqual(yield* asked(""), file.trim())
    }))

  it.effect("names the keys that are there on a miss, the most similar first", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* missed("scripts.biuld"), `No key "biuld" in scripts of a.json: its keys are build and a.b.`)
      assert.strictEqual(yield* missed("nested.list[7]"), "No item 7 in nested.list of a.json: it is an array of 2 items (0 to 1).")
      assert.strictEqual(yield* missed("nested.list.x"), `No key "x" in nested.list of a.json: it is an array of 2 items (0 to 1).`)
      assert.strictEqual(yield* missed("name.first"), `No key "first" in name of a.json: it is "shiro".`)
      assert.strictEqual(yield* missed("a", "{}"), `No key "a" in a.json: it is an object without keys.`)
      assert.strictEqual(yield* missed("toString", "{}"), `No key "toString" in a.json: it is an object without keys.`)
    }))

  it.effect("says where a file is no JSON, and where a query is no path", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* missed("b", "{\n  \"a\": 1\n  \"b\": 2\n}"), `a.json is not valid JSON: line 3 has "\\"b\\": 2" where "," or "}" is expected.`)
      assert.strictEqual(yield* missed("", ""), "a.json is not valid JSON: line 1 has the end of the file where a value is expected.")
      assert.strictEqual(yield* missed("a", "[1, 2"), `a.json is not valid JSON: line 1 has the end of the file where "," or "]" is expected.`)
      assert.include(yield* missed("a[0"), `The query is no path: "[" at character 2 of "a[0" has no end.`)
    }))

  it.effect("shows the keys of a value that is too long for a result", () =>
    Effect.gen(function*() {
      const text = JSON.stringify({ big: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, { n, text: "x".repeat(100) }])), list: Array.from({ length: 20_000 }, (_, n) => n) })
      const keys = yield* asked("big", text)
      assert.isAtMost(keys.length, 30_000)
      assert.match(keys, /^big is an object of 5000 keys \(\d+ characters\), too long to show\. What is in it:\n"key0": object of \d+ characters\n/)
      assert.match(keys, /\n\.\.\. \[\d+ more\]$/)
      assert.match(yield* asked("list", text), /^list is an array of 20000 items .*\n\[0\]: 0\n\[1\]: 1\n/)
      assert.strictEqual(yield* asked("big.key4999.n", text), "4999")
    }))

  it.effect.prop("gives every value of any JSON what JSON.parse gives", { value: Schema.parseJson(Schema.Unknown) }, ({ value }) =>
    Effect.gen(function*() {
      const text = JSON.stringify({ a: [value] }, null, 1)
      assert.deepStrictEqual(JSON.parse(yield* asked("a[0]", text)), JSON.parse(JSON.stringify(value ?? null)))
    }), { fastCheck: { numRuns: 40 } })

  it.effect("does not read a denied file", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(call(jsonQuery, { path: "key.json", query: "key" }))
      assert.include(error.message, "key.json is denied on read")
      assert.notInclude(error.message, "hush")
    }).pipe(given({ "key.json": "{\"key\":\"hush\"}" }, ["key.json"])))

  it("costs few bytes of a request", () => assert.isAtMost(bytesOf(jsonQuery), 280))
})
