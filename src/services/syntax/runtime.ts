import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { setFlagsFromString } from "node:v8"
import type { Language, Node, Parser } from "@vscode/tree-sitter-wasm"
import { deepestNesting } from "./nesting.js"

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
export class ParseStopped extends Schema.TaggedError<ParseStopped>()("ParseStopped", {
  /** a sentence */
  why: Schema.String
}) {
  override get message() {
    return `${this.why} Use read_file and grep instead.`
  }
}

type Library = typeof import("@vscode/tree-sitter-wasm")
interface Runtime {
  readonly library: Library
  readonly grammars: Map<GrammarName, Promise<Language>>
  /** A trap left its memory in an unknown state. */
  broken: boolean
}

const name = "@vscode/tree-sitter-wasm"
// The package is CommonJS whose exports no ESM loader sees, and stays outside of bundles because of its .wasm files.
const require = createRequire(import.meta.url)
const { Memory }: { readonly Memory: new(pages: { readonly initial: number; readonly maximum: number }) => object } =
  Reflect.get(globalThis, "WebAssembly")
const memoryPages = 8_192
const start = (): Promise<Runtime> => {
  // A grammar's lexer is one huge function. V8's optimising compiler takes longer for it than reading most sources does,
  // and the process waits for it at its end.
  setFlagsFromString("--liftoff-only")
  // Code that is kept for the next run is only good under the flags which that will have.
  process.prependOnceListener("exit", () => setFlagsFromString("--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering"))
  // The library keeps its instance in a module variable: only a fresh module has a fresh instance.
  delete require.cache[require.resolve(name)]
  const library: Library = require(name)
  const options = {
    locateFile: (file: string) => require.resolve(`${name}/wasm/${file}`),
    wasmMemory: new Memory({ initial: 512, maximum: memoryPages })
  }
  return library.Parser.init(options).then(() => ({ library, grammars: new Map(), broken: false }))
}

let started: Promise<Runtime> | null = null
const grammarIn = ({ grammars, library }: Runtime, grammar: GrammarName): Promise<Language> => {
  const known = grammars.get(grammar)
  if (known !== undefined) return known
  const loading = readFile(require.resolve(`${name}/wasm/tree-sitter-${grammar}.wasm`)).then((bytes) => library.Language.load(bytes))
  grammars.set(grammar, loading)
  return loading
}
const load = (grammar: GrammarName) =>
  Effect.tryPromise({
    try: () => (started ??= start()).then((runtime) => grammarIn(runtime, grammar).then((language) => ({ runtime, language }))),
    catch: (cause) => new GrammarUnusable({ grammar, cause })
  }).pipe(Effect.tapError(() => Effect.sync(() => {
    started = null
  })))

const sliceMillis = 12
const limitMillis = 5_000
const maxNesting = 5_000

/** Lets timers, sockets and interruption have their turn. */
const breathe = Effect.async<void>((resume) => {
  const pending = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(pending))
})

/** One slice of parsing: the tree, or null when there is more to do. */
const slice = (runtime: Runtime, parser: Parser, text: string) =>
  Effect.try({
    try: () => {
      const begun = performance.now()
      return parser.parse(text, null, { progressCallback: () => performance.now() - begun > sliceMillis })
    },
    catch: () => {
      runtime.broken = true
      started = null
      return new ParseStopped({ why: `Parsing needed more than ${memoryPages / 16} MB of memory and was stopped.` })
    }
  })

const parsed = Effect.fnUntraced(function*<A>(runtime: Runtime, parser: Parser, text: string, use: (root: Node) => A, limit: number) {
  let used = 0
  while (true) {
    const begun = performance.now()
    const tree = yield* slice(runtime, parser, text)
    if (tree !== null) {
      try {
        return use(tree.rootNode)
      } finally {
        tree.delete()
      }
    }
    used += performance.now() - begun
    if (used > limit) return yield* new ParseStopped({ why: `Parsing took longer than ${limit / 1000} s and was stopped.` })
    yield* breathe
  }
})

/**
 * Parses `text` and hands the tree's root to `use`, which takes out what it needs: nodes are dead afterwards, the tree
 * is freed. Text with syntax errors gives a tree with ERROR nodes. Runs in slices of some milliseconds, so that other
 * fibres go on and this one can be interrupted. `limit`: milliseconds of parsing, default 5,000.
 */
export const parse = Effect.fnUntraced(function*<A>(grammar: GrammarName, text: string, use: (root: Node) => A, limit: number = limitMillis) {
  // The library's recovery from thousands of unclosed brackets is one step that nothing can interrupt.
  if (deepestNesting(text) > maxNesting) return yield* new ParseStopped({ why: `Its brackets nest more than ${maxNesting} deep, which takes too long to parse.` })
  const { language, runtime } = yield* load(grammar)
  return yield* Effect.acquireUseRelease(
    Effect.sync(() => new runtime.library.Parser().setLanguage(language)),
    (parser) => parsed(runtime, parser, text, use, limit),
    (parser) => Effect.sync(() => runtime.broken ? undefined : parser.delete())
  )
})
