/** One file of a diff as `--raw -z` tells it. Paths are relative to the work tree's top. */
export interface RawEntry {
  readonly path: string
  /** other names it had: before a rename or copy, or in a merge's parents */
  readonly from: ReadonlyArray<string>
  /** status letters: one, or in a merge one for each parent */
  readonly letters: string
  /** ids of all sides; zeros for what is absent or only in the work tree */
  readonly blobs: ReadonlyArray<string>
  /** git gave a count of lines, or said that it is binary */
  readonly counted: boolean
  readonly added: number | null
  readonly removed: number | null
}

const words: Readonly<Record<string, string>> = {
  A: "new",
  C: "copied",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type changed",
  U: "conflict"
}
export const changeWord = ({ letters }: RawEntry): string => {
  const kinds = new Set(letters)
  return (kinds.size === 1 ? words[letters.charAt(0)] : undefined) ?? "modified"
}

export const absent = (blob: string) => /^0+$/.test(blob)

const lines = (figure: string) => figure === "-" ? null : Number(figure)

/** Whether content or mode differ, and not the time stamp only; known where lines were counted. */
export const differs = ({ counted, letters }: RawEntry): boolean => counted || letters.length > 1

/** Reads `--raw -z --no-abbrev`, with or without `--numstat`. */
export const parseRaw = (text: string): ReadonlyArray<RawEntry> => {
  const records = text.split("\0")
  const entries = new Map<string, RawEntry>()
  for (let at = 0; at < records.length;) {
    const record = records[at++] ?? ""
    if (record.startsWith(":")) {
      const parents = /^:+/.exec(record)?.[0].length ?? 1
      const parts = record.slice(parents).split(" ")
      const letters = (parts.at(-1) ?? "").replace(/\d+$/, "")
      const count = parents > 1 ? parents + 1 : letters === "R" || letters === "C" ? 2 : 1
      const names = records.slice(at, at + count)
      at += count
      const path = names.at(-1) ?? ""
      const before = entries.get(path)
      entries.set(path, {
        path,
        from: [...new Set([...before?.from ?? [], ...names])].filter((name) => name !== path && name !== ""),
        // An unmerged file is told twice: that it is, and how the work tree differs from our side.
        letters: before?.letters === "U" ? "U" : letters,
        blobs: [...before?.blobs ?? [], ...parts.slice(parents + 1, 2 * parents + 2)],
        counted: false,
        added: null,
        removed: null
      })
      continue
    }
    const [, added = "", removed = "", name = ""] = /^(-|\d+)\t(-|\d+)\t([^]*)$/.exec(record) ?? []
    if (added === "") continue
    const path = name === "" ? records[at + 1] ?? "" : name
    if (name === "") at += 2
    const entry = entries.get(path)
    if (entry !== undefined) entries.set(path, { ...entry, counted: true, added: lines(added), removed: lines(removed) })
  }
  return [...entries.values()]
}
