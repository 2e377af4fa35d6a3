import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigMemory } from "../../src/services/Config.js"
import { GitLive } from "../../src/services/git/live.js"
import { HostMemory } from "../../src/services/Host.js"
import { Jail, makeJail } from "../../src/services/Jail.js"
import { PermissionsMemory } from "../../src/services/permissions/memory.js"
import { ProcessesLive } from "../../src/services/processes/live.js"
import { SecretsLive } from "../../src/services/secrets/live.js"

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
    Effect.sync(() => {
      const folder = made()
      folder.sh(`${init ? "git init -q\n" : ""}${script}`)
      return folder
    }),
    ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true }))
  )

/** Everything a git tool needs, as shiro started in `root` has it. */
export const gitAt = ({ home }: Work, root: string, env: Readonly<Record<string, string>> = {}) => {
  const host = HostMemory({ platform: process.platform, env: { PATH: path, HOME: home, ...env }, homeFolder: home, cwd: root })
  const jail = Layer.succeed(Jail, makeJail(root))
  const secrets = SecretsLive.pipe(Layer.provide(Layer.mergeAll(host, jail, ConfigMemory())))
  return Layer.mergeAll(
    GitLive.pipe(Layer.provide(Layer.mergeAll(jail, secrets, host, ProcessesLive.pipe(Layer.provide(host))))),
    secrets,
    PermissionsMemory()
  )
}
