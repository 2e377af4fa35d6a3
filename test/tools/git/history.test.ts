import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gitChangedInRef } from "../../../src/tools/extra/gitChangedInRef.js"
import { gitLogFile } from "../../../src/tools/extra/gitLogFile.js"
import { gitShowFile } from "../../../src/tools/extra/gitShowFile.js"
import { gitBlame } from "../../../src/tools/git/gitBlame.js"
import { gitBranch } from "../../../src/tools/git/gitBranch.js"
import { gitLog } from "../../../src/tools/git/gitLog.js"
import { call } from "../../../src/tools/pipeline.js"
import { gitAt, work } from "../../support/gitWork.js"

const commit = "git add -A; git commit -qm"
const ids = (text: string) => text.replace(/(?<![^\n])[0-9a-f]{7,8}(?= )/g, "ID")

describe("git_log", () => {
  it.scopedLive("lists hash, date, author and subject, newest first", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one; echo b > 'b c'; ${commit} 'two: ünï'`)
      const log = (input: Readonly<Record<string, unknown>>) => call(gitLog, input).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(yield* log({}), at.sh("git log --date=short --format='%h %ad %an  %s'").trim())
      assert.strictEqual(ids(yield* log({ path: "b c" })), "ID 2024-03-05 Ann Lee  two: ünï")
      assert.strictEqual(yield* log({ path: "none" }), "No commit touched none.")
      assert.strictEqual(ids(yield* log({ limit: 1 })), "ID 2024-03-05 Ann Lee  two: ünï")
      for (const limit of [0, -1, 1.5]) assert.include((yield* Effect.flip(log({ limit }))).message, "limit: Expected a whole number of at least 1")
      assert.include((yield* Effect.flip(log({ path: "../x" }))).message, "Path escapes workspace")
    }))

  it.scopedLive("gives 15 commits, at most 40, and says when it gives fewer than asked for", () =>
    Effect.gen(function*() {
      const at = yield* work("for i in $(seq 45); do echo \"commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 2\nc\n\"; done | git fast-import --quiet")
      const log = (input: Readonly<Record<string, unknown>>) => call(gitLog, input).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual((yield* log({})).split("\n").length, 15)
      assert.strictEqual((yield* log({ limit: "40" })).split("\n").length, 40)
      const many = (yield* log({ limit: 41 })).split("\n")
      assert.strictEqual(many.length, 41)
      assert.strictEqual(many.at(-1), "(limit lowered from 41 to 40)")
    }))

  it.scopedLive("says that there are no commits before the first one", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a; git add a")
      assert.strictEqual(yield* call(gitLog, {}).pipe(Effect.provide(gitAt(at, at.root))), "No commits yet.")
      assert.strictEqual(yield* call(gitLogFile, { path: "a" }).pipe(Effect.provide(gitAt(at, at.root))), "No commits yet.")
    }))
})

describe("git_log_file", () => {
  it.scopedLive("follows a file behind its renames", () =>
    Effect.gen(function*() {
      const at = yield* work(`seq 20 > old; ${commit} one; echo x > other; ${commit} two; git mv old '*new'; ${commit} three; echo y >> '*new'; ${commit} four`)
      const text = yield* call(gitLogFile, { path: "*new" }).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(ids(text), "ID 2024-03-05  four\nID 2024-03-05  three\nID 2024-03-05  one")
    }))
})

describe("git_blame", () => {
  it.scopedLive("names commit, date and author of each line, the work tree's own included", () =>
    Effect.gen(function*() {
      const at = yield* work(`seq 100 > f; ${commit} one; sed -i 2s/.*/two/ f; ${commit} two; sed -i 3s/.*/three/ f`)
      const blame = (input: Readonly<Record<string, unknown>>) => call(gitBlame, { path: "f", ...input }).pipe(Effect.provide(gitAt(at, at.root)))
      const [one = "", two = ""] = at.sh("git log --reverse --format=%H").split("\n").map((id) => id.slice(0, 8))
      const all = (yield* blame({})).split("\n")
      assert.strictEqual(all.length, 100)
      assert.strictEqual(all[0], `${one} 2024-03-05 Ann Lee  1: 1`)
      assert.strictEqual(all[1], `${two} 2024-03-05 Ann Lee  2: two`)
      assert.match(all[2] ?? "", /^00000000 \d{4}-\d\d-\d\d Not Committed Yet {2}3: three$/)
      const lines = (text: string) => text.split("\n").map((line) => Number(/ {2}(\d+): /.exec(line)?.[1]))
      const window = lines(yield* blame({ startLine: 11 }))
      assert.deepStrictEqual([window.length, window[0], window.at(-1)], [40, 11, 50])
      assert.deepStrictEqual(lines(yield* blame({ endLine: 2 })), [1, 2])
      assert.deepStrictEqual(lines(yield* blame({ startLine: 4, endLine: 5 })), [4, 5])
      assert.deepStrictEqual(lines(yield* blame({ startLine: 99 })), [99, 100])
      assert.deepStrictEqual(lines(yield* blame({ startLine: 99, endLine: 500 })), [99, 100])
      assert.strictEqual((yield* Effect.flip(blame({ startLine: 101 }))).message, "fatal: file f has only 100 lines")
      assert.include((yield* Effect.flip(blame({ startLine: 5, endLine: 4 }))).message, "endLine 4 is before startLine 5")
      assert.strictEqual((yield* Effect.flip(blame({ path: "no" }))).message, "fatal: no such path 'no' in HEAD")
    }))

  it.scopedLive("keeps line numbers git's where text holds other line separators", () =>
    Effect.gen(function*() {
      const at = yield* work(`printf 'a\\fb\\nc\\342\\200\\250d\\ne\\r\\n' > -f; ${commit} one`)
      const text = yield* call(gitBlame, { path: "-f" }).pipe(Effect.provide(gitAt(at, at.root)))
      assert.deepStrictEqual(text.split("\n").map((line) => line.replace(/^.* {2}/, "")), ["1: a\fb", "2: c\u2028d", "3: e"])
    }))
})

describe("git_branch", () => {
  it.scopedLive("lists branches by last commit with the current one marked", () =>
    Effect.gen(function*() {
      const at = yield* work(`export GIT_COMMITTER_DATE=2024-01-01T00:00:00Z; echo a > a; ${commit} one; git branch old
        export GIT_COMMITTER_DATE=2024-02-01T00:00:00Z; git checkout -q -b feat/x; echo b > b; ${commit} two
        git init -q --bare ../hub; git remote add origin ../hub; git push -q origin feat/x; git remote set-head origin feat/x; git checkout -q main`)
      const branch = (input: Readonly<Record<string, unknown>>) => Effect.map(call(gitBranch, input).pipe(Effect.provide(gitAt(at, at.root))), (text) =>
        text.replace(/ [0-9a-f]{7} /g, " ID "))
      assert.strictEqual(yield* branch({}), "  feat/x  ID 2024-02-01  two\n* main  ID 2024-01-01  one\n  old  ID 2024-01-01  one")
      assert.strictEqual(yield* branch({ remote: true }), "  feat/x  ID 2024-02-01  two\n  origin/feat/x  ID 2024-02-01  two\n* main  ID 2024-01-01  one\n  old  ID 2024-01-01  one")
      at.sh("git checkout -q --detach")
      assert.match(yield* branch({}), /^\* HEAD \(detached at [0-9a-f]{7}\)\n {2}feat\/x/)
    }))

  it.scopedLive("says that there is none before the first commit", () =>
    Effect.gen(function*() {
      const at = yield* work("")
      assert.strictEqual(yield* call(gitBranch, {}).pipe(Effect.provide(gitAt(at, at.root))), "On main. No commits yet.")
    }))
})

describe("git_show_file", () => {
  it.scopedLive("gives a file as it was at a ref", () =>
    Effect.gen(function*() {
      const at = yield* work(`mkdir 'a b'; printf 'one\\n' > 'a b/-x*'; touch empty; ln -s empty link; printf 'x\\0y' > bin; ${commit} one; echo two > 'a b/-x*'; ${commit} two; rm 'a b/-x*'`)
      const show = (path: string, ref: string) => call(gitShowFile, { path, ref }).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(yield* show("a b/-x*", "HEAD~1"), "one\n")
      assert.strictEqual(yield* show("a b/-x*", "main"), "two\n")
      assert.strictEqual(yield* show("empty", "HEAD"), "(empty file)")
      assert.strictEqual(yield* show("link", "HEAD"), "(a link to empty)")
      const message = (path: string, ref = "HEAD") => Effect.map(Effect.flip(show(path, ref)), (error) => error.message)
      assert.strictEqual(yield* message("no"), "No such file: no at HEAD")
      assert.strictEqual(yield* message("a b"), "a b at HEAD is a folder. Name a file, or see its entries with git_show HEAD:a b")
      assert.include(yield* message("bin"), "bin at HEAD is a binary file (3 bytes;")
      assert.strictEqual(yield* message("empty", "nope"), "fatal: bad revision 'nope'")
      assert.include(yield* message("empty", "HEAD\nHEAD"), "not a single line")
      assert.include(yield* message("../x"), "Path escapes workspace")
    }))
})

describe("git_changed_in_ref", () => {
  it.scopedLive("names what differs between a ref and the work tree, and nothing else", () =>
    Effect.gen(function*() {
      const at = yield* work(`for f in a b c d e same; do seq 20 > $f; done; printf 'x\\0' > bin; printf 'x\\0' > bin2; ${commit} one
        sed -i s/1/x/ a; ${commit} two; sed -i s/2/y/ b; git mv c 'c 2'; rm d; echo n > new; git add new; echo u > untracked; printf 'y\\0' > bin2
        sed -i s/3/z/ e; git add e; seq 20 > e; touch -d 2001-01-01 same bin`)
      const changed = (ref: string) => call(gitChangedInRef, { ref }).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(yield* changed("HEAD~1"), "a\nb\nbin2\nc\nc 2\nd\nnew")
      assert.strictEqual(yield* changed("HEAD~1"), at.sh("git diff --no-renames --name-only HEAD~1").trim())
      at.sh("git reset -q --hard")
      assert.strictEqual(yield* changed("HEAD"), "Nothing differs from HEAD.")
      assert.strictEqual((yield* Effect.flip(changed("nope"))).message, "fatal: bad revision 'nope'")
    }))
})
