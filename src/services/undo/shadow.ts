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

const chunkFiles = 1_000
const chunkBytes = 32_000_000

/** Paths in portions that one run of git ends soon. */
const chunked = (paths: ReadonlyArray<string>, size: (path: string) => number): ReadonlyArray<ReadonlyArray<string>> => {
  const chunks: Array<Array<string>> = []
  let bytes = Infinity
  for (const path of paths) {
    const last = chunks.at(-1)
    if (last === undefined || last.length >= chunkFiles || bytes + size(path) > chunkBytes) {
      chunks.push([path])
      bytes = size(path)
    } else {
      last.push(path)
      bytes += size(path)
    }
  }
  return chunks
}

/** Makes what is missing of the store. All of it is this user's alone: files that are denied on read are in it, too. */
const prepare = Effect.fnUntraced(function*({ folder, format, shared }: Ground) {
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
      ["objects/info/alternates", shared === null || shared.includes("\n") ? "" : `${join(shared, "objects")}\n`]
    ]
    for (const [name, text] of files) {
      if (await fs.readFile(join(store, name), "utf8").catch(() => null) !== text) await fs.writeFile(join(store, name), text, { mode: 0o600 })
    }
  })
  return store
})

/** A git repository in shiro's home whose work tree is the workspace; the user's own one only lends its objects. */
export const openShadow = Effect.fnUntraced(function*(
  git: Program,
  environment: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
  user: UserConfig,
  ground: Ground,
  own: string
) {
  const store = yield* prepare(ground)
  const { gitDir, ownPlace, prefix, root, shared, top } = ground
  const [index, common] = [join(store, `index.${own}`), join(store, "index")]
  const env = { ...hardened(environment, user, homeFolder, []), GIT_INDEX_FILE: index }
  yield* io(() => fs.copyFile(common, index).catch(() => undefined))

  const ask = (args: ReadonlyArray<string>, stdin?: string, workTree = top, cwd = root, indexFile = index) =>
    git(cwd, { ...env, GIT_INDEX_FILE: indexFile }, [...settings, `--git-dir=${store}`, `--work-tree=${workTree}`, ...args], stdin === undefined ? {} : { stdin })
  const excludes = [
    "--exclude-standard", "-x", "node_modules/",
    ...ownPlace === null ? [] : ["-x", `/${ownPlace.replace(/[\\*?[ ]/g, "\\$&")}/`]
  ]
  const withExcludes = Effect.suspend(() => {
    if (shared === null) return Effect.succeed(excludes)
    const file = join(shared, "info/exclude")
    return Effect.promise(() => fs.lstat(file).then((facts) => facts.isFile() ? [...excludes, `--exclude-from=${file}`] : excludes, () => excludes))
  })

  /** What is tracked by the user although it is ignored. */
  let lastIndex = ""
  const trackedButIgnored = Effect.gen(function*() {
    if (gitDir === null) return ""
    const facts = yield* Effect.promise(() => fs.lstat(join(gitDir, "index"), { bigint: true }).catch(() => null))
    const now = facts === null ? "" : `${facts.ino} ${facts.size} ${facts.ctimeNs}`
    // Anything but a file, a pipe above all, would keep git waiting.
    if (now === lastIndex || facts?.isFile() !== true) return ""
    lastIndex = now
    return yield* Effect.flatMap(withExcludes, (all) => ask(["ls-files", "-z", "-c", "-i", ...all], undefined, top, root, join(gitDir, "index"))).pipe(
      Effect.map(({ code, out }) => code === 0 ? out : "")
    )
  })
  const told = (args: ReadonlyArray<string>) =>
    Effect.flatMap(ask(args), (answer) => answer.code === 0 ? Effect.succeed(answer.out) : failed(args, answer))
  const files = Effect.flatMap(withExcludes, (all) => told(["ls-files", "-z", "-t", "-c", "-o", ...all]))
  const touched = told(["diff-files", "-z", "--name-only", "--relative", "--no-ext-diff", "--ignore-submodules=all"])

  const update = Effect.fnUntraced(function*(how: ReadonlyArray<string>, paths: ReadonlyArray<string>): Effect.fn.Return<ReadonlyArray<string>, Trouble> {
    if (paths.length === 0) return []
    const { code } = yield* ask(["update-index", "-q", ...how, "-z", "--stdin"], paths.map((path) => `${path}\0`).join(""))
    if (code === 0) return []
    const half = paths.length >> 1
    // One that git does not take must not keep the others out.
    return half === 0 ? paths : [...yield* update(how, paths.slice(0, half)), ...yield* update(how, paths.slice(half))]
  })

  return {
    files,
    touched,
    trackedButIgnored,
    /** Brings the index up to date. Gives the paths that git did not take. */
    save: Effect.fnUntraced(function*(gone: ReadonlyArray<string>, dirty: ReadonlyArray<string>, size: (path: string) => number) {
      if (gone.length + dirty.length === 0) return []
      // Of a run that was stopped; nobody else uses this index.
      yield* io(() => fs.rm(`${index}.lock`, { force: true }))
      const run = Effect.gen(function*() {
        for (const chunk of chunked(gone, () => 0)) yield* update(["--force-remove"], chunk)
        const missed: Array<string> = []
        for (const chunk of chunked(dirty, size)) missed.push(...yield* update(["--refresh", "--add", "--replace"], chunk))
        return missed
      })
      // What was done when the time was up need not be done again.
      return yield* Effect.ensuring(run, Effect.promise(() =>
        fs.copyFile(index, `${index}.new`).then(() => fs.rename(`${index}.new`, common)).catch(() => undefined)))
    }),
    /** Writes files' contents as the index has them into a folder; gives their names there. */
    write: Effect.fnUntraced(function*(paths: ReadonlyArray<string>, folder: string) {
      const names = new Map<string, string>()
      if (paths.length === 0) return names
      const { out } = yield* ask(["checkout-index", "--temp", "-q", "-z", "--stdin"], paths.map((path) => `${prefix}${path}\0`).join(""), folder, folder)
      for (const record of out.split("\0")) {
        const cut = record.indexOf("\t")
        if (cut > 0 && record.slice(0, cut) !== ".") names.set(record.slice(cut + 1 + prefix.length), record.slice(0, cut))
      }
      return names
    }),
    /** Removes contents that are of no use any more. */
    prune: (before: number) => ask(["prune", `--expire=@${Math.floor(before / 1000)}`], undefined, top, root, common),
    close: Effect.promise(() => fs.rm(index, { force: true }).then(() => fs.rm(`${index}.lock`, { force: true })).catch(() => undefined))
  }
})
export type Shadow = Effect.Effect.Success<ReturnType<typeof openShadow>>
