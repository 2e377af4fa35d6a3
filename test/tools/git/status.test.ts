import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { changedFiles } from "../../../src/tools/extra/changedFiles.js"
import { gitCurrentBranch } from "../../../src/tools/extra/gitCurrentBranch.js"
import { gitStatus } from "../../../src/tools/git/gitStatus.js"
import { call } from "../../../src/tools/pipeline.js"
import { gitAt, work } from "../../support/gitWork.js"

const commit = "git add -A; git commit -qm"

/** What git_status says after a script. */
const status = (script: string, folder = "") =>
  Effect.gen(function*() {
    const at = yield* work(script)
    return yield* call(gitStatus, {}).pipe(Effect.provide(gitAt(at, join(at.root, folder))))
  })

describe("git_status", () => {
  it.scopedLive("tells a staged change from a later one in the same file", () =>
    Effect.gen(function*() {
      const text = yield* status(`mkdir src; echo a > src/app.ts; ${commit} one; echo b > src/app.ts; git add .; echo c > src/app.ts; echo n > new.ts`)
      assert.strictEqual(text, "On main, 2 changed:\nsrc/app.ts  (staged modified, modified)\nnew.ts  (untracked)")
    }))

  it.scopedLive("names every kind of change", () =>
    Effect.gen(function*() {
      const text = yield* status(`for f in m d sd t; do echo $f > $f; done; seq 8 > 'old name'; ${commit} one
        echo 2 >> m; rm d; git rm -q sd; rm t; ln -s m t; git mv 'old name' new; echo x > add; git add add; echo y > an; git add -N an`)
      assert.deepStrictEqual(text.split("\n").sort(), [
        "On main, 7 changed:", "add  (staged new)", "an  (new, only announced to git (add -N))", "d  (deleted)", "m  (modified)",
        "new  (staged renamed from old name)", "sd  (staged deleted)", "t  (type changed)"
      ].sort())
    }))

  it.scopedLive("says where HEAD is", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* status(""), "On main, no commits yet")
      assert.strictEqual(yield* status("echo a > a; git add a"), "On main, no commits yet, 1 changed:\na  (staged new)")
      assert.strictEqual(yield* status(`echo a > a; ${commit} one`), "On main, nothing changed.")
      const at = yield* work(`echo a > a; ${commit} one; git checkout -q --detach`)
      const short = at.sh("git rev-parse --short HEAD").trim()
      assert.strictEqual(yield* call(gitStatus, {}).pipe(Effect.provide(gitAt(at, at.root))), `On a detached HEAD at ${short}, nothing changed.`)
    }))

  it.scopedLive("says what is in progress and names conflicts", () =>
    Effect.gen(function*() {
      const fork = `seq 5 > f; seq 5 > gone; ${commit} one; git checkout -qb topic; sed -i s/3/x/ f; git rm -q gone; ${commit} topic
        git checkout -q main; sed -i s/3/y/ f; echo 6 >> gone; ${commit} main`
      const merge = yield* status(`${fork}; git merge -q topic || true`)
      assert.match(merge, /^On main, 2 changed:\nf {2}\(conflict: both modified\)\ngone {2}\(conflict: deleted by them\)\nA merge of [0-9a-f]{7} is in progress\.$/)
      const rebase = yield* status(`${fork}; git checkout -q topic; git rebase main || true`)
      assert.match(rebase, /^On a detached HEAD at [0-9a-f]{7}, 2 changed:/)
      assert.match(rebase, /A rebase of topic onto [0-9a-f]{7} is in progress \(step 1 of 1\)\.$/)
      const pick = yield* status(`${fork}; git cherry-pick topic || true`)
      assert.match(pick, /A cherry-pick of [0-9a-f]{7} is in progress\.$/)
      const revert = yield* status(`${fork}; sed -i s/y/z/ f; ${commit} z; git revert HEAD~1 || true`)
      assert.match(revert, /A revert of [0-9a-f]{7} is in progress\.$/)
      const bisect = yield* status(`${fork}; git bisect start -q HEAD HEAD~1 || git bisect start`)
      assert.match(bisect, /A bisect is in progress\.$/)
      const mail = yield* status(`${fork}; git format-patch -1 --stdout topic > ../p; git am ../p || true`)
      assert.match(mail, /git am\) is in progress\.$/)
    }))

  it.scopedLive("shows names as they are", () =>
    Effect.gen(function*() {
      const text = yield* status(`echo x > 'café 日本.txt'; echo x > 'say "hi".txt'; echo x > ' two  spaces'; echo x > -x; echo x > $'new\\nline'; echo x > 'back\\slash'; echo x > '*.ts'; echo x > ':(top)y'`)
      for (const name of ["café 日本.txt", "say \"hi\".txt", " two  spaces", "-x", "new\nline", "back\\slash", "*.ts", ":(top)y"]) {
        assert.include(text, `\n${name}  (untracked)`)
      }
    }))

  it.scopedLive("stays within the workspace where that is a folder of the repository", () =>
    Effect.gen(function*() {
      const text = yield* status(`mkdir -p app/src other; echo a > app/src/a; echo o > other/o; ${commit} one; echo b > app/src/a; echo b > other/o; echo n > app/n; git mv other/o other/p`, "app")
      assert.strictEqual(text, "On main, 2 changed:\nsrc/a  (modified)\nn  (untracked)\n1 more changed outside the workspace.")
    }))

  it.scopedLive("works in worktrees, submodules and with a repository kept elsewhere", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one; git worktree add -q -b side ../side; echo b > ../side/a
        git init -q ../lib; (cd ../lib; echo l > l; ${commit} lib); git submodule -q add ../lib lib; ${commit} sub; echo m > lib/l
        git init -q --separate-git-dir ../kept ../apart; echo z > ../apart/z`)
      const of = (folder: string) => call(gitStatus, {}).pipe(Effect.provide(gitAt(at, folder)))
      assert.strictEqual(yield* of(join(at.parent, "side")), "On side, 1 changed:\na  (modified)")
      assert.strictEqual(yield* of(join(at.root, "lib")), "On main, 1 changed:\nl  (modified)")
      assert.strictEqual(yield* of(join(at.parent, "apart")), "On main, no commits yet, 1 changed:\nz  (untracked)")
      assert.strictEqual(yield* of(at.root), "On main, nothing changed.")
      at.sh("echo more > lib/k; git -C lib add k; git -C lib commit -qm more")
      assert.strictEqual(yield* of(at.root), "On main, 1 changed:\nlib  (modified)")
    }))

  it.scopedLive("says that a folder is not a repository", () =>
    Effect.gen(function*() {
      const at = yield* work("", false)
      const error = yield* call(gitStatus, {}).pipe(Effect.flip, Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(error.message, `${at.root} is not a git repository.`)
      at.sh("git init -q --bare")
      const bare = yield* call(gitStatus, {}).pipe(Effect.flip, Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(bare.message, `${at.root} is not a git repository.`)
      at.sh("git init -q ../other")
      const inside = join(at.parent, "other/.git/hooks")
      assert.strictEqual((yield* call(gitStatus, {}).pipe(Effect.flip, Effect.provide(gitAt(at, inside)))).message, `${inside} is not a git repository.`)
    }))

  it.scopedLive("says that git is missing", () =>
    Effect.gen(function*() {
      const at = yield* work("")
      const error = yield* call(gitStatus, {}).pipe(Effect.flip, Effect.provide(gitAt(at, at.root, { PATH: at.home })))
      assert.strictEqual(error.message, "git is not installed or not on PATH.")
    }))

  it.scopedLive("refuses input it has no use for", () =>
    Effect.gen(function*() {
      const at = yield* work("")
      const error = yield* call(gitStatus, { path: "a" }).pipe(Effect.flip, Effect.provide(gitAt(at, at.root)))
      assert.include(error.message, "Invalid input for git_status")
      assert.include(error.message, "path")
    }))
})

describe("changed_files", () => {
  it.scopedLive("names what git_status names", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo a > a; ${commit} one; echo b > a; echo n > 'n m'`)
      const text = yield* call(changedFiles, {}).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(text, "a  (modified)\nn m  (untracked)")
      at.sh(`${commit} two`)
      assert.strictEqual(yield* call(changedFiles, {}).pipe(Effect.provide(gitAt(at, at.root))), "Nothing changed.")
    }))
})

describe("git_current_branch", () => {
  it.scopedLive("tells branch, upstream, ahead and behind", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a")
      const branch = call(gitCurrentBranch, {}).pipe(Effect.provide(gitAt(at, at.root)))
      assert.strictEqual(yield* branch, "main, no commits yet")
      at.sh(`${commit} one`)
      assert.strictEqual(yield* branch, "main, no upstream")
      at.sh("git init -q --bare ../hub; git remote add origin ../hub; git push -q -u origin main")
      assert.strictEqual(yield* branch, "main, upstream origin/main, up to date")
      at.sh(`echo b > b; ${commit} two; git push -q; git reset -q --hard HEAD~1; echo c > c; ${commit} three; echo d > d; ${commit} four`)
      assert.strictEqual(yield* branch, "main, upstream origin/main, 2 ahead, 1 behind")
      at.sh("git update-ref -d refs/remotes/origin/main")
      assert.strictEqual(yield* branch, "main, upstream origin/main is gone")
      at.sh("git checkout -q --detach")
      assert.match(yield* branch, /^On a detached HEAD at [0-9a-f]{7}, no branch\.$/)
    }))
})
