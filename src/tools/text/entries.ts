import { counted } from "./number.js"

export interface ListedEntry {
  readonly path: string
  readonly kind: "file" | "folder" | "link" | "other"
  readonly size: number
}

/** Entries that a listing shows (tools.md, Output caps). */
export const mostEntries = 300

const units = ["B", "K", "M", "G", "T"]
/** `999B`, `2K`, `17M`: below 1024 in bytes, then rounded. */
export const sizeText = (bytes: number): string => {
  let size = bytes
  let unit = 0
  while (Math.round(size) >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${Math.round(size)}${units[unit]}`
}

const suffix = ({ kind, size }: ListedEntry, sizes: boolean): string => {
  switch (kind) {
    case "folder":
      return "/"
    case "link":
      return "/  (link)"
    case "file":
      return sizes ? `  ${sizeText(size)}` : ""
    case "other":
      return "  (not a regular file)"
  }
}

/** The tree below `folder`, one entry a line, indented by its depth; and a note of what did not fit. */
export const entryLines = (folder: string, entries: ReadonlyArray<ListedEntry>, sizes: boolean): ReadonlyArray<string> => {
  const shown = entries.slice(0, mostEntries)
  const above = folder === "." ? 0 : folder.split("/").length
  const lines = shown.map((entry) => {
    const parts = entry.path.split("/")
    return `${"  ".repeat(parts.length - above - 1)}${parts[parts.length - 1]}${suffix(entry, sizes)}`
  })
  const left = entries.length - shown.length
  return [
    folder === "." ? "." : `${folder}/`,
    ...lines,
    ...left === 0 ? [] : [`... [${counted(left, "more entry", "more entries")}; give a path or a smaller depth]`]
  ]
}

/** In place of a tree that ignore rules hide. */
export const hiddenFolder = (folder: string, includeIgnored: boolean): string =>
  includeIgnored || /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/.test(folder)
    ? `${folder}/ is never listed (.git and node_modules are not).`
    : `${folder}/ is hidden by ignore rules; set includeIgnored to list it.`
