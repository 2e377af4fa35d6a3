import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { GitFailed, GitRefused, NotARepository } from "../Git.js"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import type { ProcessTimedOut, ProgramMissing } from "../Processes.js"
import { Processes } from "../Processes.js"
import { Secrets } from "../Secrets.js"
import type { UserConfig } from "./hardening.js"
import { filterNames, hardened, parseConfig, userEnvironment, userSettings } from "./hardening.js"
import { topOf } from "./place.js"

export type Trouble = GitFailed | ProgramMissing | ProcessTimedOut

export interface Answer {
  readonly code: number | null
  readonly out: string
  readonly said: string
  /** stdout was longer than asked for; git was stopped */
  readonly cut: boolean
}
export interface How {
  readonly stdin?: string
  readonly stopAfterBytes?: number
}

/** A repository as it was found for one call. */
export interface Repository {
  readonly jail: Context.Tag.Service<Jail>
  readonly secrets: Context.Tag.Service<Secrets>
  /** folder of the work tree, absolute */
  readonly top: string
  /** the workspace below `top`: "" or "packages/app" */
  readonly prefix: string
  readonly gitDir: string
  /** id of the tree without entries, what a first commit is compared to */
  readonly emptyTree: string
  /** `blame.ignoreRevsFile` is set, see hardening.md */
  readonly hasIgnoreRevsFile: boolean
  /** Runs git at `top`, whatever its exit code. */
  readonly ask: (args: ReadonlyArray<string>, how?: How) => Effect.Effect<Answer, Trouble>
  /** Its standard output; anything but exit code 0 fails with git's words. */
  readonly run: (args: ReadonlyArray<string>, how?: How) => Effect.Effect<string, Trouble>
}

const timeoutMillis = 60_000
/** The first version that takes configuration with any key from the environment. */
const oldest = [2, 31] as const

const emptyTrees: Readonly<Record<string, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
}

const words = (stderr: string) =>
  stderr.split("\n").filter((line) => !/^(?:warning|hint): /.test(line)).join("\n").trim()

export const failed = (args: ReadonlyArray<string>, { code, said }: Answer) =>
  new GitFailed({ said: said === "" ? `git ${args[0] ?? ""} ended with exit code ${code ?? "none"} and said nothing.` : said })

/** Finds the repository anew for each call: commands may make, move or change it meanwhile. */
export const makeOpen = Effect.gen(function*() {
  const jail = yield* Jail
  const secrets = yield* Secrets
  const { root } = jail
  const host = yield* Host
  const processes = yield* Processes
  const known = yield* Ref.make<UserConfig | null>(null)

  const spawn = (cwd: string, env: Readonly<Record<string, string | undefined>>, args: ReadonlyArray<string>, how: How = {}) =>
    Effect.map(
      processes.run({ program: "git", outside: root, args: ["--no-pager", ...args], cwd, env, timeoutMillis, ...how }),
      ({ cut, exitCode, stderr, stdout }): Answer => ({ code: exitCode, out: stdout.head, said: words(stderr.head), cut })
    )

  const readUser = Effect.gen(function*() {
    const env = userEnvironment(host.env)
    const pattern = `^(safe\\.directory|${userSettings.map((key) => key.replace(".", "\\.")).join("|")})$`
    const [version, config] = yield* Effect.all([
      spawn("/", env, ["version"]),
      spawn("/", env, ["config", "--includes", "-z", "--get-regexp", pattern])
    ], { concurrency: 2 })
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(version.out) ?? []
    if (Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1])) {
      return yield* new GitRefused({
        why: `${version.out.trim()} is too old to be kept from running a repository's programs. Install git ${oldest.join(".")} or newer.`
      })
    }
    const pairs = parseConfig(config.out)
    const user: UserConfig = {
      safeDirectories: pairs.flatMap(([key, value]) => key === "safe.directory" ? [value] : []),
      settings: pairs.filter(([key]) => key !== "safe.directory")
    }
    yield* Ref.set(known, user)
    return user
  })

  return Effect.fnUntraced(function*() {
    const user = (yield* Ref.get(known)) ?? (yield* readUser)
    const bare = hardened(host.env, user, host.homeFolder, [])
    const [found, config] = yield* Effect.all([
      spawn(root, bare, ["rev-parse", "--absolute-git-dir", "--show-object-format"]),
      spawn(root, bare, ["config", "-z", "--name-only", "--get-regexp", "^(filter\\..*|blame\\.ignorerevsfile)$"])
    ], { concurrency: 2 })
    if (found.code !== 0) {
      return yield* /not a git repository|bare repository/.test(found.said)
        ? new NotARepository({ folder: root })
        : failed(["rev-parse"], found)
    }
    if (config.code !== 0 && config.code !== 1) return yield* failed(["config"], config)
    const [, gitDir = "", format = ""] = /^([^]*)\n([^\n]*)\n$/.exec(found.out) ?? []
    const top = yield* topOf(root, gitDir)
    if (top === null) return yield* new NotARepository({ folder: root })
    const keys = parseConfig(config.out).map(([key]) => key)
    const env = hardened(host.env, user, host.homeFolder, filterNames(keys))
    const ask = (args: ReadonlyArray<string>, how?: How) =>
      spawn(top, env, [`--git-dir=${gitDir}`, `--work-tree=${top}`, ...args], how)
    const repository: Repository = {
      jail,
      secrets,
      top,
      prefix: root === top ? "" : root.slice(top === "/" ? 1 : top.length + 1),
      gitDir,
      emptyTree: emptyTrees[format] ?? "",
      hasIgnoreRevsFile: keys.includes("blame.ignorerevsfile"),
      ask,
      run: (args, how) => Effect.flatMap(ask(args, how), (answer) => answer.code === 0 || answer.cut ? Effect.succeed(answer.out) : failed(args, answer))
    }
    return repository
  })
})
