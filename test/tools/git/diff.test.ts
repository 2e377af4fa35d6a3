import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { gitDiffCommits } from "../../../src/tools/extra/gitDiffCommits.js"
import { gitDiff } from "../../../src/tools/git/gitDiff.js"
import { gitShow } from "../../../src/tools/git/gitShow.js"
import { call } from "../../../src/tools/pipeline.js"
import { resultCap } from "../../../src/tools/text/cap.js"
import type { Built } from "../../support/gitWork.js"
import { gitAt, work } from "../../support/gitWork.js"

const commit = "git add -A; git commit -qm"
const diff = (at: Built, input: Readonly<Record<string, unknown>> = {}, folder = "") =>
  call(gitDiff, input).pipe(Effect.provide(gitAt(at, join(at.root, folder))))
/** What git itself says, without its trailing newline. */
const own = (at: Built, args: string) => at.sh(`git -c core.quotePath=false ${args}`).replace(/\n$/, "")

describe("git_diff", () => {
  it.scopedLive("is git's own diff, unstaged and staged", () =>
    Effect.gen(function*() {
      const at = yield* work(`for f in a b c d e; do seq 20 > $f; done; ln -s a l; printf 'x\\0y' > bin; ${commit} one
        sed -i s/7/seven/ a; sed -i s/9/nine/ b; git add b; git mv c moved; rm d; chmod +x e; rm l; echo l > l; printf 'z\\0y' > bin; echo t > new; git add -N new`)
      assert.strictEqual(yield* diff(at), own(at, "diff"))
      assert.strictEqual(yield* diff(at, { staged: true }), own(at, "diff --staged"))
      assert.strictEqual(yield* diff(at, { path: "a" }), own(at, "diff a"))
      assert.strictEqual(yield* diff(at, { staged: true, path: "moved" }), own(at, "diff --staged -- c moved"))
    }))

  it.scopedLive("shows conflicts against both sides", () =>
    Effect.gen(function*() {
      const at = yield* work(`mkdir s; seq 5 > s/f; seq 5 > gone; ${commit} one; git checkout -qb topic; sed -i s/3/x/ s/f; git rm -q gone; ${commit} topic
        git checkout -q main; sed -i s/3/y/ s/f; echo 6 >> gone; ${commit} main; git merge -q topic || true`)
      const text = yield* diff(at)
      assert.strictEqual(text, own(at, "diff"))
      assert.include(text, "++<<<<<<< HEAD\n +y\n++=======\n+ x\n")
      assert.include(yield* diff(at, {}, "s"), "diff --cc f\n")
    }))

  it.scopedLive("works before the first commit", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a; git add a")
      assert.strictEqual(yield* diff(at, { staged: true }), own(at, "diff --staged"))
    }))

  it.scopedLive("says what there is when there is nothing to show", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one; echo n > n; echo m > m; git add m`)
      assert.strictEqual(yield* diff(at), "No unstaged changes.\n1 staged: set staged.\n1 untracked: read them.")
      assert.strictEqual(yield* diff(at, { path: "a" }), "No unstaged changes in a.")
      at.sh("git rm -qf --cached m; echo b > a")
      assert.strictEqual(yield* diff(at, { staged: true }), "No staged changes.\n1 changed but not staged: leave staged out.")
    }))

  it.scopedLive("takes names literally", () =>
    Effect.gen(function*() {
      const names = ["café 日本", "say \"hi\"", " two  spaces", "-x", "new\nline", "back\\slash", "*.ts", ":(top)y", "a b/a b", "tab\there"]
      const at = yield* work(`mkdir 'a b'; touch a.ts; ${names.map((name) => `echo x > ${`'${name}'`.replace("-x", "./-x")}`).join("; ")}; ${commit} one
        ${names.map((name) => `echo y > ${`'${name}'`.replace("-x", "./-x")}`).join("; ")}; echo y > a.ts`)
      const all = yield* diff(at)
      assert.strictEqual(all, own(at, "diff"))
      for (const path of names) {
        const one = yield* diff(at, { path })
        assert.strictEqual(one, at.sh(`git -c core.quotePath=false --literal-pathspecs diff -- '${path}'`).replace(/\n$/, ""))
        assert.strictEqual(one.match(/^diff --git/gm)?.length, 1, path)
      }
    }))

  it.scopedLive("is not misled by content that looks like a diff", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; echo e > e.env; ${commit} one
        printf 'x\\rdiff --git a/q b/q\\rindex\\n\\342\\200\\250diff --git a/q b/q\\ndiff --git a/a b/a\\n' > a; echo f > b; git add -N b`)
      assert.include(yield* diff(at), "diff --git a/b b/b")
      assert.include(yield* diff(at, { path: "a" }), "+diff --git a/a b/a")
    }))

  it.scopedLive("keeps only what lies in the workspace where that is a folder of the repository", () =>
    Effect.gen(function*() {
      const at = yield* work(`mkdir -p app other; seq 9 > app/a; seq 9 > other/o; seq 30 > other/m; ${commit} one; echo b > app/a; echo b > other/o; git mv other/m app/m`)
      const text = yield* diff(at, {}, "app")
      assert.include(text, "diff --git a/a b/a\n")
      assert.notInclude(text, "other")
      assert.match(text, /\n1 more file outside the workspace left out\.$/)
      assert.include(yield* diff(at, { staged: true }, "app"), "diff --git a/m b/m\nnew file mode")
      assert.strictEqual((yield* Effect.flip(diff(at, { path: "../other/o" }, "app"))).message, "Path escapes workspace: ../other/o")
    }))

  it.scopedLive("is cut at the borders of files, with a list of what was left out", () =>
    Effect.gen(function*() {
      const at = yield* work(`for f in $(seq 100 299); do echo $f > f$f; done; seq 9000 > big; ${commit} one
        for f in $(seq 100 299); do echo changed $f > f$f; done; seq 9000 | sed s/1/x/ > big; printf '%0200000d\\n' 0 > long; git add -N long`)
      const text = yield* diff(at)
      assert.isAtMost(text.length, resultCap)
      const [shown = "", list = ""] = text.split("\nLeft out because the diff is too large, ")
      const left = [...list.matchAll(/^(\S+) \((?:modified|new), \+/gm)].map(([, name]) => name)
      assert.include(left, "big")
      assert.include(left, "long")
      const sections = shown.match(/^diff --git/gm)?.length ?? 0
      assert.isAbove(sections, 100)
      assert.strictEqual(shown, at.sh("git diff").split(/(?<=\n)(?=diff --git)/).filter((part) => shown.includes(part.trimEnd())).join(""))
      const total = Number(/^(\d+) files/.exec(list)?.[1])
      assert.strictEqual(sections + total, 202)
    }))

  it.scopedLive("shows small files beside one of which git could not be read to the end", () =>
    Effect.gen(function*() {
      const at = yield* work(`for f in a b m z; do echo $f > $f; done; ${commit} one
        for f in a m; do head -c 1500000 /dev/zero | tr '\\0' x > $f; done; head -c 20000 /dev/zero | tr '\\0' y > b; echo new > z`)
      const text = yield* diff(at)
      for (const name of ["b", "z"]) assert.include(text, `diff --git a/${name} b/${name}\n`)
      assert.match(text, /2 files \(give path to see one\):\na \(modified, \+1 -1\)\nm \(modified, \+1 -1\)$/)
      const one = yield* diff(at, { path: "m" })
      assert.include(one, "-m\n")
      assert.match(one, /\n\.\.\. \[truncated [\d,]+ chars\]$/)
    }))

  it.scopedLive("cuts a single file that is too large at a line's end", () =>
    Effect.gen(function*() {
      const at = yield* work(`seq 9000 > big; ${commit} one; seq 9000 | sed s/1/x/ > big`)
      const text = yield* diff(at)
      assert.isAtMost(text.length, resultCap)
      assert.match(text, /\n[ +-][\dx]+\n\.\.\. \[truncated [\d,]+ chars\]$/)
    }))

  it.scopedLive("does not take a new time stamp for a change", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; printf 'x\\0y' > bin; ${commit} one; touch -d '2001-01-01' a bin`)
      const before = at.sh("stat -c '%y %i' .git/index")
      assert.strictEqual(yield* diff(at), "No unstaged changes.")
      assert.strictEqual(at.sh("stat -c '%y %i' .git/index"), before)
    }))

  it.scopedLive("keeps a file of CRLF lines apart from its text", () =>
    Effect.gen(function*() {
      const at = yield* work(`printf 'a\\r\\nb\\r\\n' > f; ${commit} one; printf 'a\\r\\nc\\r\\n' > f`)
      assert.include(yield* diff(at), "@@ -1,2 +1,2 @@\n a\n-b\n+c")
    }))
})

describe("git_show", () => {
  const show = (at: Built, input: Readonly<Record<string, unknown>>, folder = "") =>
    call(gitShow, input).pipe(Effect.provide(gitAt(at, join(at.root, folder))))

  it.scopedLive("shows message, author and diff", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one; seq 20 > b; git add .; git commit -qm 'Say why

The reason.'`)
      const id = own(at, "rev-parse HEAD")
      assert.strictEqual(yield* show(at, { ref: "HEAD" }), [
        `commit ${id}`, "Author: Ann Lee <ann@example.com>", "Date: 2024-03-05 10:00:00 +0000", "", "    Say why", "", "    The reason.", "",
        own(at, "diff HEAD~1 HEAD")
      ].join("\n"))
      assert.include(yield* show(at, { ref: "HEAD~1" }), "new file mode")
      assert.match(yield* show(at, { ref: "HEAD", path: "a" }), /\n\nIt does not change a\.$/)
    }))

  it.scopedLive("shows of a merge what differs from all parents", () =>
    Effect.gen(function*() {
      const at = yield* work(`seq 5 > f; seq 5 > same; ${commit} one; git checkout -qb topic; sed -i s/3/x/ f; ${commit} topic
        git checkout -q main; sed -i s/3/y/ f; ${commit} main; git merge -q topic || true; seq 5 | sed s/3/z/ > f; ${commit} merged`)
      const text = yield* show(at, { ref: "HEAD" })
      assert.include(text, "Merge of ")
      assert.include(text, `\n    merged\n\n${own(at, "diff-tree --cc --no-commit-id HEAD").replace(/^\n/, "")}`)
    }))

  it.scopedLive("shows tags, stashes, folders and files", () =>
    Effect.gen(function*() {
      const at = yield* work(`mkdir -p src; echo a > src/a; touch src/e; ${commit} one; git tag -a v1 -m 'First release'; echo b > src/a; git stash -q`)
      assert.match(yield* show(at, { ref: "v1" }), /^tag: First release\ncommit /)
      assert.include(yield* show(at, { ref: "stash@{0}" }), "++b")
      assert.strictEqual(yield* show(at, { ref: "HEAD:src" }), "a\ne")
      assert.strictEqual(yield* show(at, { ref: "HEAD:src/a" }), "a\n")
      assert.strictEqual(yield* show(at, { ref: "HEAD:src/e" }), "(empty file)")
      assert.strictEqual(yield* show(at, { ref: ":src/a" }), "a\n")
      assert.strictEqual(yield* show(at, { ref: own(at, "rev-parse HEAD:src/a") }), "a\n")
      assert.strictEqual((yield* Effect.flip(show(at, { ref: "HEAD:no" }))).message, "No such file: no at HEAD")
    }))

  it.scopedLive("reports what git said", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one`)
      assert.strictEqual((yield* Effect.flip(show(at, { ref: "no-such-ref" }))).message, "fatal: bad revision 'no-such-ref'")
    }))

  it.scopedLive("refuses a ref that git could take for an option", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one`)
      const error = yield* Effect.flip(show(at, { ref: "--output=pwned.txt" }))
      assert.deepInclude(error, { _tag: "ToolFailed", refused: true })
      assert.include(error.message, "begins with a dash")
      assert.strictEqual(at.sh("ls"), "a\n")
    }))

  it.scopedLive("keeps only what lies in the workspace where that is a folder of the repository", () =>
    Effect.gen(function*() {
      const at = yield* work(`mkdir -p app other; echo a > app/a; echo o > other/o; ${commit} one`)
      const text = yield* show(at, { ref: "HEAD" }, "app")
      assert.include(text, "diff --git a/a b/a")
      assert.match(text, /\n1 more file outside the workspace left out\.$/)
      assert.strictEqual(yield* show(at, { ref: "HEAD:app/a" }, "app"), "a\n")
      assert.strictEqual(yield* show(at, { ref: "HEAD:./a" }, "app"), "a\n")
      for (const ref of ["HEAD:other/o", "HEAD:../other/o", "HEAD:app/../other/o"]) {
        assert.include((yield* Effect.flip(show(at, { ref }, "app"))).message, "Path escapes workspace")
      }
      assert.include((yield* Effect.flip(show(at, { ref: own(at, "rev-parse HEAD:other/o") }, "app"))).message, "no file of this workspace")
    }))
})

describe("git_diff_commits", () => {
  it.scopedLive("is git's own diff between two refs", () =>
    Effect.gen(function*() {
      const at = yield* work(`seq 30 > a; seq 30 > 'b c'; ${commit} one; git tag -a v1 -m v1; sed -i s/7/seven/ a; git mv 'b c' d; ${commit} two`)
      const diffOf = (input: Readonly<Record<string, unknown>>) => call(gitDiffCommits, input).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(yield* diffOf({ from: "v1", to: "HEAD" }), own(at, "diff v1 HEAD"))
      assert.strictEqual(yield* diffOf({ from: "HEAD", to: "v1", path: "a" }), own(at, "diff HEAD v1 -- a"))
      assert.strictEqual(yield* diffOf({ from: "HEAD", to: "main" }), "No difference between HEAD and main.")
      for (const from of ["-p", "--output=x"]) {
        assert.deepInclude(yield* Effect.flip(diffOf({ from, to: "HEAD" })), { _tag: "ToolFailed", refused: true })
        assert.deepInclude(yield* Effect.flip(diffOf({ from: "HEAD", to: from })), { _tag: "ToolFailed", refused: true })
      }
      assert.include((yield* Effect.flip(diffOf({ from: "HEAD:a", to: "HEAD" }))).message, "not a commit")
    }))
})
