import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Git } from "../../../src/services/Git.js"
import { gitDiffCommits } from "../../../src/tools/extra/gitDiffCommits.js"
import { gitShowFile } from "../../../src/tools/extra/gitShowFile.js"
import { gitBlame } from "../../../src/tools/git/gitBlame.js"
import { gitShow } from "../../../src/tools/git/gitShow.js"
import { gitStatus } from "../../../src/tools/git/gitStatus.js"
import { call } from "../../../src/tools/pipeline.js"
import { answering, everyTool } from "../../support/gitTools.js"
import { gitAt, work } from "../../support/gitWork.js"

/**
 * A repository with every trick of hardening.md and some more. Each runs `../bin/trap NAME`, which leaves a mark of that
 * name in `../marks` and behaves like `cat`.
 */
const traps = `
mkdir -p ../bin ../marks ../outside ../hooks ../alt
cat > ../bin/trap <<'X'
#!/bin/sh
echo "$@" >> "$(dirname "$0")/../marks/$1"
exec cat
X
chmod +x ../bin/trap
T=$(cd ../bin; pwd)/trap
printf '#!/bin/sh\\nexec %s gpg\\n' $T > $T-gpg; chmod +x $T-gpg
for h in post-index-change pre-commit post-checkout reference-transaction fsmonitor-watchman post-rewrite pre-auto-gc sendemail-validate; do
  printf '#!/bin/sh\\n%s hook </dev/null\\n' $T > ../hooks/$h; printf '#!/bin/sh\\n%s ownhook </dev/null\\n' $T > .git/hooks/$h
done
chmod +x ../hooks/* .git/hooks/*
git config core.commentChar ';'
mkdir 'src dir'
printf 'one\\ntwo\\nthree\\n' > 'src dir/a.txt'; printf 'x\\n' > plain.txt; printf 'x\\n' > ./-x; printf 'x\\n' > ./--output=y; seq 9 > both.txt
git add -A; git commit -qm one
git init -q sub; (cd sub; echo s > s; git add s; git commit -qm s)
git -c protocol.file.allow=always submodule --quiet add ./sub sub 2>/dev/null || true
git add -A; git commit -qm two
git checkout -qb side; echo side > both.txt; git commit -qam side; git checkout -q main; echo main > both.txt; git commit -qam main
# a commit that says it is signed
{ git cat-file commit HEAD | sed '/^$/,$d'; printf 'gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n iQ==\\n -----END PGP SIGNATURE-----\\n\\nsigned\\n'; } > ../c
git update-ref refs/heads/main $(git hash-object -t commit -w ../c)
git update-ref refs/heads/--output=z HEAD; git update-ref refs/tags/-p HEAD; git update-ref refs/heads/--exec=x HEAD~1
git merge -q side >/dev/null 2>&1 || true
echo staged >> plain.txt; git add plain.txt; echo later >> plain.txt; echo two >> 'src dir/a.txt'; echo y >> ./-x; touch -d 2001-01-01 ./--output=y
echo s2 > sub/s
git config -f .git/config.evil filter.inc.clean "$T clean-inc"; git config -f .git/config.evil filter.inc.required true
printf '* diff=evil filter=evil merge=evil\\n-x filter=a=b diff=evil\\nplain.txt filter=inc diff=evil\\n"src dir/a.txt" filter=x.y diff=evil\\n' > .git/info/attributes
printf '* diff=evil filter=evil text\\n' > .gitattributes
cp .gitattributes sub/.gitattributes
cat > ../more <<X
[filter "evil"]
 clean = $T clean
 smudge = $T smudge
 process = $T process
 required = true
[filter "a=b"]
 clean = $T clean
[filter "x.y"]
 clean = $T clean
[diff "evil"]
 textconv = $T textconv
 cachetextconv = true
 command = $T drivercommand
[merge "evil"]
 driver = $T mergedriver
[diff]
 external = $T external
 submodule = log
 ignoreSubmodules = none
 orderFile = /etc/passwd
 noprefix = true
 renames = copies
[core]
 fsmonitor = $T fsmonitor
 hooksPath = $(cd ../hooks; pwd)
 pager = $T pager
 editor = $T editor
 askPass = $T askpass
 sshCommand = $T ssh
 gitProxy = $T gitproxy
 alternateRefsCommand = $T alternaterefs
 untrackedCache = true
 splitIndex = true
 quotePath = true
[sequence]
 editor = $T editor
[credential]
 helper = !$T credential
[pager]
$(for p in log diff show status blame branch; do echo " $p = $T pager"; done)
[alias]
$(for p in log diff show status blame branch; do echo " $p = !$T alias"; done)
[uploadpack]
 packObjectsHook = $T packobjects
[trace2]
 normalTarget = $(cd ../marks; pwd)/trace2
[gpg]
 program = $T-gpg
[gpg "openpgp"]
 program = $T-gpg
[gpg "ssh"]
 program = $T-gpg
 defaultKeyCommand = $T gpgkey
[log]
 showSignature = true
 mailmap = true
[mailmap]
 file = /etc/passwd
[format]
 pretty = %G? %GG %s
[status]
 submoduleSummary = true
[submodule]
 recurse = true
[submodule "sub"]
 ignore = none
[color]
 ui = always
[gc]
 auto = 1
X
for c in .git/config .git/modules/sub/config sub/.git/config; do if [ -f $c ]; then cat ../more >> $c; fi; done
git config -f .git/config core.worktree "$(cd ../outside; pwd)"; echo outside > ../outside/leak.txt
git config -f .git/config include.path config.evil
git init -q --bare ../alt/r
rm -f ../marks/*
echo "$(cd ../alt/r/objects; pwd)" > .git/objects/info/alternates
`

describe("git in a hostile repository", () => {
  it.scopedLive("nothing is executed and nothing is written, by any git tool", () =>
    Effect.gen(function*() {
      const at = yield* work(traps)
      const marks = () => at.sh("ls ../marks").split("\n").filter((name) => name !== "")
      const all = () => at.sh("find . ../outside ../alt -type f -print0 | sort -z | xargs -0 stat -c '%n %s %Y %i' ; find . -type d | sort")
      const before = all()
      const trap = `${at.parent}/bin/trap`
      const env = {
        GIT_DIR: `${at.parent}/alt/r`, GIT_EXTERNAL_DIFF: `${trap} env-external`, GIT_PAGER: `${trap} env-pager`, PAGER: `${trap} env-pager`,
        GIT_SSH_COMMAND: `${trap} env-ssh`, GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${trap} env-config'`, GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "diff.external", GIT_CONFIG_VALUE_0: `${trap} env-config`, GIT_TRACE: `${at.parent}/marks/trace`,
        GIT_EXEC_PATH: `${at.parent}/bin`, GIT_ASKPASS: trap, EDITOR: trap, GIT_WORK_TREE: `${at.parent}/outside`, GIT_INDEX_FILE: `${at.parent}/none`
      }
      const model = answering("a message")
      const asked = [["src dir/a.txt", "HEAD"], ["-x", "side"]] as const
      const tools = Effect.forEach(asked, ([path, ref]) => everyTool(path, ref))
      const said = (yield* tools.pipe(Effect.provide(gitAt(at, at.root, env)), Effect.provide(model.layer))).flat()
      assert.deepStrictEqual(marks(), [])
      assert.strictEqual(all(), before)
      const text = said.map(({ text }) => text).join("\n")
      assert.notInclude(text, "leak.txt")
      assert.notInclude(text, "root:x:")
      // They did their work meanwhile.
      assert.include(said[0]?.text, "On main, ")
      assert.include(text, "+later")
      assert.include(text, "both.txt  (conflict: both modified)")
      assert.include(text, "a message")
      assert.include(text, "  1: one")
      // And the traps are live: plain git runs into them.
      at.sh("git config --unset core.worktree; for c in status diff 'diff --no-ext-diff' 'log -1' 'blame plain.txt' 'add plain.txt'; do git $c; git -c filter.evil.process= -c filter.evil.required=false $c; done >/dev/null 2>&1 || true")
      assert.deepStrictEqual(marks(), ["clean", "clean-inc", "drivercommand", "fsmonitor", "gpg", "hook", "process", "textconv"])
    }), 120_000)

  it.scopedLive("a ref that begins with a dash is refused by every tool that takes one", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a; git add .; git commit -qm one; git commit -q --allow-empty -m two; git update-ref refs/heads/--output=pwned HEAD")
      const model = answering("m")
      const said = yield* everyTool("a", "--output=pwned").pipe(Effect.provide(gitAt(at, at.root)), Effect.provide(model.layer))
      const refused = said.filter(({ text }) => text.includes("begins with a dash")).map(({ name }) => name)
      assert.deepStrictEqual(refused, [
        "git_show", "git_show path", "git_show ref:path", "git_diff_commits", "git_diff_commits path", "git_show_file", "git_changed_in_ref"
      ])
      assert.strictEqual(at.sh("ls"), "a\n")
    }))

  it.scopedLive("missing objects of a partial clone are not fetched", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo secret > a; git add .; git commit -qm one; echo b > a; git add .; git commit -qm two
        mkdir ../bin ../marks; printf '#!/bin/sh\\ntouch ../marks/helper\\n' > ../bin/git-remote-evil; chmod +x ../bin/git-remote-evil
        git init -q --bare ../up; git config core.repositoryformatversion 1; git config extensions.partialClone origin
        git config remote.origin.promisor true; git config remote.origin.vcs evil; git config remote.origin.url ../up
        git config remote.origin.uploadpack 'touch ../marks/uploadpack;'; git config core.sshCommand 'touch ../marks/ssh;'
        o=$(git rev-parse HEAD~1:a); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)`)
      const bin = { PATH: `${at.parent}/bin:${process.env["PATH"] ?? ""}` }
      const oid = at.sh("git rev-parse HEAD~1:a").trim()
      const tools = Effect.all([
        call(gitShow, { ref: "HEAD" }), call(gitShow, { ref: oid }), call(gitShowFile, { path: "a", ref: "HEAD~1" }), call(gitDiffCommits, { from: "HEAD~1", to: "HEAD" }),
        call(gitBlame, { path: "a" })
      ], { mode: "either" }).pipe(Effect.provide(gitAt(at, at.root, bin)))
      for (const change of ["true", "git config --unset remote.origin.vcs", "git config remote.origin.url 'ext::touch ../marks/ext'", "git config remote.origin.url ssh://nowhere/x"]) {
        at.sh(change)
        assert.isTrue((yield* tools).some((result) => result._tag === "Left"))
      }
      assert.strictEqual(at.sh("ls ../marks"), "")
    }))

  it.scopedLive("blame is refused while the repository sets blame.ignoreRevsFile", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a; git add .; git commit -qm one; printf 'hunter2hunter2\\n' > ../key; git config blame.ignoreRevsFile ../key")
      const error = yield* call(gitBlame, { path: "a" }).pipe(Effect.flip, Effect.provide(gitAt(at, at.root)))
      assert.include(error.message, "blame.ignoreRevsFile")
      assert.notInclude(error.message, "hunter2")
    }))

  it.scopedLive("a program named git in the workspace is not run", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a; git add .; git commit -qm one; printf '#!/bin/sh\\ntouch ../mark\\n' > git; chmod +x git")
      const text = yield* call(gitStatus, {}).pipe(Effect.provide(gitAt(at, at.root, { PATH: `${at.root}:.:${process.env["PATH"] ?? ""}` })))
      assert.include(text, "git  (untracked)")
      assert.strictEqual(at.sh("ls .."), "home\nws\n")
    }))

  it.scopedLive("a repository of another user is read only if the user's own configuration says so", () =>
    Effect.gen(function*() {
      const at = yield* work("echo a > a; git add .; git commit -qm one")
      // Only root can give files away; elsewhere git is told to assume it.
      const root = process.getuid?.() === 0
      if (root) at.sh("chown -R 65534:65534 .")
      const status = call(gitStatus, {}).pipe(Effect.provide(gitAt(at, at.root)))
      const inside = Effect.flatMap(Git, (git) => git.inRepository).pipe(Effect.provide(gitAt(at, at.root)))
      if (root) {
        assert.include((yield* Effect.flip(status)).message, "dubious ownership")
        assert.isFalse(yield* inside)
        at.sh(`git config -f .git/config safe.directory '*'`, at.root)
        assert.include((yield* Effect.flip(status)).message, "dubious ownership")
      }
      at.sh(`git config --global --add safe.directory '${at.root}'`, at.home)
      assert.strictEqual(yield* status, "On main, nothing changed.")
      assert.isTrue(yield* inside)
    }))

  it.scopedLive("what the user ignores everywhere stays ignored", () =>
    Effect.gen(function*() {
      const at = yield* work("echo '*.swp' > ../home/ignored; git config --global core.excludesFile '~/ignored'; touch a.swp b")
      assert.strictEqual(yield* call(gitStatus, {}).pipe(Effect.provide(gitAt(at, at.root))), "On main, no commits yet, 1 changed:\nb  (untracked)")
    }))
})
