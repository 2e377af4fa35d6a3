import * as fc from "effect/FastCheck"

/** Text of a line: white space of all kinds, letters that repeat, Unicode, what replacement templates and patches care for. */
export const lineText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("", "a", "b", "aa", "ab", "  a", "\ta", "a ", "}", "  }", "x = 1;", "return 1") },
  { weight: 1, arbitrary: fc.constantFrom("$&", "$1 $$ \\n", "é🛰️", "👨‍👩‍👧‍👦", "\u2028", "\u0085", "a\fb", "--- a", "+++ b", "@@ -1 +1 @@", "*** End Patch", "\\ No newline", "+", "-", " ") },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replace(/[\r\n\ufeff\ufffd]/gu, "")) }
)

export interface FileModel {
  readonly lines: ReadonlyArray<readonly [text: string, ending: "\n" | "\r\n"]>
  readonly terminated: boolean
}
const endingKinds = fc.constantFrom<"\n" | "\r\n" | "mixed">("\n", "\r\n", "mixed")

/** A file: lines, endings of one kind or mixed, with or without a final newline. */
export const fileModel = (maxLines = 12): fc.Arbitrary<FileModel> =>
  endingKinds.chain((kind) =>
    fc.record({
      lines: fc.array(
        fc.tuple(lineText, kind === "mixed" ? fc.constantFrom<"\n" | "\r\n">("\n", "\r\n") : fc.constant(kind)),
        { maxLength: maxLines }
      ),
      terminated: fc.boolean()
    }))

export const textOf = ({ lines, terminated }: FileModel): string =>
  lines.map(([text, ending], index) => index === lines.length - 1 && !terminated ? text : text + ending).join("")
