import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { resolve } from "node:path"
import type { Usage } from "../../src/cli/usage.js"
import { root } from "../../src/cli/usage.js"

const command = resolve("dist/cli/main.js")
const printed = (args: ReadonlyArray<string>) =>
  Effect.async<string>((resume) => {
    execFile(process.execPath, [command, ...args], (error, stdout, stderr) => resume(Effect.succeed(error === null ? stdout : stderr)))
  })
const every = (usage: Usage, words: ReadonlyArray<string>): ReadonlyArray<{ readonly usage: Usage; readonly words: ReadonlyArray<string> }> =>
  [{ usage, words }, ...(usage.sub ?? []).flatMap((sub) => every(sub, [...words, sub.name]))]

describe("--help", () => {
  it.live("names each command whole, and its sub-commands, in plain text where nobody can see colours", () =>
    Effect.forEach(every(root, []), Effect.fnUntraced(function*({ usage, words }) {
      const text = yield* printed([...words, "--help"])
      assert.include(text, `$ ${["shiro", ...words].join(" ")}`)
      assert.include(text, usage.about)
      for (const flag of usage.flags) assert.include(text, flag.about)
      for (const sub of usage.sub ?? []) assert.match(text, new RegExp(`^ {2}- ${sub.name} .*${sub.about.replace(/[.*+?^$()|[\]{}\\]/g, "\\$&")}$`, "m"))
      assert.notInclude(text, "\x1b")
      assert.isBelow(Math.max(...text.split("COMMANDS")[1]?.split("\n").map((line) => line.length) ?? [0]), 110)
    }), { concurrency: 2 }))
})
