import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Node } from "@vscode/tree-sitter-wasm"
import { Syntax, TooLargeToParse, UnknownLanguage } from "../Syntax.js"
import type { Declaration } from "./declaration.js"
import { declarationsOf } from "./declarations.js"
import type { Language } from "./language.js"
import { languageOf, languages } from "./languages.js"
import { mayDeclare } from "./hints.js"
import { flat, isCalled, placesOf, soughtName } from "./names.js"
import { parse } from "./runtime.js"

/** UTF-16 units; the largest files people write by hand have about three million. */
const largest = 4_000_000

const known = [...new Set(languages.map((language) => language.name))]
const languageFor = Effect.fnUntraced(function*(path: string, text: string) {
  const language = languageOf(path, text)
  if (language === null) return yield* new UnknownLanguage({ path, known })
  if (text.length > largest) return yield* new TooLargeToParse({ path, size: text.length, limit: largest })
  return language
})

interface Parsed {
  readonly declarations: ReadonlyArray<Declaration>
  readonly broken: boolean
}
/** What a walk finds; with a second try for a text that does not parse because of what stands in the way. */
const taken = Effect.fnUntraced(function*(language: Language, text: string, walk: (root: Node) => ReadonlyArray<Declaration>) {
  const read = (root: Node): Parsed => ({ declarations: walk(root), broken: root.hasError })
  const first = yield* parse(language.grammar, text, read)
  const { blank = [], retry = language.grammar } = language
  if (!first.broken) return first
  const cleared = blank.reduce((source, noise) => source.replace(noise, (found) => found.replace(/[^\r\n]/g, " ")), text)
  if (cleared === text && retry === language.grammar) return first
  const second = yield* parse(retry, cleared, read)
  return !second.broken || flat(second.declarations).length > flat(first.declarations).length ? second : first
})

export const SyntaxLive = Layer.succeed(Syntax, Syntax.of({
  extensions: languages.flatMap((language) => language.extensions),
  wordOf: (name) => soughtName(name).word,
  mayDeclare: (path, line, word) => {
    const language = languageOf(path, "")
    return language === null || mayDeclare(line, word, language)
  },
  outline: Effect.fn("Syntax.outline")(function*(path, text) {
    const language = yield* languageFor(path, text)
    const parsed = yield* taken(language, text, (root) => {
      const top = declarationsOf(language, root, text, "top")
      return top.length > 0 ? top : declarationsOf(language, root, text, "all")
    })
    return { language: language.name, ...parsed }
  }),
  find: Effect.fn("Syntax.find")(function*(path, text, name) {
    const language = yield* languageFor(path, text)
    const { spellings, word } = soughtName(name)
    const places = placesOf(text, word)
    if (places.length === 0) return []
    const { declarations } = yield* taken(language, text, (root) =>
      flat(declarationsOf(language, root, text, places)).filter((each) => isCalled(each, spellings)))
    return declarations
  })
}))
