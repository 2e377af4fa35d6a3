import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { Syntax } from "../../services/Syntax.js"
import type { Declaration } from "../../services/syntax/declaration.js"
import { flat, fullNames } from "../../services/syntax/names.js"
import { resultCap } from "../text/cap.js"
import { closest } from "../text/closest.js"
import { lineTexts } from "../text/lines.js"
import { lineRange, listed } from "../text/number.js"
import { renderLines } from "../text/window.js"
import * as Tool from "../Tool.js"

/** Nothing in the file is called so. */
export class NoSuchSymbol extends Schema.TaggedError<NoSuchSymbol>()("NoSuchSymbol", {
  path: Schema.String,
  name: Schema.String,
  similar: Schema.Array(Schema.String),
  declared: Schema.Array(Schema.String)
}) {
  override get message() {
    const start = `${this.path} declares no "${this.name}".`
    if (this.similar.length > 0) return `${start} Similar: ${listed(this.similar)}.`
    return this.declared.length === 0 ? `${start} It declares nothing.` : `${start} It declares ${listed(this.declared, 30)}.`
  }
}

const callable = new Set(["function", "method"])
/** Overloads that follow each other, and a getter with its setter, are read as one. */
const together = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<ReadonlyArray<Declaration>> => {
  const groups: Array<Array<Declaration>> = []
  for (const each of declarations) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    const goesOn = before !== undefined && callable.has(before.kind) && callable.has(each.kind)
      && each.documented <= before.last + 2 && fullNames(each)[0] === fullNames(before)[0]
    if (group !== undefined && goesOn) group.push(each)
    else groups.push([each])
  }
  return groups
}

/** What is meant by the name, and what else it might mean: a bare name means what is at the top, an `impl` block adds to its type. */
const chosen = (found: ReadonlyArray<Declaration>, name: string) => {
  const own = found.filter((each) => !each.adds)
  const exact = own.filter((each) => fullNames(each).includes(name.trim()))
  const best = exact.length > 0 ? exact : own.length > 0 ? own : found
  return { best, others: found.filter((each) => !best.includes(each)) }
}

const located = (each: Declaration): string => {
  const owners = each.owners.length === 0 || each.adds ? "" : ` (in ${each.owners.join(".")})`
  return `${each.first === each.last ? each.first : `${each.first}-${each.last}`}: ${each.heading}${owners}`
}

const several = (path: string, name: string, groups: ReadonlyArray<ReadonlyArray<Declaration>>): string => {
  const each = groups.map(([first]) => first).filter((first) => first !== undefined)
  const lines = each.map(located)
  return `${path} declares ${groups.length} of "${name}":\n${lines.join("\n")}\nName one with what it is in (Class.method), or read its lines with read_file.`
}

const source = (path: string, text: string, group: ReadonlyArray<Declaration>, others: ReadonlyArray<Declaration>): string => {
  const first = Math.min(...group.map((each) => each.documented))
  const last = Math.max(...group.map((each) => each.last))
  const names = group.slice(0, 1).map((each) => `${each.kind} ${fullNames(each)[0] ?? ""}`)
  const head = [`${path} ${lineRange(first, last)}`, ...names].join(": ")
  const more = others.length === 0 ? "" : `\nOf that name also:\n${others.map(located).join("\n")}`
  const { text: shown } = renderLines(
    { lines: lineTexts(text).slice(first - 1, last), first, more: false, left: 0, note: null },
    resultCap - head.length - more.length - 200
  )
  return `${head}\n${shown}${more}`
}

export const readSymbol = Tool.make({
  name: "read_symbol",
  set: "extra",
  description: "Source of one definition by name, with the comments and decorators above it, lines numbered.",
  input: Schema.Struct({
    path: Schema.String,
    name: Schema.String.annotations({ jsonSchema: { type: "string", description: "`f` or `Class.method`" } })
  }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("read_symbol")(function*(input) {
    const syntax = yield* Syntax
    const { path, text } = yield* (yield* Files).read(input.path)
    const found = yield* syntax.find(path, text, input.name)
    const { best, others } = chosen(found, input.name)
    const groups = together(best)
    const [group] = groups
    if (group === undefined) {
      const { declarations } = yield* syntax.outline(path, text)
      const all = flat(declarations)
      const names = all.flatMap((each) => [...each.names, ...fullNames(each)])
      return yield* new NoSuchSymbol({
        path,
        name: input.name,
        similar: closest(input.name, names),
        declared: [...new Set(declarations.flatMap(fullNames))]
      })
    }
    return groups.length > 1 ? several(path, input.name, groups) : source(path, text, group, others)
  })
})
