import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Shell } from "../../../src/services/Shell.js"
import { contract } from "./contract.js"
import type { Setting } from "./workspace.js"
import { lives, path, shellIn, temporary } from "./workspace.js"

contract("live", Layer.unwrapScoped(Effect.map(temporary, (folder) => shellIn({ root: folder, home: folder }))))

const run = (command: string, timeoutMillis = 60_000) =>
  Effect.flatMap(Shell, (shell) => shell.run({ command, timeoutMillis, onOutput: () => {} }))

/** A workspace and a home in a folder that goes away; `profile` is what the home's `.bash_profile` says. */
const given = (profile: string, setting: Partial<Setting> = {}) =>
  Effect.map(temporary, (folder) => {
    const [root, home] = [join(folder, "ws"), join(folder, "home")]
    mkdirSync(root)
    mkdirSync(home)
    writeFileSync(join(home, ".bash_profile"), profile)
    return { root, home, layer: shellIn({ root, home, ...setting }) }
  })

describe("ShellLive", () => {
  it.scopedLive("runs in the workspace root, after the profile, standard input at its end", () =>
    Effect.gen(function*() {
      const { layer, root } = yield* given("greet() { echo from the profile; }")
      const { stdout } = yield* run(`pwd; greet; cat; read -r line || echo end; [ -t 0 ] || echo no terminal`).pipe(Effect.provide(layer))
      assert.strictEqual(stdout.head, `${root}\nfrom the profile\nend\nno terminal\n`)
    }))

  it.scopedLive("puts the caller's PATH back after the profile, entries of the profile's own last", () =>
    Effect.gen(function*() {
      const { layer } = yield* given(`PATH=/opt/tool/bin:.:bin::/usr/bin:"/with space/*":/bin; export PATH`)
      const { stdout } = yield* run(`echo "$PATH"; env | grep -c '^SHIRO_[PRES]'; set | grep '^SHIRO_'`).pipe(Effect.provide(layer))
      assert.match(stdout.head, new RegExp(`^${path}:/opt/tool/bin:/with space/\\*(:[^.:]+)*\n0\nSHIRO_CHILD=.*\n$`))
    }))

  it.scopedLive("finds the workspace's programs in PATH, but is not one of them itself", () =>
    Effect.gen(function*() {
      const { home, root } = yield* given("")
      mkdirSync(join(root, "bin"))
      for (const name of ["bash", "own"]) writeFileSync(join(root, "bin", name), `#!/bin/sh\necho ${name} of the workspace\n`, { mode: 0o755 })
      const layer = shellIn({ root, home, env: { PATH: `${join(root, "bin")}:${path}` } })
      const { stdout } = yield* run("own; echo $BASH").pipe(Effect.provide(layer))
      assert.match(stdout.head, /^own of the workspace\n.*\n$/)
      assert.notInclude(stdout.head, "bash of the workspace")
    }))

  it.scopedLive("asks nobody, pages nothing, colours nothing, and keeps its own key", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("export PAGER=less TERM=xterm GIT_PAGER=less", {
        env: { SHIRO_API_KEY: "own-key", SSH_ASKPASS: "/bin/ask", FORCE_COLOR: "1", TERM: "xterm-256color", OTHER: "kept", CI: undefined }
      })
      const { stdout } = yield* run("env").pipe(Effect.provide(layer))
      const lines = stdout.head.split("\n")
      for (const line of ["PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "NO_COLOR=1", "TERM=dumb", "OTHER=kept"]) {
        assert.include(lines, line)
      }
      for (const name of ["SHIRO_API_KEY", "SSH_ASKPASS", "FORCE_COLOR", "CI"]) {
        assert.isFalse(lines.some((line) => line.startsWith(`${name}=`)), name)
      }
    }))

  it.scopedLive("numbers lines as they are in the command", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("")
      const { stderr } = yield* run("no-such-1\n\nno-such-3").pipe(Effect.provide(layer))
      assert.strictEqual(stderr.head, "bash: line 1: no-such-1: command not found\nbash: line 3: no-such-3: command not found\n")
      const wrong = yield* run("if then").pipe(Effect.provide(layer))
      assert.deepStrictEqual([wrong.exitCode, wrong.stderr.head.includes("syntax error near unexpected token `then'")], [2, true])
    }))

  it.scopedLive("names the signal that ended the shell", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("")
      const { exitCode, signal } = yield* run("kill -TERM $$; sleep 300").pipe(Effect.provide(layer))
      assert.deepStrictEqual([exitCode, signal], [143, "SIGTERM"])
    }))

  it.scopedLive("returns when the shell ends, and ends what it left with the scope", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("")
      const pids = yield* Effect.gen(function*() {
        const { notes, stdout } = yield* run("sleep 300 & echo $!; (setsid sleep 300 > /dev/null 2>&1 & echo $!)")
        const pids = stdout.head.trim().split("\n").map(Number)
        assert.deepStrictEqual(notes, [`Still running in the background: pid ${pids.join(", ")}. Stopped when shiro ends.`])
        assert.deepStrictEqual(pids.map(lives), [true, true])
        return pids
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(pids.map(lives), [false, false])
    }))

  it.scopedLive("leaves it running where that is wanted", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("", { background: "stay" })
      const { notes, stdout } = yield* run("sleep 300 & echo $!").pipe(Effect.provide(layer))
      const pid = Number(stdout.head)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(pid)))
      assert.isTrue(lives(pid))
      assert.deepStrictEqual(notes, [
        `Still running in the background: pid ${pid}. Goes on after shiro has ended, which closes its output unless that goes to a file.`
      ])
    }))

  it.scopedLive("keeps head and tail of endless output", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("")
      const { stderr, stdout } = yield* run("seq 1000000; echo last words >&2").pipe(Effect.provide(layer))
      assert.isTrue(stdout.head.startsWith("1\n2\n") && stdout.tail.endsWith("999999\n1000000\n"))
      assert.strictEqual(stdout.head.length + stdout.dropped + stdout.tail.length, 6_888_896)
      assert.strictEqual(stderr.head, "last words\n")
    }))

  it.scopedLive("says what to do where there is no bash", () =>
    Effect.gen(function*() {
      const { layer } = yield* given("", { env: { PATH: "/no/such/folder" } })
      const error = yield* Effect.flip(run("echo hi").pipe(Effect.provide(layer)))
      assert.strictEqual(
        error.message,
        "bash is not installed or not on PATH. Install bash, or start shiro with a PATH that has it. Nothing was run."
      )
    }))

  it.scopedLive("runs nothing when a sandbox is asked for and there is none", () =>
    Effect.gen(function*() {
      const { layer, root } = yield* given("", { values: { sandbox: "workspace" }, env: { PATH: "/no/such/folder" } })
      const error = yield* Effect.flip(run("touch made").pipe(Effect.provide(layer)))
      assert.strictEqual(
        error.message,
        "The sandbox was asked for, but bubblewrap is not installed. Nothing was run. Install bubblewrap (Debian: apt-get install bubblewrap), or switch the sandbox off."
      )
      assert.isFalse(existsSync(join(root, "made")))
    }))

  it.scopedLive("runs nothing when bubblewrap is there but may not make namespaces", () =>
    Effect.gen(function*() {
      const { layer, root } = yield* given("", { values: { sandbox: "workspace" } })
      const tools = yield* temporary
      const broken = join(tools, "bwrap")
      writeFileSync(broken, "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n", { mode: 0o755 })
      const error = yield* Effect.flip(run("touch made").pipe(
        Effect.provide(shellIn({ root, home: tools, values: { sandbox: "workspace" }, env: { PATH: `${tools}:${path}` } })),
        Effect.provide(layer)
      ))
      assert.include(error.message, "cannot make namespaces on this machine (bwrap: No permissions to create a new namespace). Nothing was run.")
      assert.isFalse(existsSync(join(root, "made")))
      assert.strictEqual(readFileSync(broken, "utf8").length > 0, true)
    }))
})
