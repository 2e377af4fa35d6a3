import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { prepareInput } from "../../src/tools/input.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
const whole = Schema.Number.pipe(Schema.filter((value) => Number.isInteger(value)))

describe("prepareInput", () => {
  it("drops null under optional keys, at any depth, and leaves it elsewhere", () => {
    const input = Schema.Struct({
      path: Schema.String,
      limit: optional(whole),
      either: optional(Schema.NullOr(Schema.String)),
      files: Schema.Array(Schema.Struct({ path: Schema.String, offset: optional(whole) }))
    })
    assert.deepStrictEqual(
      prepareInput(input, { path: null, limit: null, either: null, files: [{ path: "a", offset: null }, null], more: null }),
      { path: null, files: [{ path: "a" }, null], more: null }
    )
  })

  it("takes numbers given as text where nothing else could be meant", () => {
    const input = Schema.Struct({
      plain: Schema.Number,
      refined: optional(whole),
      text: Schema.String,
      either: Schema.Union(Schema.String, Schema.Number),
      literal: Schema.Literal(1, 2),
      list: Schema.Array(Schema.Array(Schema.Struct({ line: whole }))),
      pair: Schema.Tuple(Schema.String, Schema.Number),
      record: Schema.Record({ key: Schema.String, value: Schema.Number }),
      any: Schema.Unknown
    })
    assert.deepStrictEqual(
      prepareInput(input, {
        plain: " 1.5 ", refined: "-10", text: "10", either: "10", literal: "2", list: [[{ line: "3" }]], pair: ["1", "2"], record: { a: "4" }, any: "5"
      }),
      { plain: 1.5, refined: -10, text: "10", either: "10", literal: 2, list: [[{ line: 3 }]], pair: ["1", 2], record: { a: 4 }, any: "5" }
    )
  })

  it("leaves text that is no plain number for decoding to judge", () => {
    const input = Schema.Struct({ n: Schema.Number })
    for (const n of ["", " ", "ten", "1e3", "0x10", "007", "+1", "1,000", "12345678901234567890", "NaN", "Infinity", "--1", "1.", "true"]) {
      assert.deepStrictEqual(prepareInput(input, { n }), { n })
    }
    for (const value of [null, 3, "x", [], undefined, { n: [1] }]) assert.deepStrictEqual(prepareInput(input, value), value)
  })

  it("prepares the member of a union that the value is for", () => {
    const input = Schema.Struct({
      shape: Schema.Union(
        Schema.Struct({ kind: Schema.Literal("line"), at: whole, note: optional(Schema.String) }),
        Schema.Struct({ kind: Schema.Literal("name"), at: Schema.String })
      ),
      one: Schema.Union(whole, Schema.Array(whole))
    })
    assert.deepStrictEqual(
      prepareInput(input, { shape: { kind: "line", at: "3", note: null }, one: ["1", "2"] }),
      { shape: { kind: "line", at: 3 }, one: [1, 2] }
    )
    assert.deepStrictEqual(prepareInput(input, { shape: { kind: "name", at: "3" }, one: "7" }), { shape: { kind: "name", at: "3" }, one: 7 })
    assert.deepStrictEqual(prepareInput(input, { shape: { kind: "other", at: "3" }, one: "x" }), { shape: { kind: "other", at: "3" }, one: "x" })
  })

  it("looks through filters of a whole input and transformations", () => {
    const filtered = Schema.Struct({ n: optional(Schema.NumberFromString), m: optional(whole) }).pipe(Schema.filter(() => true))
    assert.deepStrictEqual(prepareInput(filtered, { n: "1", m: "2" }), { n: "1", m: 2 })
    interface Tree {
      readonly line: number
      readonly inner: ReadonlyArray<Tree>
    }
    const tree: Schema.Schema<Tree> = Schema.Struct({ line: Schema.Number, inner: Schema.Array(Schema.suspend(() => tree)) })
    assert.deepStrictEqual(prepareInput(tree, { line: "1", inner: [{ line: "2", inner: [] }] }), { line: 1, inner: [{ line: 2, inner: [] }] })
  })

  it("keeps a key named like a part of every object", () => {
    const input = Schema.Struct({ n: Schema.Number })
    const raw: unknown = JSON.parse("{\"n\":\"1\",\"__proto__\":{\"n\":2}}")
    assert.deepStrictEqual(Object.keys(Object(prepareInput(input, raw))), ["n", "__proto__"])
  })
})
