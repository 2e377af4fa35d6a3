import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { FileFault } from "./Files.js"
import type { InvalidGlob } from "./search/glob.js"

export class InvalidRegex extends Data.TaggedError("InvalidRegex")<{ readonly reason: string }> {
  override get message() {
    return `Invalid regex: ${this.reason}`
  }
}
export class SearchTooLong extends Data.TaggedError("SearchTooLong")<{ readonly seconds: number }> {
  override get message() {
    return `The search took longer than ${this.seconds} s and was stopped. Use a simpler pattern or a narrower include.`
  }
}

export interface Hit {
  readonly path: string
  /** 1-based */
  readonly line: number
  /** the line without its ending, cut to the line cap on a grapheme's border */
  readonly text: string
  /** UTF-16 units of the line that were cut off */
  readonly cut: number
}
export interface Hits {
  /** the first ones by path (code units), then line */
  readonly hits: ReadonlyArray<Hit>
  /** more matched than are given */
  readonly more: boolean
  /** what could not be read, as sentences */
  readonly unreadable: ReadonlyArray<string>
  /** denied files in the searched scope, left out */
  readonly leftOut: number
}
export interface FoundFiles {
  /** by code units */
  readonly paths: ReadonlyArray<string>
  readonly more: boolean
  readonly unreadable: ReadonlyArray<string>
}

/** Search by ripgrep (packaged, else from PATH), or by our own walker where it can't be started; both give the same answers. */
export class Search extends Context.Tag("shiro/Search")<Search, {
  /** Lines that match. `include`: a glob without `/` matches base names at any depth. At most `limit` hits. */
  readonly grep: (query: {
    readonly pattern: string
    readonly include?: string
    readonly ignoreCase?: boolean
    readonly includeIgnored?: boolean
    readonly limit: number
  }) => Effect.Effect<Hits, InvalidRegex | InvalidGlob | SearchTooLong | FileFault>
  /** Files whose root-anchored path matches the glob. */
  readonly files: (query: {
    readonly pattern: string
    readonly includeIgnored?: boolean
    readonly limit: number
  }) => Effect.Effect<FoundFiles, InvalidGlob | FileFault>
  /**
   * Paths of the files that hold `literal` as a whole word and end in one of `extensions` (`.ts`), under `folder`; denied
   * ones left out. With `line`, at least one line with the word has to pass it, or be too long to be judged.
   */
  readonly filesWithWord: (query: {
    readonly literal: string
    readonly extensions: ReadonlyArray<string>
    readonly folder?: string
    readonly line?: (text: string, path: string) => boolean
  }) => Effect.Effect<ReadonlyArray<string>, FileFault>
  /** Which search runs, for `shiro doctor`: `ripgrep 15.0.0 (packaged)`, `the built-in search`. */
  readonly engine: Effect.Effect<string>
}>() {}
