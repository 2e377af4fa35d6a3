import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { analyse } from "../../../src/services/command/analyse.js"
import { CommandsLive } from "../../../src/services/command/live.js"
import { Commands } from "../../../src/services/Commands.js"

/** Each command's words joined; … for what is not known. */
const commandsOf = (line: string) => analyse(line).commands.map(({ words }) => words.map(({ text }) => text.replaceAll("\0", "…")).join(" "))

describe("a line taken apart", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    [`git "a b" 'c'"d"\\ e`, ["git a b cd e"]],
    [`$'\\x67it' $'a\\tb'`, ["git a\tb"]],
    ["a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["x=git; $x log", ["", "git log"]],
    ["echo {a,b}{1..2}", ["echo a1 a2 b1 b2"]],
    ["echo {a} {a,\"b,c\"} \\{a,b}", ["echo {a} a b,c {a,b}"]],
    ["sudo -u me env A=1 nice -n 3 ls", ["sudo -u me env A=1 nice -n 3 ls", "env A=1 nice -n 3 ls", "nice -n 3 ls", "ls"]],
    ["bash -c 'ls $1' _ a", ["bash -c ls $1 _ a", "ls a"]],
    ["find . -exec wc {} \\;", ["find . -exec wc {} ;", "wc …"]],
    ["echo \"$(ls \"$(pwd)\")\"", ["pwd", "ls …", "echo …"]],
    ["cat <<'EOF'\n$(rm x)\nEOF\nls", ["cat", "ls"]],
    ["cat <<EOF\n$(rm x)\nEOF", ["rm x", "cat"]],
    ["f() { ls \"$@\"; }; f a b", ["ls …", "ls a b"]],
    ["for i in a b; do ls $i; done", ["ls a", "ls b"]],
    ["x=abc; echo ${x#a} ${x:1} ${x^^} ${#x} ${x/b/B}", ["", "echo bc bc ABC 3 aBc"]],
    ["a=(x 'y z'); ls \"${a[@]}\" ${a[1]}", ["", "ls x y z y z"]],
    ["ls # rm x", ["ls"]],
    ["echo hi | bash", ["echo hi", "bash", "hi"]],
    ["ls | time wc -l", ["ls", "time wc -l", "wc -l"]],
    ["time ls | wc", ["time", "ls", "wc"]],
    ["env -S 'rm a=b; c' d", ["env -S rm a=b; c d", "rm a=b; c d"]],
    ["env -S '-u X A=b ls\\_\"a b\" ${X} #c'", ["env -S -u X A=b ls\\_\"a b\" ${X} #c", "ls a b …"]],
    ["env -S 'ls; rm' 'a`'", ["env -S ls; rm a`", "ls; rm a`"]],
    ["env -S 'ls $x' y", ["env -S ls $x y", "ls … y"]],
    ["echo $(( $1 * $(ls $(( $1 - 1 ))) ))", ["ls -1", "echo …"]],
    ["f() { echo $(( $1 * $(ls $(( $1 - 1 ))) )); }; f $x", ["ls …", "echo …"]],
    ["a=(git x); a[1]=log; \"${a[@]}\" \"${a[@]:1}\"", ["", "git log log"]],
    ["IFS=,; x=ls,a; $x; ls$IFS", ["", "", "ls a", "ls"]],
    ["n=2; echo $((n * 3 + 1))", ["", "echo 7"]],
    ["git $(<args)", ["git …"]]
  ])("%j", (line, commands) => {
    assert.deepStrictEqual(commandsOf(line), commands)
  })

  it.each([
    ["echo 'a", "a single quote is not closed"],
    ["echo \"a", "a double quote is not closed"],
    ["ls )", "\")\" is out of place"],
    ["a\rb", "it has a control character in it"],
    ["", "there is no command in it"]
  ])("%j cannot be read", (line, why) => {
    assert.strictEqual(analyse(line).unread, why)
  })

  it("reads what stands before a fault, which bash runs", () => {
    const { commands, unread } = analyse("rm x\nls (")
    assert.isNotNull(unread)
    assert.include(commands.map(({ words }) => words[0]?.text), "rm")
  })

  it("notes files that are written, where from, and names that are set", () => {
    const { commands, writes } = analyse("cd sub && A=1 ls > out 2>&1")
    assert.deepStrictEqual(writes.map(({ folders, path }) => [path.text, folders]), [["out", [".", "sub"]]])
    assert.deepStrictEqual(commands[1]?.sets, ["A"])
  })

  it("ends in time on what grows without bound", () => {
    for (const line of ["f() { f; f; }; f", "{1..99999999}", `${"(".repeat(3_000)}`, `${"$(".repeat(500)}`, `${"{a,b}".repeat(30)}`, `${"if ".repeat(2_000)}`, `eval ${"'".repeat(999)}`,
        `a=xx;${"a=$a$a;".repeat(40)}$a`, `${"{a,".repeat(5_000)}${"}".repeat(5_000)}`, "echo {1..1000}{1..1000}", `a=(${"x ".repeat(20_000)}); "\${a[@]}"`, `${"find . -exec ".repeat(3_000)}rm x \\;`,
        `x=${"a".repeat(3_000)}; echo \${x%%${"*a".repeat(20)}b}`, `read ${"a ".repeat(5_000)}<<< '${"x ".repeat(20_000)}'`]) {
      assert.isDefined(analyse(line).line)
    }
  })

  it.effect("is confirmed by a second reading, and doubted where that differs", () =>
    Effect.gen(function*() {
      const commands = yield* Commands
      assert.deepStrictEqual((yield* commands.analyse("git status && ls `pwd` | wc -l")).doubts, [])
      assert.deepStrictEqual((yield* commands.analyse("ls | time wc -l && time ls |& time wc")).doubts, [])
      assert.include((yield* commands.analyse("coproc cat")).doubts, "two readings of it differ")
    }).pipe(Effect.provide(CommandsLive)))
})
