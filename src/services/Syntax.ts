import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Declaration } from "./syntax/declaration.js"
import type { GrammarUnusable, ParseStopped } from "./syntax/runtime.js"

export class UnknownLanguage extends Schema.TaggedError<UnknownLanguage>()("UnknownLanguage", {
  path: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.path} is in no language that can be taken apart (${this.known.join(", ")}). Use read_file and grep instead.`
  }
}
export class TooLargeToParse extends Schema.TaggedError<TooLargeToParse>()("TooLargeToParse", {
  path: Schema.String,
  size: Schema.Number,
  limit: Schema.Number
}) {
  override get message() {
    return `${this.path} has ${this.size.toLocaleString("en-US")} characters; at most ${this.limit.toLocaleString("en-US")} are parsed. Use grep to find the place and read_file to read it.`
  }
}
export type SyntaxFault = UnknownLanguage | TooLargeToParse | GrammarUnusable | ParseStopped

export interface Outline {
  /** as people write it: `TypeScript`, `C#` */
  readonly language: string
  readonly declarations: ReadonlyArray<Declaration>
  /** Parts of the text do not parse: a syntax error, or syntax newer than the grammar. */
  readonly broken: boolean
}

/** Source code taken apart by its grammar: comments and strings declare nothing. */
export class Syntax extends Context.Tag("shiro/Syntax")<Syntax, {
  /** Extensions of the languages known, with dot, lower case */
  readonly extensions: ReadonlyArray<string>
  /** The word that stands in a text wherever something of this name is declared: `run` of `Server.run`. */
  readonly wordOf: (name: string) => string
  /** Whether a line that holds `word` may declare a function, class, method or type of that name: a quick look that errs towards yes. */
  readonly mayDeclare: (path: string, line: string, word: string) => boolean
  /**
   * What the file declares at its top, with members. Where there is nothing of the kind (a file of test calls, one
   * function around everything), what is declared inside.
   */
  readonly outline: (path: string, text: string) => Effect.Effect<Outline, SyntaxFault>
  /** Every declaration of `name` (`f`, `Class.method`), local functions and classes included, in the order of the text. */
  readonly find: (path: string, text: string, name: string) => Effect.Effect<ReadonlyArray<Declaration>, SyntaxFault>
}>() {}
