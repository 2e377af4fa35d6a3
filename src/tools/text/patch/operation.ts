export interface HunkLine {
  /** context, removed or added */
  readonly kind: " " | "-" | "+"
  readonly text: string
  /** it ended in `\r\n` in a patch whose own lines end in `\n` */
  readonly crlf: boolean
}
export interface Hunk {
  /** line in the patch, 1-based */
  readonly at: number
  /** texts of `@@` lines: the lines of the file that it is below */
  readonly anchors: ReadonlyArray<string>
  /** from a unified header: 1-based first line, and how many; line 0 or a count of 0 for an insertion after the line */
  readonly place: { readonly line: number; readonly count: number } | null
  readonly lines: ReadonlyArray<HunkLine>
  /** how many of the last lines are blank without any prefix: context, or only space between two parts of the patch */
  readonly loose: number
  /** `*** End of File`: its last line is the file's */
  readonly atEnd: boolean
  /** `\ No newline at end of file` stood under the file's last line, before or after the change */
  readonly unterminated: { readonly before: boolean; readonly after: boolean }
}
/**
 * Where added lines get their endings: from the lines around them; as the patch shows them, if it shows those of the
 * file's lines right (`shown`); and as git wrote them, even where it shows no line of the file (`git`).
 */
export type Endings = "around" | "shown" | "git"

export type Operation =
  | { readonly kind: "add"; readonly at: number; readonly path: string; readonly text: string; readonly mode: number | null }
  /** `hunks`: the content that a unified diff says the file has; empty where nothing is said */
  | { readonly kind: "delete"; readonly at: number; readonly path: string; readonly hunks: ReadonlyArray<Hunk> }
  | {
    readonly kind: "update" | "copy"
    readonly at: number
    readonly path: string
    /** new path, null where it stays */
    readonly to: string | null
    readonly hunks: ReadonlyArray<Hunk>
    /** new permission bits, null where they stay */
    readonly mode: number | null
    readonly endings: Endings
  }
export type Patch = ReadonlyArray<Operation>

/** A sentence without its end. */
export type Problem = string

export const inLine = (at: number, problem: string): Problem => `line ${at} of the patch: ${problem}`
