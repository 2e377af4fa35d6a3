import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Stands in a text for any text that is not known before it runs. No word of a shell holds a NUL. */
export const hole = "\0"

/** A word as the program gets it. */
export interface Field {
  /** with `hole` for what is not known */
  readonly text: string
  /** It may become no word or several: an unquoted expansion that is not known, or a pattern. */
  readonly many: boolean
  /** The pattern, where the word is one (backslash before what is literal), else null. */
  readonly glob: string | null
  /** It holds what a download gave. */
  readonly fetched: boolean
  /** It is written down, not expanded from something. */
  readonly literal: boolean
  /** What is in the file it names, where a process substitution made it. */
  readonly contents?: Text
}

/** A text that a command reads or writes. */
export interface Text {
  /** null: not known */
  readonly text: string | null
  /** false: it is one of the things that may be in it */
  readonly sure: boolean
  /** It holds what a download gave. */
  readonly fetched: boolean
}
/** What a command reads from its standard input. */
export interface Input extends Text {
  /** something is there: a pipe, a file, a here-document */
  readonly given: boolean
}

/** One command that the line may run, with what it may be run with. */
export interface Simple {
  readonly words: ReadonlyArray<Field>
  /** as it is written, or put together where it is not */
  readonly source: string
  /** Names of variables set in front of it, or by it. */
  readonly sets: ReadonlyArray<string>
  readonly input: Input
  /** `guard`: run by a program that runs others as its business (`npx`, `docker exec`, a one-line program); no rule has to allow it, but it must not be refused. */
  readonly reach: "rules" | "guard"
  /** Folders it may run in, workspace-relative; null: not known. */
  readonly folders: ReadonlyArray<string | null>
}

/** A file that a redirection writes. */
export interface Written {
  readonly path: Field
  readonly source: string
  readonly folders: ReadonlyArray<string | null>
  /** what is written was downloaded */
  readonly fetched: boolean
}

/** A shell line taken apart: every command it may run, whatever runs it. */
export interface Analysis {
  readonly line: string
  readonly commands: ReadonlyArray<Simple>
  readonly writes: ReadonlyArray<Written>
  /** Why the line, or code in it, could not be read: a clause after "because"; null when it could. It then may run what is not in `commands`. */
  readonly unread: string | null
  /** What in it is not known before it runs, each a clause. Patterns in rules cannot allow it. */
  readonly doubts: ReadonlyArray<string>
  /** Name of a function that starts itself over and over, else null. */
  readonly bomb: string | null
}

/** Why a line of which nothing is run is `unread`: it can be read, but there is nothing that a rule could allow. */
export const noCommand = "there is no command in it"

/** Shell lines taken apart into the commands they run, without running anything. */
export class Commands extends Context.Tag("shiro/Commands")<Commands, {
  /** `folder`: where it runs, workspace-relative. */
  readonly analyse: (line: string) => Effect.Effect<Analysis>
  /** The same for a program and its arguments that are started without a shell. */
  readonly analyseWords: (words: ReadonlyArray<string>) => Effect.Effect<Analysis>
}>() {}
