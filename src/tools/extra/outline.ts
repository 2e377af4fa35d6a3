import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { Syntax } from "../../services/Syntax.js"
import type { Declaration } from "../../services/syntax/declaration.js"
import { resultCap } from "../text/cap.js"
import { countLines } from "../text/lines.js"
import { counted } from "../text/number.js"
import * as Tool from "../Tool.js"

/** Data that a class or interface holds is seen when it is read. */
const shown = (declaration: Declaration) => declaration.kind !== "field"

const lines = (declarations: ReadonlyArray<Declaration>, levels: number, indent = ""): ReadonlyArray<string> =>
  declarations.filter(shown).flatMap(({ first, heading, last, members }) => [
    `${indent}${first === last ? first : `${first}-${last}`}: ${heading}`,
    ...(levels > 1 ? lines(members, levels - 1, `${indent}  `) : [])
  ])

/** As deep as there is room for, with a note of what was left out for it. */
const fitting = (declarations: ReadonlyArray<Declaration>, room: number): string => {
  const whole = lines(declarations, Infinity).join("\n")
  if (whole.length <= room) return whole
  const top = lines(declarations, 1).join("\n")
  return `(members are left out, the whole is too long; read_symbol and find_symbol find them)\n${top}`
}

export const outline = Tool.make({
  name: "outline",
  set: "extra",
  description: "Map of a source file: its functions, classes, methods and types with line ranges. Look here before reading a large file.",
  input: Schema.Struct({ path: Schema.String }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("outline")(function*(input) {
    const { path, text } = yield* (yield* Files).read(input.path)
    const { broken, declarations, language } = yield* (yield* Syntax).outline(path, text)
    const head = `${path} (${language}, ${counted(countLines(text), "line")})`
    const note = broken ? "\n(some of it does not parse; what is declared there may be missing)" : ""
    const body = fitting(declarations, resultCap - 500)
    return body === "" ? `${head} declares nothing.${note}` : `${head}\n${body}${note}`
  })
})
