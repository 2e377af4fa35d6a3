import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Language, Node, Parser } from "@vscode/tree-sitter-wasm"

/** Grammars of `@vscode/tree-sitter-wasm` that shiro uses, by the name in their file. */
export type GrammarName =
  | "bash" | "c-sharp" | "cpp" | "css" | "go" | "java" | "javascript" | "php" | "python" | "ruby" | "rust" | "tsx" | "typescript"

export class GrammarUnusable extends Schema.TaggedError<GrammarUnusable>()("GrammarUnusable", {
  grammar: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    return `The ${this.grammar} parser of this installation does not load, so code of that language cannot be taken apart. Use read_file and grep instead.`
  }
}
/** Parsing was given up; nothing of it is kept. */
export class ParseTooLong extends Schema.TaggedError<ParseTooLong>()("ParseTooLong", { millis: Schema.Number }) {
  override get message() {
    return `Parsing took longer than ${this.millis / 1000} s and was stopped. Use read_file and grep instead.`
  }
}

type Library = typeof import("@vscode/tree-sitter-wasm")
interface Runtime {
  readonly library: Library
  readonly grammars: Map<GrammarName, Promise<Language>>
}

// The package is CommonJS whose exports no ESM loader sees, and stays outside of bundles because of its .wasm files.
const require = createRequire(import.meta.url)
const start = (): Promise<Runtime> => {
  const library: Library = require("@vscode/tree-sitter-wasm")
  return library.Parser.init().then(() => ({ library, grammars: new Map() }))
}
const read = (library: Library, name: GrammarName): Promise<Language> =>
  readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`))
    .then((bytes) => library.Language.load(bytes))

// One WebAssembly instance a process: the library itself keeps it in a module variable.
let runtime: Promise<Runtime> | null = null
const grammarIn = ({ grammars, library }: Runtime, name: GrammarName): Promise<Language> => {
  const known = grammars.get(name)
  if (known !== undefined) return known
  const loading = read(library, name)
  grammars.set(name, loading)
  return loading
}
/** After a trap the instance's memory cannot be trusted; the next parse starts another one. */
const discard = Effect.sync(() => {
  runtime = null
})

const load = (name: GrammarName) =>
  Effect.tryPromise({
    try: () => (runtime ??= start()).then((running) => grammarIn(running, name).then((language) => ({ running, language }))),
    catch: (cause) => new GrammarUnusable({ grammar: name, cause })
  }).pipe(Effect.tapError(() => discard))

const sliceMillis = 12
const limitMillis = 5_000

/** Lets timers, sockets and interruption have their turn. */
const breathe = Effect.async<void>((resume) => {
  const pending = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(pending))
})

/** Parses in slices of some milliseconds, so that a fibre can be interrupted and others go on. */
const treeOf = Effect.fnUntraced(function*(parser: Parser, text: string, limit: number) {
  let used = 0
  while (true) {
    const begun = performance.now()
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() - begun > sliceMillis })
    if (tree !== null) return tree
    used += performance.now() - begun
    if (used > limit) return yield* new ParseTooLong({ millis: limit })
    yield* breathe
  }
})

/**
 * Parses `text` and hands the tree's root to `use`, which takes out what it needs: nodes are dead afterwards, the tree
 * is freed. Text with syntax errors gives a tree with ERROR nodes. `limit`: milliseconds of parsing, default 5,000.
 */
export const parse = <A>(
  name: GrammarName,
  text: string,
  use: (root: Node, language: Language) => A,
  limit = limitMillis
): Effect.Effect<A, GrammarUnusable | ParseTooLong> =>
  Effect.flatMap(load(name), ({ language, running }) =>
    Effect.acquireUseRelease(
      Effect.sync(() => new running.library.Parser()),
      (parser) =>
        Effect.acquireUseRelease(
          Effect.suspend(() => treeOf(parser.setLanguage(language), text, limit)),
          (tree) => Effect.sync(() => use(tree.rootNode, language)),
          (tree) => Effect.sync(() => tree.delete())
        ),
      (parser) => Effect.sync(() => parser.delete())
    )).pipe(Effect.tapDefect(() => discard))
