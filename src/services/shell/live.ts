import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { constants } from "node:os"
import { Config } from "../Config.js"
import { Home } from "../Home.js"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import { Processes, ProgramMissing } from "../Processes.js"
import { Secrets } from "../Secrets.js"
import { SandboxMissing, Shell } from "../Shell.js"
import { withoutCredentials } from "./credentials.js"
import type { Invocation } from "./environment.js"
import { invocation } from "./environment.js"
import type { Background, Line, LineEnd } from "./make.js"
import { make } from "./make.js"
import { isolation, sandboxArgs } from "./sandbox.js"
import { makePrivate, strayCommonDir, viewOf } from "./view.js"
import { once } from "../once.js"

const numbers: Readonly<Record<string, number>> = constants.signals
const install = "Install bubblewrap (Debian: apt-get install bubblewrap), or switch the sandbox off."

/** Why a sandbox cannot be had on this machine, with what to do; null when it can. */
export const sandboxTrouble = Effect.gen(function*() {
  const host = yield* Host
  const { root } = yield* Jail
  const { run } = yield* Processes
  const missing = (why: string, advice: string) => new SandboxMissing({ why, advice })
  if (host.platform !== "linux") return missing("it needs bubblewrap, which is for Linux only", "Switch the sandbox off.")
  const args = [...isolation(false), "--tmpfs", "/run", "--", "true"]
  return yield* run({ program: "bwrap", args, cwd: "/", outside: root, env: { PATH: host.env["PATH"] }, timeoutMillis: 10_000 }).pipe(
    Effect.map(({ exitCode, stderr }) =>
      exitCode === 0 ? null : missing(
        `bubblewrap cannot make namespaces on this machine (${stderr.head.trim().split("\n")[0] ?? ""})`,
        "Allow unprivileged user namespaces (a container must permit them, too), or switch the sandbox off."
      )),
    Effect.catchTags({
      ProgramMissing: () => Effect.succeed(missing("bubblewrap is not installed", install)),
      ProcessTimedOut: () => Effect.succeed(missing("bubblewrap did not start within 10 s", "Try again, or switch the sandbox off."))
    })
  )
})

/** How a line is started outside of any sandbox. */
const plain = (platform: NodeJS.Platform, env: typeof Host.Service["env"]) => (command: string) =>
  Effect.succeed({ ...invocation(platform, env, command), after: () => [] })

interface Ready extends Invocation {
  /** after the command; gives notes */
  readonly after: () => ReadonlyArray<string>
}

const sandboxed = Effect.gen(function*() {
  const host = yield* Host
  const secrets = yield* Secrets
  const { values } = yield* Config
  const { root } = yield* Jail
  const { folder: shiroHome } = yield* Home
  const context = yield* Effect.context<Host | Jail | Processes>()
  const scope = yield* Effect.scope
  const trouble = yield* once(Effect.provide(sandboxTrouble, context))
  const own = yield* Effect.cached(Effect.acquireRelease(Effect.sync(makePrivate), ({ remove }) => Effect.sync(remove)).pipe(
    Effect.provideService(Scope.Scope, scope)
  ))
  return Effect.fnUntraced(function*(command: string) {
    const missing = yield* trouble
    if (missing !== null) return yield* missing
    const denied = yield* secrets.deniedPaths
    const mounts = viewOf({ root, own: yield* own, home: host.homeFolder, shiroHome, denied, network: values.sandboxNetwork === true })
    const inner = invocation(host.platform, { ...withoutCredentials(host.env), TMPDIR: "/tmp" }, command)
    const removeStray = strayCommonDir(root)
    const ready: Ready = {
      ...inner,
      program: "bwrap",
      args: [...sandboxArgs(mounts), inner.program, ...inner.args],
      after: () => removeStray() ? ["The command had made .git/commondir, which was taken away."] : []
    }
    return ready
  })
})

const withAdvice = (error: ProgramMissing) =>
  error.program === "bash" && error.code === "ENOENT"
    ? new ProgramMissing({ program: "bash", code: "ENOENT", advice: "Install bash, or start shiro with a PATH that has it. Nothing was run." })
    : error

const port = Effect.gen(function*() {
  const host = yield* Host
  const { root } = yield* Jail
  const { values } = yield* Config
  const { run, stop } = yield* Processes
  const prepare = values.sandbox === "workspace" ? yield* sandboxed : plain(host.platform, host.env)
  const start = Effect.fnUntraced(function*(line: Line) {
    const { after, args, env, program, verbatim } = yield* prepare(line.command)
    const { onStderr, onStdout, timeoutMillis } = line
    const { exitCode, left, signal } = yield* run({
      program, args, env, verbatim, cwd: root, outside: root, timeoutMillis, onStdout, onStderr, background: true
    }).pipe(
      Effect.mapError((error) => error._tag === "ProgramMissing" ? withAdvice(error) : error),
      Effect.onError(() => Effect.sync(after))
    )
    const end: LineEnd = { exitCode: exitCode ?? 128 + (numbers[signal ?? ""] ?? 0), signal, left, notes: after() }
    return end
  })
  return { start, stop }
})

/** `background`: whether what a command leaves running ends with this layer's scope, or stays (`shiro tool`). */
export const ShellLive = (background: Background = "end with shiro") =>
  Layer.scoped(Shell, Effect.flatMap(port, (found) => make(found, background)))
