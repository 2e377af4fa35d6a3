import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { NotARepository } from "../Git.js"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import { Secrets } from "../Secrets.js"
import type { UserConfig } from "./hardening.js"
import { filterNames, hardened, parseConfig } from "./hardening.js"
import { nearestMark, topOf } from "./place.js"
import type { Answer, How, Trouble } from "./program.js"
import { failed, makeProgram } from "./program.js"
import { readUser } from "./user.js"
import { once } from "../once.js"

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
  readonly hasIgnoreRevsFile: Effect.Effect<boolean, Trouble>
  /** Runs git at `top`, whatever its exit code. */
  readonly ask: (args: ReadonlyArray<string>, how?: How) => Effect.Effect<Answer, Trouble>
  /** Its standard output; anything but exit code 0 fails with git's words. */
  readonly run: (args: ReadonlyArray<string>, how?: How) => Effect.Effect<string, Trouble>
}

/** Commands that never convert a file's content, so that no filter can run and the repository's need not be known. */
const withoutFilters = new Set(["cat-file", "diff-tree", "for-each-ref", "log", "ls-files", "ls-tree", "rev-parse", "symbolic-ref"])

/** Where the repository was found the last time; holds while `.git` is the same. */
interface Place {
  readonly mark: string
  readonly user: UserConfig
  readonly top: string
  readonly gitDir: string
  readonly emptyTree: string
}

const emptyTrees: Readonly<Record<string, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
}

/** Finds the repository of each call: commands may make, move or change it meanwhile. */
export const makeOpen = Effect.gen(function*() {
  const jail = yield* Jail
  const secrets = yield* Secrets
  const { root } = jail
  const host = yield* Host
  const known = yield* Ref.make<UserConfig | null>(null)
  const place = yield* Ref.make<Place | null>(null)

  const git = yield* makeProgram(root)

  const ownConfig = Effect.tap(readUser(git, host.env), (user) => Ref.set(known, user))

  /** Where git finds the repository. It checks on the way that whoever owns it is to be trusted. */
  const discover = Effect.fnUntraced(function*(user: UserConfig) {
    const found = yield* git(root, hardened(host.env, user, host.homeFolder, []), ["rev-parse", "--absolute-git-dir", "--show-object-format"])
    if (found.code !== 0) return found
    const [, gitDir = "", format = ""] = /^([^]*)\n([^\n]*)\n$/.exec(found.out) ?? []
    const top = yield* topOf(root, gitDir)
    return top === null ? found : { top, gitDir, emptyTree: emptyTrees[format] ?? "" }
  })

  const find = Effect.fnUntraced(function*() {
    const mark = yield* nearestMark(root)
    if (mark === null) return yield* new NotARepository({ folder: root })
    const last = yield* Ref.get(place)
    if (last?.mark === mark) return last
    const before = yield* Ref.get(known)
    const first = before ?? (yield* ownConfig)
    let found = yield* discover(first)
    // The user may have followed git's advice since the configuration was read.
    if ("said" in found && before !== null && found.said.includes("dubious ownership")) found = yield* discover(yield* ownConfig)
    if ("said" in found) {
      return yield* found.code === 0 || /not a git repository|bare repository/.test(found.said)
        ? new NotARepository({ folder: root })
        : failed(["rev-parse"], found)
    }
    const now: Place = { ...found, mark, user: (yield* Ref.get(known)) ?? first }
    yield* Ref.set(place, now)
    return now
  })

  return Effect.fnUntraced(function*() {
    const { emptyTree, gitDir, top, user } = yield* find()
    const at = [`--git-dir=${gitDir}`, `--work-tree=${top}`]
    const plain = hardened(host.env, user, host.homeFolder, [])
    const keys = yield* once(Effect.gen(function*() {
      const args = ["config", "-z", "--name-only", "--get-regexp", "^(filter\\..*|blame\\.ignorerevsfile)$"]
      const config = yield* git(top, plain, [...at, ...args])
      return config.code === 0 || config.code === 1 ? parseConfig(config.out).map(([key]) => key) : yield* failed(args, config)
    }))
    const ask = Effect.fnUntraced(function*(args: ReadonlyArray<string>, how?: How) {
      const env = withoutFilters.has(args[0] ?? "") ? plain : hardened(host.env, user, host.homeFolder, filterNames(yield* keys))
      return yield* git(top, env, [...at, ...args], how)
    })
    const repository: Repository = {
      jail,
      secrets,
      top,
      prefix: root === top ? "" : root.slice(top === "/" ? 1 : top.length + 1),
      gitDir,
      emptyTree,
      hasIgnoreRevsFile: Effect.map(keys, (all) => all.includes("blame.ignorerevsfile")),
      ask,
      run: (args, how) => Effect.flatMap(ask(args, how), (answer) => answer.code === 0 || answer.cut ? Effect.succeed(answer.out) : failed(args, answer))
    }
    return repository
  })
})
