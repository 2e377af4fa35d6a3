/** A shell line as bash reads it (bash 5, `-c`), before anything in it is expanded. */

export { hole } from "../Commands.js"

export type WordPart =
  | { readonly is: "text"; readonly text: string; readonly quoted: boolean }
  | { readonly is: "tilde"; readonly user: string }
  /** `$x` and `${…}`; `operand` is what follows the operator */
  | {
    readonly is: "parameter"
    readonly name: string
    /** null: none; else what stands between `[` and `]` */
    readonly index: Word | null
    /** `:-`, `#`, `/`, `@P`, …; `length` for `${#x}`, `indirect` for `${!x}`; empty for none */
    readonly operator: string
    readonly operand: Word | null
    readonly quoted: boolean
    /** It is a name without braces, which what follows it may add to. */
    readonly bare?: boolean
  }
  /** `apart`: it stood between backquotes, so that its places are those of a text of its own; `broken`: it could not be read to its end */
  | { readonly is: "command"; readonly script: Script; readonly quoted: boolean; readonly apart?: boolean; readonly broken?: boolean }
  /** `$((…))`, `$[…]`: what bash expands in it, and its text */
  | { readonly is: "arithmetic"; readonly parts: Word; readonly quoted: boolean }
  | { readonly is: "process"; readonly script: Script; readonly writes: boolean }
  /** text that is not known, in code that was put together from what is not known; `broken`: an expansion that bash refuses */
  | { readonly is: "unknown"; readonly quoted: boolean; readonly broken?: boolean }

export interface Word {
  readonly parts: ReadonlyArray<WordPart>
  readonly start: number
  readonly end: number
}

export interface Assignment {
  readonly name: string
  readonly index: Word | null
  readonly append: boolean
  /** a list for `x=(a b)` */
  readonly value: Word | ReadonlyArray<Word>
  readonly start: number
  readonly end: number
}

export type RedirectOperator = "<" | ">" | ">>" | ">|" | "<>" | "<&" | ">&" | "&>" | "&>>" | "<<" | "<<<"
export interface Redirect {
  readonly operator: RedirectOperator
  /** descriptor; null for the operator's usual one; a name for `{name}>` */
  readonly descriptor: number | string | null
  /** the file, the descriptor, the here-string; the body of a here-document, filled in once its lines are read */
  target: Word
  readonly start: number
  end: number
}

interface At {
  readonly start: number
  readonly end: number
}
export type Node =
  | At & { readonly is: "simple"; readonly source: string; readonly assignments: ReadonlyArray<Assignment>; readonly words: ReadonlyArray<Word>; readonly redirects: ReadonlyArray<Redirect> }
  /** `{ …; }` and `( … )` */
  | At & { readonly is: "group"; readonly body: Script; readonly subshell: boolean }
  | At & { readonly is: "pipeline"; readonly stages: ReadonlyArray<Node>; readonly timed: boolean }
  | At & { readonly is: "either"; readonly left: Node; readonly right: Node }
  | At & { readonly is: "if"; readonly branches: ReadonlyArray<{ readonly test: Script; readonly body: Script }>; readonly otherwise: Script | null }
  | At & { readonly is: "while"; readonly test: Script; readonly body: Script }
  /** `words` null: over the arguments */
  | At & { readonly is: "for"; readonly name: string; readonly words: ReadonlyArray<Word> | null; readonly body: Script; readonly select: boolean }
  | At & { readonly is: "count"; readonly expression: Word; readonly body: Script }
  | At & { readonly is: "case"; readonly subject: Word; readonly items: ReadonlyArray<{ readonly patterns: ReadonlyArray<Word>; readonly body: Script }> }
  | At & { readonly is: "function"; readonly name: string; readonly body: Node }
  /** `[[ … ]]`; `numeric`: it compares numbers, so that its operands are evaluated as arithmetic */
  | At & { readonly is: "test"; readonly words: ReadonlyArray<Word>; readonly numeric: boolean }
  | At & { readonly is: "arithmetic"; readonly expression: Word }
  | At & { readonly is: "coproc"; readonly name: string; readonly body: Node }
  | At & { readonly is: "redirected"; readonly body: Node; readonly redirects: ReadonlyArray<Redirect> }

/** Commands in order. `&` starts one in the background. */
export interface Script {
  readonly items: ReadonlyArray<{ readonly node: Node; readonly background: boolean }>
}

/** Thrown inside of the reader: why text is no shell code, a clause that follows "because". */
export class Unreadable extends Error {
  constructor(readonly why: string) {
    super(why)
  }
}

/** A whole text: what could be read of it, line by line as bash does, and what is wrong with the rest. */
export interface Reading {
  readonly script: Script
  readonly fault: string | null
  /** what bash may read differently, each a clause */
  readonly doubts: ReadonlyArray<string>
}

/** The scripts of the `>(…)` in words, which read what is written to those. */
export const readersIn = (words: ReadonlyArray<Word>): ReadonlyArray<Script> =>
  words.flatMap(({ parts }) => parts.flatMap((part) => part.is === "process" && part.writes ? [part.script] : []))
