import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigMemory } from "../../../src/services/Config.js"
import type { ConfigValues } from "../../../src/services/config/schema.js"
import { HomeMemory } from "../../../src/services/Home.js"
import { HostMemory } from "../../../src/services/Host.js"
import { JailMemory } from "../../../src/services/Jail.js"
import { ProcessesLive } from "../../../src/services/processes/live.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { ShellLive } from "../../../src/services/shell/live.js"
import type { Background } from "../../../src/services/shell/make.js"

export const temporary = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "shiro-shell-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

export interface Setting {
  readonly root: string
  readonly home: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly values?: Partial<ConfigValues>
  readonly denied?: ReadonlyArray<string>
  readonly background?: Background
}
export const path = "/usr/local/bin:/usr/bin:/bin"

/** What `ShellLive` stands on, in a folder. */
export const groundIn = ({ denied = [], env = {}, home, root, values = {} }: Setting) => {
  const host = HostMemory({ env: { PATH: path, HOME: home, ...env }, homeFolder: home, cwd: root })
  return Layer.mergeAll(
    host,
    ProcessesLive.pipe(Layer.provide(host)),
    JailMemory(root),
    HomeMemory(join(home, ".shiro")),
    ConfigMemory(values),
    SecretsMemory(denied)
  )
}
/** The live shell in a folder, with a home of its own, so that nobody's profile decides a test. */
export const shellIn = (setting: Setting) => ShellLive(setting.background).pipe(Layer.provide(groundIn(setting)))

export const lives = (pid: number) => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return false
  }
}
