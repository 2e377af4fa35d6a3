import { readFileSync } from "node:fs"
import * as Schema from "effect/Schema"

/** The lines of `test/corpus/<name>.jsonl`. */
export const corpus = <A, I>(name: string, line: Schema.Schema<A, I>): ReadonlyArray<A> =>
  readFileSync(new URL(`../corpus/${name}.jsonl`, import.meta.url), "utf8").split("\n").filter((text) => text !== "")
    .map((text) => Schema.decodeUnknownSync(Schema.parseJson(line))(text))

export const Line = Schema.Struct({ line: Schema.String })
/** Lines that bash once read otherwise than the analysis did. */
export const differed = (): ReadonlyArray<string> => corpus("differed", Line).map(({ line }) => line)
/** All shell lines that the corpora hold, for tests that want many. */
export const allLines = (): ReadonlyArray<string> => [
  ...new Set(["refused", "asked", "passes", "compound", "differed"].flatMap((name) => corpus(name, Line).map(({ line }) => line)))
]
