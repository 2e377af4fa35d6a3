import type { GrammarName } from "./runtime.js"

/**
 * Steps from a node, separated by spaces: each the name of a field, or where the node has no such field, the type of a
 * child (`*`: any). `x+` goes on as long as there is such a field; `^` is the parent of where the name was found.
 */
export type Steps = string

/** How one type of node declares something. */
export interface Declares {
  /** What it is called; `*`: the word its statement begins with (`const`, `var`); null: only what `by` tells. */
  readonly kind: string | null
  /** Where the names are; default `name`. */
  readonly name?: Steps
  /** The name of what has none in the text. */
  readonly called?: string
  /** What stands before the name but belongs to it. */
  readonly before?: string
  /** Types of node that a name may be, patterns (`{ a, b }`) looked into; anything else declares nothing. */
  readonly leaves?: ReadonlyArray<string>
  /** Its kind by the type of a node elsewhere. */
  readonly by?: { readonly at: Steps; readonly kinds: Readonly<Record<string, string>> }
  /** What it belongs to although it stands elsewhere: a Go receiver. The pattern's first group is the name. */
  readonly owner?: { readonly at: Steps; readonly pattern: RegExp }
  /** Where its body begins, for the heading; alternatives; default `body`. */
  readonly body?: ReadonlyArray<Steps>
  /** A field without which it only names something declared elsewhere. */
  readonly needs?: string
  /** What is inside is local to it. */
  readonly local?: boolean
  /** What is declared inside belongs to what is around. */
  readonly transparent?: boolean
  /** Adds to something that is declared elsewhere: an `impl` block. */
  readonly adds?: boolean
}

/** One language: everything that the walk over its trees needs to know. */
export interface Language {
  readonly name: string
  readonly grammar: GrammarName
  /** with dot, lower case */
  readonly extensions: ReadonlyArray<string>
  /** whole file names */
  readonly files?: ReadonlyArray<string>
  /** programs of a first line `#!` */
  readonly interpreters?: ReadonlyArray<string>
  readonly declares: Readonly<Record<string, Declares>>
  /** Looked into for declarations. */
  readonly holds: ReadonlyArray<string>
  /** Looked into; what is declared alone in one begins where it begins: `export`, decorators, `const`. */
  readonly wraps: ReadonlyArray<string>
  readonly comments: ReadonlyArray<string>
  /** Decorators, attributes, annotations: belong to what follows or holds them. */
  readonly marks: ReadonlyArray<string>
  /** What can be called is always declared behind a word (`def`, `func`). */
  readonly announced?: boolean
  /** Names may stand first on their line, a type or parameters behind them: groups of constants, methods of interfaces. */
  readonly grouped?: boolean
  /** Any place of a name may be its declaration. */
  readonly plain?: boolean
  /** Wrappers of a name that have no field for it. */
  readonly around?: ReadonlyArray<string>
  /** Nodes that are names as they are, whatever fields they have. */
  readonly whole?: ReadonlyArray<string>
  /** Changes of a name's text, in order, to dots between its parts. */
  readonly tidy?: ReadonlyArray<readonly [from: RegExp, to: string]>
  /** Words that are no names, whatever a text that does not parse makes of them. */
  readonly reserved?: RegExp
  /** What the grammar stumbles over and means nothing for it: put to blanks for a second try, where the first one leaves errors. */
  readonly blank?: ReadonlyArray<RegExp>
  /** The grammar of the second try, where it is another one. */
  readonly retry?: GrammarName
}
