import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigMemory } from "../../src/services/Config.js"
import type { Git } from "../../src/services/Git.js"
import { GitLive } from "../../src/services/git/live.js"
import { HostMemory } from "../../src/services/Host.js"
import { Jail, makeJail } from "../../src/services/Jail.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import { ProcessesLive } from "../../src/services/processes/live.js"
import type { Secrets } from "../../src/services/Secrets.js"
import { SecretsLive } from "../../src/services/secrets/live.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"

/** A temporary folder with a repository `ws`, a home of its own beside it, and real git. */
export interface Work {
  readonly parent: string
  readonly root: string
  readonly home: string
  /** Runs a script in the workspace (or a folder of it) with the user's own settings; gives what it prints. */
  readonly sh: (script: string, folder?: string) => string
}

const path = process.env["PATH"] ?? ""

const made = (): Work => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-git-")))
  const root = join(parent, "ws")
  const home = join(parent, "home")
  mkdirSync(root)
  mkdirSync(home)
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Ann Lee\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
  )
  const env = { PATH: path, HOME: home, LC_ALL: "C.UTF-8", GIT_AUTHOR_DATE: "2024-03-05T10:00:00Z", GIT_COMMITTER_DATE: "2024-03-05T10:00:00Z" }
  const sh = (script: string, folder = root) =>
    execFileSync("bash", ["-e", "-c", script], { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64e6 })
  return { parent, root, home, sh }
}

/** In a fresh repository, unless `script` is to begin before there is one. */
export const work = (script = "", init = true) =>
  Effect.acquireRelease(
    Effect.map(Effect.scope, (scope) => {
      const folder = made()
      folder.sh(`${init ? "git init -q\n" : ""}${script}`)
      return { ...folder, scope, built: new Map<string, Context.Context<Git | Secrets>>() }
    }),
    ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true }))
  )
export type Built = Effect.Effect.Success<ReturnType<typeof work>>

const services = (home: string, root: string, env: Readonly<Record<string, string>>, secretly: boolean) => {
  const host = HostMemory({ platform: process.platform, env: { PATH: path, HOME: home, ...env }, homeFolder: home, cwd: root })
  const jail = Layer.succeed(Jail, makeJail(root))
  const secrets = secretly ? SecretsLive.pipe(Layer.provide(Layer.mergeAll(host, jail, ConfigMemory()))) : SecretsMemory()
  return Layer.merge(GitLive.pipe(Layer.provide(Layer.mergeAll(jail, secrets, host, ProcessesLive.pipe(Layer.provide(host))))), secrets)
}

/** Everything a git tool needs, as one shiro started in `root` has it for all of a test; nothing is secret. */
export const gitAt = ({ built, home, scope }: Built, root: string, env: Readonly<Record<string, string>> = {}) => {
  const key = JSON.stringify([root, env])
  const context = Effect.suspend(() => {
    const known = built.get(key)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(Layer.buildWithScope(services(home, root, env, false), scope), (made) => built.set(key, made))
  })
  return Layer.merge(Layer.effectContext(context), PermissionsMemory())
}

/** The same with the workspace's secrets, as they are now. */
export const secretlyAt = ({ home }: Work, root: string) => Layer.merge(services(home, root, {}, true), PermissionsMemory())
