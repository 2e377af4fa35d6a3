import type { DiskFault, EntryKind } from "../Disk.js"
import type { FileFault } from "../Files.js"
import { AlreadyExists, FileTrouble, NoSuchFile, WrongKind } from "../Files.js"
import type { NotCommitted } from "../Journal.js"

export const nothingChanged = "Nothing was changed."

/** With article, for sentences. */
export const kindInWords: Readonly<Record<EntryKind, string>> = {
  file: "a file",
  folder: "a folder",
  link: "a symbolic link",
  pipe: "a named pipe",
  socket: "a socket",
  device: "a device"
}
export const wrongKind = (path: string, kind: EntryKind, doing: string) =>
  new WrongKind({
    path,
    is: kindInWords[kind],
    hint: doing !== "read"
      ? `Only regular files can be changed. ${nothingChanged}`
      : kind === "folder"
      ? "Use list_dir to see what is in it."
      : "Only regular files can be read."
  })

/** The system's refusal in terms of the path that was asked for. `state`: what is still as it was. */
export const faultOf = (path: string, doing: string, state = "") => (fault: DiskFault): FileFault =>
  fault.code === "ENOENT" || (fault.code === "ENOTDIR" && doing === "read")
    ? new NoSuchFile({ path })
    : new FileTrouble({ path, doing, code: fault.code, state })

/** Why a transaction did not come about. `shown`: a path as the caller named it. */
export const faultOfCommit = (shown: (path: string) => string) => ({ path, stuck, why }: NotCommitted): FileFault => {
  const state = stuck.length === 0
    ? nothingChanged
    : `Not everything could be put back as it was: ${stuck.map(shown).join(", ")}. It is tried again when shiro next starts here.`
  const trouble = (code: string) => new FileTrouble({ path: shown(path), doing: "change", code, state })
  if (why === "taken") return new AlreadyExists({ path: shown(path) })
  if (why === "changed") return trouble("it was changed by somebody else at this very moment")
  if (why === "locked") return trouble("another shiro has been changing it for half a minute")
  return why._tag === "PathEscapes" ? why : trouble(why.code)
}
