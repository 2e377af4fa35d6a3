import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const place = Effect.acquireRelease(
  Effect.sync(() => {
    const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-limits-")))
    const root = join(parent, "ws")
    mkdirSync(join(root, "d"), { recursive: true })
    writeFileSync(join(root, "d", "f"), "kept\n")
    writeFileSync(join(root, ".env"), "TOKEN=hunter2hunter2\n")
    const shiro = (...args: ReadonlyArray<string>) => {
      const { status, stderr, stdout } = spawnSync(process.execPath, [resolve("dist/cli/main.js"), ...args], {
        cwd: root, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: parent, SHIRO_HOME: join(parent, "home") }, stdio: ["ignore", "pipe", "pipe"]
      })
      return { status, text: stdout + stderr }
    }
    const bash = (command: string, flag: string) => shiro("tool", "bash", JSON.stringify({ command }), flag)
    return { parent, root, bash, shiro }
  }),
  ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true }))
)

/** docs/security.md, What shiro does not protect against: each of these works, once it was approved. */
describe("What shiro does not protect against", () => {
  it.scopedLive("a script that is written and then run, though undo takes it back", () =>
    Effect.map(place, ({ bash, root, shiro }) => {
      writeFileSync(join(root, "x.sh"), "rm -rf d\n")
      assert.include(bash("rm -rf d", "--yolo").text, "guard refuses")
      assert.include(bash("sh ./x.sh", "--explain").text, "\"decision\": \"ask\"")
      assert.strictEqual(bash("sh ./x.sh", "--yolo").status, 0)
      assert.isFalse(existsSync(join(root, "d")))
      shiro("undo")
      assert.strictEqual(readFileSync(join(root, "d", "f"), "utf8"), "kept\n")
    }))

  it.scopedLive("a decoded payload", () =>
    Effect.map(place, ({ bash, root }) => {
      const line = `echo ${Buffer.from("rm -rf d").toString("base64")} | base64 -d | sh`
      assert.include(bash(line, "--explain").text, "\"decision\": \"ask\"")
      assert.strictEqual(bash(line, "--yolo").status, 0)
      assert.isFalse(existsSync(join(root, "d")))
    }))

  it.scopedLive("a secret in another form", () =>
    Effect.map(place, ({ bash }) => {
      const { text } = bash("cat .env; base64 .env", "--yolo")
      assert.include(text, "TOKEN=[secret hidden]")
      assert.include(text, Buffer.from("TOKEN=hunter2hunter2\n").toString("base64"))
    }))

  it.scopedLive("effects of an approved command outside the workspace", () =>
    Effect.map(place, ({ bash, parent, shiro }) => {
      assert.strictEqual(bash("echo x > ../outside.txt", "--yolo").status, 0)
      shiro("undo")
      assert.isTrue(existsSync(join(parent, "outside.txt")))
    }))
})
