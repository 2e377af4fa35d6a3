import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

const perToken = 4
const optional = Schema.optionalWith(Schema.String, { exact: true })

export const countTokens = Tool.make({
  name: "count_tokens",
  set: "extra",
  description: "Estimate how many tokens a file or a text costs (about 4 characters each). Give either path or text.",
  input: Schema.Struct({ path: optional, text: optional }).pipe(
    Schema.filter(({ path, text }) => (path === undefined) !== (text === undefined) || "Expected either path or text, one of them")
  ),
  touches: "reads",
  subjects: ({ path }) => path === undefined ? ["*"] : [{ path }],
  body: Effect.fn("count_tokens")(function*({ path, text = "" }) {
    const file = path === undefined ? null : yield* (yield* Files).read(path)
    const { length } = file === null ? text : file.text
    const tokens = Math.ceil(length / perToken)
    const about = `about ${tokens.toLocaleString("en-US")} ${tokens === 1 ? "token" : "tokens"} (${counted(length, "character")})`
    return file === null ? about : `${file.path}: ${about}`
  })
})
