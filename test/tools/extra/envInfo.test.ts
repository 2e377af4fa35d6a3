import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HostMemory } from "../../../src/services/Host.js"
import { JailMemory } from "../../../src/services/Jail.js"
import { PermissionsMemory } from "../../../src/services/permissions/memory.js"
import { ProcessesLive } from "../../../src/services/processes/live.js"
import type { Program, Started } from "../../../src/services/processes/memory.js"
import { ProcessesMemory } from "../../../src/services/processes/memory.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { envInfo, pathOutside, versionIn } from "../../../src/tools/extra/envInfo.js"
import { call } from "../../../src/tools/pipeline.js"
import { inputSchema, wireBytes } from "../../../src/tools/Tool.js"

const saying = (text: string, code = 0): Program => ({ stdout }) =>
  Effect.sync(() => {
    stdout(text)
    return code
  })
const base = Layer.mergeAll(PermissionsMemory(), SecretsMemory(), JailMemory("/ws"))
const given = (programs: Readonly<Record<string, Program>>, host: Parameters<typeof HostMemory>[0] = {}) =>
  Effect.provide(Layer.mergeAll(base, HostMemory({ env: { PATH: "/usr/bin:/ws/bin", SHELL: "/bin/zsh" }, ...host }), ProcessesMemory(programs)))

describe("env_info", () => {
  it("costs the model few bytes", () => {
    assert.isAtMost(wireBytes({ ...envInfo, inputSchema: inputSchema(envInfo.input) }), 250)
  })

  it.effect("names platform, shell and what is installed with versions, and what is not", () =>
    Effect.gen(function*() {
      const lines = (yield* call(envInfo, {})).split("\n")
      assert.deepStrictEqual(lines.slice(0, 5), [
        "platform: Linux 6.1.0 x86_64",
        "shell: bash 5.2.15; the user's own is /bin/zsh",
        "runtimes: node 20.20.2, python3 3.11.2, java (does not run), go 1.22.1",
        "package managers: npm 10.8.2, apt-get (no version)",
        "tools: git 2.39.5"
      ])
      assert.match(lines[5] ?? "", /^not found: deno, bun, .*docker$/)
    }).pipe(given({
      uname: saying("Linux 6.1.0 x86_64\n"),
      bash: saying("GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n"),
      node: saying("v20.20.2\n"),
      python3: saying("Python 3.11.2\n"),
      java: saying("Unable to locate a Java Runtime.\n", 1),
      go: saying("go version go1.22.1 linux/amd64\n"),
      npm: saying("10.8.2\n"),
      "apt-get": saying("apt\n"),
      git: saying("git version 2.39.5\n")
    })))

  it.effect("does not wait long for what does not answer", () =>
    Effect.gen(function*() {
      const fibre = yield* Effect.fork(call(envInfo, {}))
      yield* TestClock.adjust("5 seconds")
      assert.include(yield* Fiber.join(fibre), "package managers: gradle (does not answer)\n")
    }).pipe(given({ gradle: () => Effect.never })))

  it.effect("gives programs a neutral folder and nothing that makes them load code", () => {
    const seen: Array<Started> = []
    return Effect.gen(function*() {
      yield* call(envInfo, {})
      assert.strictEqual(seen.length, 1)
      assert.deepInclude(seen[0], { cwd: "/", args: ["--version"], stdin: null })
      assert.deepStrictEqual(Object.keys(seen[0]?.env ?? {}).filter((name) => seen[0]?.env[name] !== undefined).sort(), [
        "COREPACK_ENABLE_DOWNLOAD_PROMPT", "COREPACK_ENABLE_NETWORK", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO",
        "HOMEBREW_NO_AUTO_UPDATE", "HOME", "NO_COLOR", "PATH", "npm_config_update_notifier"
      ].sort())
      assert.strictEqual(seen[0]?.env["PATH"], "/usr/bin")
    }).pipe(given(
      { node: (started) => Effect.sync(() => seen.push(started)).pipe(Effect.as(0)) },
      { env: { PATH: "/usr/bin:.:/ws:/ws/node_modules/.bin", HOME: "/home/me", NODE_OPTIONS: "--require=/ws/evil.cjs", BASH_ENV: "/ws/evil", LD_PRELOAD: "/ws/evil.so" } }
    ))
  })

  it.effect("asks cmd on Windows, and takes a failure for a missing program", () =>
    Effect.gen(function*() {
      const text = yield* call(envInfo, {})
      assert.isTrue(text.startsWith("platform: Windows\nshell: cmd\nruntimes: node 20.1.0\npackage managers: none\n"))
    }).pipe(given(
      { cmd: ({ args, stdout }) => Effect.sync(() => args[3] === `"node --version"` ? (stdout("v20.1.0\r\n"), 0) : 1) },
      { platform: "win32", env: { Path: "C:\\bin" } }
    )))

  it.effect("does not touch Apple's stubs where the developer tools are missing", () => {
    const paths: Array<string | undefined> = []
    return Effect.gen(function*() {
      yield* call(envInfo, {})
      assert.deepStrictEqual(paths, ["/opt/homebrew/bin"])
    }).pipe(given(
      { git: ({ env }) => Effect.sync(() => paths.push(env["PATH"])).pipe(Effect.as(0)), "xcode-select": saying("", 2) },
      { platform: "darwin", env: { PATH: "/opt/homebrew/bin:/usr/bin" } }
    ))
  })

  it("passes over the workspace's own and relative folders of PATH", () => {
    assert.deepStrictEqual(pathOutside("/bin:/ws:/ws/bin:.::bin:/ws-other/bin:/ws/", "/ws", false), ["/bin", "/ws-other/bin"])
    assert.deepStrictEqual(pathOutside("C:\\bin;c:\\WS\\bin;bin;.", "C:\\ws", true), ["C:\\bin"])
  })

  it("finds versions", () => {
    assert.deepStrictEqual(["v20.1.0", "go1.22", "pip 23.0.1 from /usr/lib/python3/dist", "no"].map(versionIn), ["20.1.0", "1.22", "23.0.1", null])
  })

  it.scopedLive("runs nothing from the workspace, on this machine", () =>
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-env-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
      )
      const root = join(folder, "ws")
      mkdirSync(join(root, "bin"), { recursive: true })
      for (const name of ["bin/node", "git", "bin/uname"]) {
        writeFileSync(join(root, name), `#!/bin/sh\ntouch ${folder}/ran\n`)
        chmodSync(join(root, name), 0o755)
      }
      symlinkSync(join(root, "bin"), join(folder, "linked"))
      const own = join(folder, "own")
      mkdirSync(own)
      symlinkSync(process.execPath, join(own, "node"))
      symlinkSync("/bin/uname", join(own, "uname"))
      // Like npm: which node it runs on is a matter of PATH.
      writeFileSync(join(own, "npm"), `#!/usr/bin/env node\nconsole.log("10.9.8")\n`, { mode: 0o755 })
      const path = `${join(folder, "linked")}:${join(root, "bin")}:.:${own}`
      const host = HostMemory({ env: { PATH: path, HOME: folder }, homeFolder: folder, cwd: root, platform: process.platform })
      const text = yield* call(envInfo, {}).pipe(Effect.provide(Layer.mergeAll(
        PermissionsMemory(), SecretsMemory(), JailMemory(root), host, ProcessesLive.pipe(Layer.provide(host))
      )))
      assert.include(text, `runtimes: node ${process.versions.node}\npackage managers: npm 10.9.8\n`)
      assert.isFalse(existsSync(join(folder, "ran")))
    }))
})
