import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { Search } from "../../services/Search.js"
import { Syntax } from "../../services/Syntax.js"
import { fullNames } from "../../services/syntax/names.js"
import { counted, listed } from "../text/number.js"
import * as Tool from "../Tool.js"

/** Lines of a result. */
const mostFound = 100
/** Files that are looked into before it is asked whether there is enough. */
const batch = 32

interface InFile {
  readonly lines: ReadonlyArray<string>
  /** why it was not looked into, else null */
  readonly skipped: string | null
}

const inFile = Effect.fnUntraced(function*(path: string, name: string) {
  const files = yield* Files
  const syntax = yield* Syntax
  const { text } = yield* files.read(path)
  const found = yield* syntax.find(path, text, name)
  const own = found.filter((each) => !each.adds)
  return (own.length > 0 ? own : found).map((each) => `${path}:${each.line}: ${each.kind} ${fullNames(each).join(", ")}`)
})
const inFileOrSkipped = (path: string, name: string) =>
  Effect.match(inFile(path, name), {
    onSuccess: (lines): InFile => ({ lines, skipped: null }),
    onFailure: ({ message }): InFile => ({ lines: [], skipped: message })
  })

/** In the order of the paths, no further than a result can show. */
const inFiles = Effect.fnUntraced(function*(paths: ReadonlyArray<string>, name: string) {
  const lines: Array<string> = []
  const skipped: Array<string> = []
  for (let at = 0; at < paths.length && lines.length <= mostFound; at += batch) {
    const done = yield* Effect.forEach(paths.slice(at, at + batch), (path) => inFileOrSkipped(path, name), { concurrency: 8 })
    for (const each of done) {
      lines.push(...each.lines)
      if (each.skipped !== null) skipped.push(each.skipped)
    }
  }
  return { lines, skipped }
})

export const findSymbol = Tool.make({
  name: "find_symbol",
  set: "nav",
  description: "Where a function, class, method or type is defined, not where it is used. JS/TS, Python, Go, Rust, Java, C#, C/C++, PHP, Ruby, Bash, CSS.",
  input: Schema.Struct({
    name: Schema.String.pipe(Schema.filter((name) => name.trim() !== "" || "Expected a name, actual an empty text", {
      jsonSchema: { description: "`f` or `Class.method`" }
    })),
    path: Schema.optionalWith(Schema.String, { exact: true })
  }),
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("find_symbol")(function*({ name, path }) {
    const { extensions, mayDeclare, wordOf } = yield* Syntax
    const word = wordOf(name)
    const candidates = yield* (yield* Search).filesWithWord({
      literal: word,
      extensions,
      line: (text, path) => mayDeclare(path, text, word),
      ...(path === undefined ? {} : { folder: path })
    })
    const { lines, skipped } = yield* inFiles(candidates, name)
    const notes = skipped.length === 0 ? [] : [`[${counted(skipped.length, "file")} not searched: ${listed(skipped, 3)}]`]
    if (lines.length === 0) return [`No definition of "${name}" found. grep finds where it is mentioned.`, ...notes].join("\n")
    const more = lines.length > mostFound ? ["... [more definitions; give a path, or Class.method]"] : []
    return [...lines.slice(0, mostFound), ...more, ...notes].join("\n")
  })
})
