import type { Turn, Undone } from "../../services/Undo.js"

/** What an undo did, file by file. */
export const undoneText = ({ notes, refused, restored }: Undone): string =>
  [
    ...restored.length === 0 ? ["Nothing was put back."] : [`Put back ${restored.length} ${restored.length === 1 ? "file" : "files"}:`, ...restored.map((path) => `  ${path}`)],
    ...refused.length === 0 ? [] : ["Left as they are:", ...refused.map(({ path, why }) => `  ${path}: ${why}`)],
    ...notes
  ].join("\n")

export const turnLine = ({ files, id, time }: Turn): string =>
  `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}  ${id}  ${files.length} ${files.length === 1 ? "file" : "files"}: ${files.slice(0, 4).join(", ")}${files.length > 4 ? ", …" : ""}`
