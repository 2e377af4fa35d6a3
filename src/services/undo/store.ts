import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as fs from "node:fs/promises"
import { join } from "node:path"
import type { UserConfig } from "../git/hardening.js"
import { hardened } from "../git/hardening.js"
import type { Program, Trouble } from "../git/program.js"
import { failed } from "../git/program.js"

/** The store could not be read or written. */
export class StoreTrouble extends Data.TaggedError("StoreTrouble")<{ readonly cause: unknown }> {
  override get message() {
    return `The store for undo cannot be used: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}
const io = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: (cause) => new StoreTrouble({ cause }) })

/** Where a workspace's store lies and what it is of; `top` is the work tree's top, the workspace itself without a repository. */
export interface Ground {
  readonly root: string
  readonly top: string
  /** the workspace below `top`, "" or "packages/app/" */
  readonly prefix: string
  /** the repository's folder that its work trees share; null without one */
  readonly shared: string | null
  /** the folder with this work tree's own index */
  readonly gitDir: string | null
  readonly format: "sha1" | "sha256"
  /** of the workspace, in shiro's home */
  readonly folder: string
  /** shiro's home below `top`, where it lies there */
  readonly ownPlace: string | null
}

const settings = [
  "core.fileMode=true", "core.symlinks=true", "core.ignoreCase=false", "core.protectNTFS=false", "core.protectHFS=false", "core.fsync=none",
  "core.looseCompression=1", "core.untrackedCache=false", "core.splitIndex=false", "core.safecrlf=false", "core.bigFileThreshold=512m"
].flatMap((setting) => ["-c", setting])

/** Makes what is missing of the store. All of it is this user's alone: files that are denied on read are in it, too. */
const prepare = Effect.fnUntraced(function*({ folder, format }: Ground) {
  const store = join(folder, format)
  yield* io(async () => {
    for (const part of ["objects/info", "refs", "info"]) await fs.mkdir(join(store, part), { recursive: true, mode: 0o700 })
    const extension = format === "sha1" ? "" : "[extensions]\n\tobjectFormat = sha256\n"
    const version = format === "sha1" ? 0 : 1
    const files: ReadonlyArray<readonly [string, string]> = [
      ["HEAD", "ref: refs/heads/none\n"],
      ["config", `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = false\n${extension}`],
      // Bytes as they are: no repository's attribute may change them.
      ["info/attributes", "* -text -filter -ident -working-tree-encoding\n"],
      // The repository lends its objects to the runs that ask for it; what is in the store stands without it.
      ["objects/info/alternates", ""]
    ]
    for (const [name, text] of files) {
      if (await fs.readFile(join(store, name), "utf8").catch(() => null) !== text) await fs.writeFile(join(store, name), text, { mode: 0o600 })
    }
  })
  return store
})

/** Where a run of git in the store differs from the usual one. */
export interface Otherwise {
  readonly stdin?: string
  readonly workTree?: string
  readonly cwd?: string
  readonly indexFile?: string
  /** whether the user's repository lends its objects */
  readonly borrows?: boolean
}

/**
 * A git repository in shiro's home whose work tree is the workspace, with an index of this run's own beside the one
 * that runs begin with. The user's repository lends its objects only where that is said.
 */
export const openStore = Effect.fnUntraced(function*(
  git: Program,
  environment: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
  user: UserConfig,
  ground: Ground,
  own: string
) {
  const folder = yield* prepare(ground)
  const { root, shared, top } = ground
  const [index, common, objects] = [join(folder, `index.${own}`), join(folder, "index"), join(folder, "objects")]
  // git's list of places would have to quote these.
  const lender = shared === null || /[:"\n]/.test(shared) ? null : join(shared, "objects")
  const plain = hardened(environment, user, homeFolder, [])
  const lent = lender === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: lender }

  const ask = (args: ReadonlyArray<string>, { borrows = false, cwd = root, indexFile = index, stdin, workTree = top }: Otherwise = {}) =>
    git(
      cwd,
      { ...plain, ...borrows ? lent : {}, GIT_INDEX_FILE: indexFile },
      [...settings, `--git-dir=${folder}`, `--work-tree=${workTree}`, ...args],
      stdin === undefined ? {} : { stdin }
    )
  const told = (args: ReadonlyArray<string>, how?: Otherwise) =>
    Effect.flatMap(ask(args, how), (answer) => answer.code === 0 ? Effect.succeed(answer.out) : failed(args, answer))

  const update = Effect.fnUntraced(function*(
    how: ReadonlyArray<string>,
    paths: ReadonlyArray<string>,
    borrows = false
  ): Effect.fn.Return<ReadonlyArray<string>, Trouble> {
    if (paths.length === 0) return []
    const { code } = yield* ask(["update-index", "-q", ...how, "-z", "--stdin"], { borrows, stdin: paths.map((path) => `${path}\0`).join("") })
    if (code === 0) return []
    const half = paths.length >> 1
    // One that git does not take must not keep the others out.
    return half === 0 ? paths : [...yield* update(how, paths.slice(0, half), borrows), ...yield* update(how, paths.slice(half), borrows)]
  })

  /** Begins anew with the index that others have published. */
  const takeUp = Effect.promise(() => fs.copyFile(common, index).catch(() => fs.rm(index, { force: true })))
  yield* takeUp
  return {
    folder,
    objects,
    common,
    lender,
    ask,
    told,
    takeUp,
    /** Takes paths into the index, their contents into the store where nobody lends them. Gives those that git does not take. */
    add: (paths: ReadonlyArray<string>, borrows = false) => update(["--add", "--replace"], paths, borrows),
    remove: (paths: ReadonlyArray<string>) => update(["--force-remove"], paths),
    publish: Effect.promise(() => fs.copyFile(index, `${index}.new`).then(() => fs.rename(`${index}.new`, common)).catch(() => undefined)),
    /** Of a run that was stopped; nobody else uses this index. */
    unlock: io(() => fs.rm(`${index}.lock`, { force: true })),
    close: Effect.promise(() => fs.rm(index, { force: true }).then(() => fs.rm(`${index}.lock`, { force: true })).catch(() => undefined))
  }
})
export type Store = Effect.Effect.Success<ReturnType<typeof openStore>>
