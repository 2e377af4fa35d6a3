/** What a sandboxed command sees; all paths absolute, real and there. */
export interface View {
  readonly root: string
  /** becomes /tmp */
  readonly temporary: string
  /** an empty file and an empty folder, to lie over what is hidden */
  readonly emptyFile: string
  readonly emptyFolder: string
  readonly network: boolean
  /** folders that are empty and of the command alone */
  readonly blank: ReadonlyArray<string>
  readonly hiddenFolders: ReadonlyArray<string>
  readonly hiddenFiles: ReadonlyArray<string>
  /** inside hidden folders, shown nevertheless */
  readonly shown: ReadonlyArray<string>
  /** in the workspace: a mount of its own, so that it cannot be moved away, but writable */
  readonly pinned: ReadonlyArray<string>
  /** in the workspace: not writable */
  readonly fixed: ReadonlyArray<string>
  /** in the workspace: not there and not to be made */
  readonly barred: ReadonlyArray<string>
}

const isWithin = (folder: string, path: string) => path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`)

/** Namespaces of its own, none of root's powers, and the end of everything with the end of the command or of shiro. */
export const isolation = (network: boolean): ReadonlyArray<string> => [
  "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
  ...network ? [] : ["--unshare-net"],
  "--die-with-parent", "--cap-drop", "ALL",
  "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"
]

/**
 * bubblewrap's arguments before the program. Later mounts lie over earlier ones: first the system, then what is
 * hidden around the workspace, the workspace, and what is hidden or fixed inside it.
 */
export const sandboxArgs = (view: View): ReadonlyArray<string> => {
  const empty = view.blank.flatMap((path) => ["--tmpfs", path])
  const cover = (paths: ReadonlyArray<string>, over: string) => paths.flatMap((path) => ["--ro-bind", over, path])
  const around = view.hiddenFolders.filter((path) => isWithin(path, view.root))
  const others = view.hiddenFolders.filter((path) => !isWithin(path, view.root))
  const outermost = others.filter((path) => !others.some((other) => other !== path && isWithin(other, path)))
  const files = view.hiddenFiles.filter((path) => !outermost.some((folder) => isWithin(folder, path)))
  return [
    ...isolation(view.network),
    ...empty,
    ...view.shown.flatMap((path) => ["--ro-bind", path, path]),
    "--bind", view.temporary, "/tmp",
    ...around.flatMap((path) => ["--tmpfs", path]),
    "--bind", view.root, view.root,
    ...view.pinned.flatMap((path) => ["--bind", path, path]),
    ...view.fixed.flatMap((path) => ["--ro-bind", path, path]),
    ...cover(view.barred, view.emptyFolder),
    ...cover(outermost, view.emptyFolder),
    ...cover(files, view.emptyFile),
    "--chdir", view.root,
    "--"
  ]
}
