import { type Field, hole } from "../Commands.js"

/** Something that a command runs in its turn. */
export type Inner =
  /** a program with its arguments; `sets` names variables that are set for it */
  | {
    readonly is: "words"
    readonly words: ReadonlyArray<Field>
    readonly sets: ReadonlyArray<string>
    readonly reach: "rules" | "guard"
    /** values of what it sets */
    readonly values?: ReadonlyArray<readonly [string, Field]>
  }
  /** shell code; `same`: in the shell that is running, not one of its own */
  | {
    readonly is: "code"
    readonly text: Field
    readonly arguments: ReadonlyArray<Field>
    /** `$0` */
    readonly zero?: Field
    readonly same: boolean
    /** It runs in the same shell, but at other times. */
    readonly later?: boolean
    readonly reach: "rules" | "guard"
  }
  /** the shell code that comes on its standard input */
  | { readonly is: "input"; readonly arguments: ReadonlyArray<Field>; readonly reach: "rules" | "guard" }
  /** what can't be told; a clause */
  | { readonly is: "unseen"; readonly why: string }

type Reach = "rules" | "guard"
export const words = (list: ReadonlyArray<Field>, reach: Reach = "rules", sets: ReadonlyArray<string> = []): ReadonlyArray<Inner> =>
  list.length === 0 ? [] : [{ is: "words", words: list, sets, reach }]
export const code = (text: Field, reach: Reach = "rules", args: ReadonlyArray<Field> = []): ReadonlyArray<Inner> =>
  [{ is: "code", text, arguments: args, same: false, reach }]
export const unseen = (why: string): ReadonlyArray<Inner> => [{ is: "unseen", why }]

/** Any number of words that are not known. */
export const anything: Field = { text: hole, many: true, glob: null, fetched: false, literal: false }
export const field = (text: string): Field => ({ text, many: false, glob: null, fetched: false, literal: true })
/** Several words as one text, as programs do that hand their arguments to a shell. */
export const joined = (fields: ReadonlyArray<Field>): Field =>
  ({ ...field(fields.map(({ text }) => text).join(" ")), fetched: fields.some(({ fetched }) => fetched), literal: fields.every(({ literal }) => literal) })

/** Given a program's arguments (and what it reads, where known), what it runs. */
export type Runs = (args: ReadonlyArray<Field>, input: string | null) => ReadonlyArray<Inner>
