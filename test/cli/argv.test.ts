import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { readLine } from "../../src/cli/argv.js"

const right = (...argv: ReadonlyArray<string>) => {
  const line = readLine(argv)
  if (Either.isLeft(line)) throw new Error(line.left.message)
  const { command, flags, positionals } = line.right
  return { command: command.join(" "), positionals, flags: Object.fromEntries(flags) }
}
const left = (...argv: ReadonlyArray<string>) => Either.match(readLine(argv), { onLeft: ({ message }) => message, onRight: () => "was read" })

describe("the command line", () => {
  it("takes a prompt and flags in any order", () => {
    assert.deepStrictEqual(right("-p", "fix it", "--agent", "deep"), { command: "", positionals: ["fix it"], flags: { print: true, agent: "deep" } })
    assert.deepStrictEqual(right("--agent=deep", "fix it", "-pc"), { command: "", positionals: ["fix it"], flags: { agent: "deep", print: true, continue: true } })
  })

  it("finds a sub-command behind flags with values", () => {
    assert.deepStrictEqual(right("--cwd", "/tmp", "tool", "read_file", "{}", "--yolo"), {
      command: "tool", positionals: ["read_file", "{}"], flags: { cwd: "/tmp", yolo: true }
    })
    assert.deepStrictEqual(right("config", "set", "model", "x"), { command: "config set", positionals: ["model", "x"], flags: {} })
  })

  it("takes a sub-command's name as prompt with -p and after --", () => {
    assert.deepStrictEqual(right("-p", "demo"), { command: "", positionals: ["demo"], flags: { print: true } })
    assert.deepStrictEqual(right("--", "demo"), { command: "", positionals: ["demo"], flags: {} })
    assert.deepStrictEqual(right("-p", "--", "--agnet deep"), { command: "", positionals: ["--agnet deep"], flags: { print: true } })
  })

  it.each([
    [["--agnet", "deep"], "Unknown flag --agnet. Did you mean --agent?"],
    [["-P"], "Unknown flag -P"],
    [["-py"], "Unknown flag -py"],
    [["--PRINT"], "Unknown flag --PRINT"],
    [["--nope", "fix"], "Unknown flag --nope"],
    [["--model"], "--model needs a value."],
    [["--model", "--print"], "--model needs a value."],
    [["--agent", "turbo"], "Unknown agent \"turbo\". Available: default, quick, deep, plan, review"],
    [["--max-steps", "0"], "--max-steps takes a whole number above 0"],
    [["--max-cost", "much"], "--max-cost takes an amount"],
    [["--print=yes", "x"], "--print takes no value."],
    [["fix", "the", "test"], "Put the whole prompt in quotes"],
    [["tool", "-y", "read_file"], "Unknown flag -y"],
    [["tool"], "shiro tool needs a name."],
    [["tool", "a", "b", "c"], "\"c\" is one too many"],
    [["tools", "--agent", "deep"], "shiro tools has no flag --agent. It takes: --cwd, --no-plugins, --json"],
    [["config", "sohw"], "Unknown config command \"sohw\". Available: show, path, schema, set, trust"],
    [["demo", "now"], "shiro demo takes no argument"]
  ])("refuses %j", (argv, message) => {
    assert.include(left(...argv), message)
  })
})
