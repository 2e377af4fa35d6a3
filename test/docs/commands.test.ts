import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

/** A small repository, an empty home, and `shiro` on the PATH. */
const place = Effect.acquireRelease(
  Effect.sync(() => {
    const parent = realpathSync(mkdtempSync(join(tmpdir(), "shiro-docs-")))
    const [root, bin] = [join(parent, "ws"), join(parent, "bin")]
    mkdirSync(root)
    mkdirSync(bin)
    writeFileSync(join(bin, "shiro"), `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"\n`)
    chmodSync(join(bin, "shiro"), 0o755)
    writeFileSync(join(root, "a.txt"), "one\ntwo\n")
    execFileSync("git", ["init", "-q"], { cwd: root })
    return { parent, root, bin }
  }),
  ({ parent }) => Effect.sync(() => rmSync(parent, { recursive: true, force: true }))
)
const pages = ["README.md", ...readdirSync("docs").filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)]
const blocks = pages.flatMap((page) => [...readFileSync(page, "utf8").matchAll(/^```sh run\n([^]*?)^```$/gm)].map(([, text = ""]) => ({ page, text })))

describe("The docs' commands", () => {
  for (const [number, { page, text }] of blocks.entries()) {
    it.scopedLive(`in ${page} run (${number + 1}: ${text.split("\n")[0] ?? ""})`, () =>
      Effect.map(place, ({ bin, parent, root }) => {
        const { status, stderr, stdout } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", text], {
          cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: parent, SHIRO_HOME: join(parent, "home") }
        })
        assert.strictEqual(status, 0, stdout + stderr)
        assert.notStrictEqual(stdout, "")
      }))
  }
  it("are there", () => {
    assert.isAbove(blocks.length, 2)
  })
})
