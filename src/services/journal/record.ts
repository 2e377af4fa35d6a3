import * as Schema from "effect/Schema"

/** What was at a path, or is now. */
export const State = Schema.Union(
  Schema.Struct({ is: Schema.Literal("nothing") }),
  Schema.Struct({
    is: Schema.Literal("link"),
    text: Schema.String,
    /** name of the kept link in the transaction's folder, null where none was kept */
    image: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({
    is: Schema.Literal("file"),
    stamp: Schema.String,
    mode: Schema.Number,
    uid: Schema.Number,
    gid: Schema.Number,
    modified: Schema.Number,
    /** name of the kept content in the transaction's folder, null where none was kept */
    image: Schema.NullOr(Schema.String),
    /** SHA-256 of the content where it was known */
    hash: Schema.NullOr(Schema.String)
  })
)
export type State = typeof State.Type

export const Step = Schema.Struct({ path: Schema.String, before: State, after: State })
export type Step = typeof Step.Type

/** Written before anything: what may lie about if the rest never came. */
export const Intent = Schema.Struct({
  root: Schema.String,
  /** folders to be made, outer ones first */
  folders: Schema.Array(Schema.String),
  /** temporary files, as folder and name */
  temporary: Schema.Array(Schema.Struct({ folder: Schema.String, name: Schema.String }))
})
export type Intent = typeof Intent.Type

/** Written and flushed before the first visible change. */
export const Plan = Schema.Struct({
  turn: Schema.String,
  time: Schema.Number,
  undoes: Schema.NullOr(Schema.String),
  /** folders that were made for it, outer ones first */
  folders: Schema.Array(Schema.String),
  /** of a command: sentences on what it changed and undo cannot put back */
  beyond: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  steps: Schema.Array(Step)
})
export type Plan = typeof Plan.Type

export const intentFile = "intent.json"
export const planFile = "plan.json"

export const IntentText = Schema.parseJson(Intent)
export const PlanText = Schema.parseJson(Plan)
