import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { lives } from "../../services/shell/workspace.js"
import { type Desk, desk, keys, openTerminal, pasted, scripted } from "../../support/terminal.js"

const ready = "what shall be done?"
const bash = (command: string) => ({ tools: [{ name: "bash", input: { command } }] })
const count = (text: string, part: string) => text.split(part).length - 1
const colour = /\x1b\[[0-9;]*m/

/** The session of "a long one", which ended in the middle of its turn, goes on with what was said. */
const takesUp = Effect.fnUntraced(function*(at: Desk) {
  const again = yield* openTerminal(at, scripted(at, [{ text: "Here again." }], { args: ["-c", "where were we?"] }))
  yield* again.see("Here again.")
  yield* again.type(`/export said.md${keys.enter}`)
  yield* again.see("Written to")
  for (const said of ["a long one", "I begin."]) assert.include(readFileSync(join(at.root, "said.md"), "utf8"), said)
})

describe("the terminal under odd conditions", () => {
  it.scopedLive.each([{ args: [], env: { NO_COLOR: "1" } }, { args: ["--no-color"], env: {} }])("writes no colour under $args $env", ({ args, env }) =>
    Effect.gen(function*() {
      const at = yield* desk({ "a.txt": "one\n" })
      const terminal = yield* openTerminal(at, scripted(at, [
        { reasoning: "think", tools: [{ name: "edit_file", input: { path: "a.txt", oldString: "one", newString: "two" } }, { name: "read_file", input: { path: "none" } }] },
        { tools: [{ name: "ask", input: { question: "Which?", options: [{ label: "this", detail: "one" }] } }] },
        { text: "# A *title*\n\n> **Done** `so`.\n\n| a | b |\n| - | - |\n| 1 | 2 |" }
      ], { args, env }))
      yield* terminal.see("/ for commands")
      yield* terminal.type(`edit${keys.enter}`)
      yield* terminal.see("+two")
      yield* terminal.type("y")
      yield* terminal.see("› 1. this")
      yield* terminal.type("1")
      yield* terminal.see("Done so.")
      yield* terminal.type("/co")
      yield* terminal.see("› /config")
      assert.notMatch(terminal.written(), colour)
    }))

  it.scopedLive("writes each finished line of a long answer once, and takes input meanwhile and after", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const lines = Array.from({ length: 10_000 }, (_, n) => `row-${n + 1}-end of the answer`)
      const terminal = yield* openTerminal(at, scripted(at, [{ text: lines.join("\n") }, { text: "And the next." }]))
      yield* terminal.see(ready)
      yield* terminal.type(`write much${keys.enter}`)
      yield* terminal.until("the first rows", () => terminal.written().includes("row-200-end"))
      yield* terminal.type("typed meanwhile")
      yield* terminal.see("› typed meanwhile")
      yield* terminal.until("the last row", () => terminal.whole().includes("row-10000-end"))
      const shown = [...terminal.whole().matchAll(/^row-(\d+)-end of the answer$/gm)].map(([, n]) => Number(n))
      assert.deepStrictEqual(shown, lines.map((_, at) => at + 1))
      // Beside them only the one unfinished line is drawn, with what is below it, at most some thirty times a second.
      const times = new Map<string, number>()
      for (const [, row = ""] of terminal.written().matchAll(/row-(\d+)-end of the answer\r?\n/g)) times.set(row, (times.get(row) ?? 0) + 1)
      const again = [...times.values()].filter((each) => each > 1).length
      assert.strictEqual(times.size, lines.length)
      assert.isBelow(again, lines.length / 100)
      assert.isBelow(terminal.written().length, 1.5 * lines.join("\n").length)
      yield* terminal.type(keys.enter)
      yield* terminal.see("And the next.")
    }))

  it.scopedLive("keeps what was printed when a question is longer than the screen, and shows what it asks", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const content = Array.from({ length: 300 }, (_, n) => `new line ${n + 1}\n`).join("")
      const command = Array.from({ length: 60 }, (_, n) => `echo command ${n + 1}`).join("\n")
      const terminal = yield* openTerminal(at, scripted(at, [{ text: "Said before.", tools: [{ name: "write_file", input: { path: "new.txt", content } }] }, bash(command), { text: "Said after." }]))
      yield* terminal.see(ready)
      yield* terminal.type(`write${keys.enter}`)
      yield* terminal.see("y allow once")
      for (const said of ["write_file wants to run", "new.txt", "+new line 1", /… 2\d\d more lines/]) yield* terminal.see(said)
      yield* terminal.type("y")
      yield* terminal.see("bash wants to run")
      for (const said of ["echo command 1", /… 4\d more lines/, "y allow once"]) yield* terminal.see(said)
      yield* terminal.type("y")
      yield* terminal.see("Said after.")
      for (const said of ["shiro ", "workspace", "Said before."]) assert.include(terminal.whole(), said)
      // what clears the screen and all that was scrolled out of it
      assert.notInclude(terminal.written(), "\x1b[3J")
    }))

  it.scopedLive("keeps to the new size when it is resized in the middle of an answer", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [{ text: "Before.", ...bash("echo begun; while [ ! -e go ]; do sleep 0.05; done") }, { text: "After the change." }], { args: ["--yolo"] }))
      yield* terminal.see(ready)
      yield* terminal.type(`go${keys.enter}`)
      yield* terminal.see("│ begun")
      yield* terminal.resize(46, 14)
      yield* terminal.type("still typed")
      yield* terminal.see("› still typed")
      yield* terminal.resize(120, 30)
      yield* terminal.type(" and more")
      yield* terminal.see("› still typed and more")
      writeFileSync(join(at.root, "go"), "")
      yield* terminal.see("After the change.")
      assert.strictEqual(count(terminal.screen(), "After the change."), 1)
      assert.strictEqual(count(terminal.screen(), "› still typed and more"), 1)
    }))

  it.scopedLive("takes a paste of 5,000 lines whole, as one prompt", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const text = Array.from({ length: 5000 }, (_, n) => `pasted line ${n + 1}`).join("\n")
      const terminal = yield* openTerminal(at, scripted(at, [{ text: "Read all of it." }]))
      yield* terminal.see(ready)
      yield* terminal.type(pasted(text))
      yield* terminal.see("5000 lines")
      yield* terminal.type(keys.enter)
      yield* terminal.see("Read all of it.")
      yield* terminal.type(`/export said.md${keys.enter}`)
      yield* terminal.see("Written to")
      assert.include(readFileSync(join(at.root, "said.md"), "utf8"), text)
    }))

  it.scopedLive("draws wide characters and emoji in their columns", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [{ text: "答えは四十二 👩‍🚀 です。" }], { env: { LANG: "C.UTF-8" } }))
      yield* terminal.see(ready)
      yield* terminal.type("日本語 🦊x")
      yield* terminal.see("› 日本語 🦊x")
      yield* terminal.type(keys.backspace + keys.backspace)
      yield* terminal.see("› 日本語 ")
      yield* terminal.gone("🦊")
      yield* terminal.type(keys.enter)
      yield* terminal.see("答えは四十二")
      yield* terminal.see("です。")
    }))

  it.scopedLive("saves the session and leaves no child when the terminal is closed in the middle of a turn", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const terminal = yield* openTerminal(at, scripted(at, [{ text: "I begin.", ...bash("(trap '' HUP TERM; echo $BASHPID > far; while :; do sleep 0.1; done) & echo $$ > near; wait") }], { args: ["--yolo"] }))
      yield* terminal.see(ready)
      yield* terminal.type(`a long one${keys.enter}`)
      yield* terminal.until("both processes", () => ["near", "far"].every((name) => existsSync(join(at.root, name)) && readFileSync(join(at.root, name), "utf8") !== ""))
      const pids = ["near", "far"].map((name) => Number(readFileSync(join(at.root, name), "utf8")))
      assert.deepStrictEqual(pids.map(lives), [true, true])
      yield* terminal.close
      yield* terminal.ended
      assert.deepStrictEqual(pids.map(lives), [false, false])
      yield* takesUp(at)
    }))

  it.scopedLive("ends with its commands when whatever held the terminal is killed, and the session is there", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const { args = [], env } = scripted(at, [{ text: "I begin.", ...bash("(trap '' HUP TERM; echo $BASHPID > far; while :; do sleep 0.1; done) & echo $PPID > near; wait") }], { args: ["--yolo"] })
      // The pseudo-terminal's master closes with the process that holds it, as when a terminal's window crashes.
      const host = `import("@lydell/node-pty").then(({ spawn }) => { const child = spawn(process.execPath, ${JSON.stringify([resolve("dist/cli/main.js"), ...args])}, { cwd: ${JSON.stringify(at.root)}, cols: 80, rows: 24, env: process.env }); child.onData((text) => process.stdout.write(text)); process.stdin.on("data", (text) => child.write(text.toString())) })`
      const holder = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(process.execPath, ["-e", host], { env: { PATH: process.env["PATH"], HOME: at.folder, SHIRO_HOME: at.home, TERM: "xterm-256color", ...env } })),
        (child) => Effect.sync(() => void child.kill("SIGKILL"))
      )
      let shown = ""
      holder.stdout.on("data", (text: Buffer) => {
        shown += text.toString()
      })
      const until = (holds: () => boolean) => Effect.sync(holds).pipe(Effect.repeat({ until: (done) => done, schedule: Schedule.spaced("15 millis") }), Effect.timeout("60 seconds"))
      yield* until(() => shown.includes(ready))
      holder.stdin.write("a long one\r")
      yield* until(() => ["near", "far"].every((name) => existsSync(join(at.root, name)) && readFileSync(join(at.root, name), "utf8") !== ""))
      const pids = ["near", "far"].map((name) => Number(readFileSync(join(at.root, name), "utf8")))
      assert.deepStrictEqual(pids.map(lives), [true, true])
      holder.kill("SIGKILL")
      yield* until(() => pids.every((pid) => !lives(pid)))
      // Its lock holds until its parent has taken note of its end, too.
      yield* until(() => !existsSync(`/proc/${pids[0] ?? 0}`))
      yield* takesUp(at)
    }))

  it.scopedLive("is not opened where there is no terminal, and says what to use", () =>
    Effect.gen(function*() {
      const at = yield* desk()
      const ended = spawnSync(process.execPath, [resolve("dist/cli/main.js")], { cwd: at.root, input: "", encoding: "utf8", env: { PATH: process.env["PATH"], HOME: at.folder, SHIRO_HOME: at.home } })
      assert.strictEqual(ended.status, 2)
      assert.include(ended.stderr, "shiro -p")
      assert.strictEqual(ended.stdout, "")
    }))
})
