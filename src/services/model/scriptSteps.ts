import * as Schema from "effect/Schema"

const exact = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** One answer. Step k answers request k. */
export const ScriptStep = Schema.Struct({
  text: exact(Schema.String),
  reasoning: exact(Schema.String),
  tools: exact(Schema.Array(Schema.Struct({ name: Schema.String, input: Schema.Unknown, id: exact(Schema.String) }))),
  /** milliseconds before each word of the text, as a slow provider takes them */
  pace: exact(Schema.Number),
  expect: exact(Schema.Struct({ lastResultIncludes: Schema.String })),
  usage: exact(Schema.Struct({ inputTokens: Schema.Number, outputTokens: Schema.Number, cachedTokens: exact(Schema.Number) }))
})
export type ScriptStep = typeof ScriptStep.Type

/** A list of steps, or one with lists for helpers by their task's description. */
export const Script = Schema.Union(
  Schema.Array(ScriptStep),
  Schema.Struct({
    steps: Schema.Array(ScriptStep),
    agents: exact(Schema.Record({ key: Schema.String, value: Schema.Array(ScriptStep) }))
  })
)
export type Script = typeof Script.Type
