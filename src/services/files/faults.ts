import type { DiskFault, EntryKind } from "../Disk.js"
import type { FileFault } from "../Files.js"
import { FileTrouble, NoSuchFile, WrongKind } from "../Files.js"

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
