import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { heldServer } from "../../support/heldServer.js"
import { desk, keys, openTerminal } from "../../support/terminal.js"

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `row-${from + n} of the answer that streams\n`).join("")

describe("a terminal that changes its size while an answer streams", () => {
  it.scopedLive("has every line once, and of the live part only what is there now", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const model = yield* heldServer
      const terminal = yield* openTerminal(at, { args: ["--provider", "custom", "--base-url", model.url, "--model", "a-model-with-a-rather-long-name"] })
      yield* terminal.see("what shall be done?")
      yield* terminal.type(`go${keys.enter}`)
      yield* terminal.until("the request", model.asked)
      yield* model.send(`${rows(0, 40)}an unfinished line that is as long as the whole width of the terminal, all 80`)
      yield* terminal.see("all 80")
      yield* terminal.type("a prompt that is typed meanwhile and needs two rows")
      yield* terminal.see("two rows")
      yield* terminal.resize(40, 16)
      yield* terminal.type("!")
      yield* terminal.see(/two\s+rows!/)
      yield* model.send(` columns\n${rows(40, 60)}and`)
      yield* terminal.see("row-59 of")
      yield* terminal.resize(110, 30)
      yield* terminal.type("!")
      yield* terminal.see("rows!!")
      yield* model.send(` the end\n${rows(60, 70)}`)
      yield* terminal.see("row-69 of")
      yield* model.end
      yield* terminal.gone("working")
      const shown = [...terminal.whole().matchAll(/row-(\d+) of the answer that streams/g)].map(([, n]) => Number(n))
      assert.deepStrictEqual(shown, Array.from({ length: 70 }, (_, n) => n))
      const once = (said: string) => assert.strictEqual(terminal.whole().replace(/\s+/g, " ").split(said).length - 1, 1, said)
      for (const said of ["an unfinished line that is as long as the whole width of the terminal, all 80 columns", "and the end", "a prompt that is typed", "context"]) once(said)
    }))

  it.scopedLive("shows the end of what no longer fits", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, { args: ["--provider", "script", "--model", "x"], env: { SHIRO_SCRIPT: "none" }, rows: 24 })
      yield* terminal.see("what shall be done?")
      yield* terminal.type("one\\\rtwo\\\rthree\\\rfour\\\rfive")
      yield* terminal.see("five")
      yield* terminal.resize(30, 5)
      yield* terminal.type("!")
      yield* terminal.see("five!")
      yield* terminal.resize(80, 24)
      yield* terminal.type("!")
      yield* terminal.see("five!!")
    }))
})
