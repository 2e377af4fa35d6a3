import * as Schema from "effect/Schema"

/** A text; the description goes to the model only, so that a wrong value is still told to be no string. */
export const text = (description: string) => Schema.String.annotations({ jsonSchema: { type: "string", description } })

const whole = (description?: string) =>
  Schema.Number.pipe(Schema.filter(
    (value) => Number.isInteger(value) && value >= 1 || `Expected a whole number of at least 1, actual ${value}`,
    description === undefined ? {} : { jsonSchema: { description } }
  ))
/** A number of lines, or of a line. */
export const lineNumber = (description?: string) => whole(description)
export const optionalNumber = (description?: string) => Schema.optionalWith(whole(description), { exact: true })
export const optionalFlag = Schema.optionalWith(Schema.Boolean, { exact: true })
