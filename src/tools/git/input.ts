import * as Schema from "effect/Schema"
import type { Subject } from "../../services/Permissions.js"

/** An absent or present text; what it means is in its name. */
export const optionalText = Schema.optionalWith(Schema.String, { exact: true })

/** An optional number of lines or commits; the check is not sent to the model. */
export const optionalCount = Schema.optionalWith(
  Schema.Number.pipe(Schema.filter((value) => Number.isInteger(value) && value >= 1 || `Expected a whole number of at least 1, actual ${value}`)),
  { exact: true }
)

/**
 * The input of a tool that takes none. An empty struct admits anything, so keys are refused here; its schema is spelt
 * out because that of an empty struct also admits arrays.
 */
export const nothing = Schema.Struct({}).pipe(Schema.filter(
  (value) => {
    const keys = Object.keys(value)
    return keys.length === 0 || `${keys.join(", ")}: is unexpected, this tool takes no input`
  },
  { jsonSchema: { type: "object", properties: {} } }
))

/** What rules are matched against: the path where one is given. */
export const pathSubject = ({ path }: { readonly path?: string }): ReadonlyArray<Subject> => path === undefined ? ["*"] : [{ path }]
