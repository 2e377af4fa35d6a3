import { type Reading, type Script, Unreadable } from "./ast.js"
import { Cursor } from "./cursor.js"
import { compound } from "./compound.js"
import { commands, item } from "./grammar.js"
import { readDocument } from "./words.js"

const cursor = (text: string) => new Cursor(text, { commands, compound, document: readDocument })

/**
 * Reads a text as `bash -c` does: line by line, so that what stands before a fault was read (and would be run). Never
 * throws.
 */
export const read = (text: string): Reading => {
  const items: Array<Script["items"][number]> = []
  let c: Cursor | null = null
  try {
    c = cursor(text)
    for (c.lineEnds(); !c.done; c.lineEnds()) items.push(item(c))
    if (c.pending.length > 0) c.doubts.add("a here-document has no text")
    return { script: { items }, fault: null, doubts: [...c.doubts] }
  } catch (error) {
    const why = error instanceof Unreadable ? error.why : error instanceof RangeError ? "it nests too deeply" : null
    if (why === null) throw error
    return { script: { items }, fault: why, doubts: [...c?.doubts ?? []] }
  }
}
