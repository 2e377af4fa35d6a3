import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Undo } from "../../../src/services/Undo.js"
import { bash, everything, git, given, kept, plant, repository, run } from "./support.js"

const wild = `
rm -rf src/part3 run.sh link
for n in 1 2 4 5; do echo overwritten > src/part$n/file$n.txt; done
mv "old name.txt" moved.txt && mv src/part6 elsewhere && mv new/untracked.txt new/other
chmod 600 src/part7/file7.txt
printf 'x' > data.bin; rm -f "$(printf 'with\\nnewline')"; printf 'now unix\\n' > crlf.txt
rm src/part8/file8.txt && mkdir src/part8/file8.txt && echo inside > src/part8/file8.txt/deep
rm -rf src/part9 && echo file > src/part9
ln -s /etc/passwd src/part10/outside; echo brand new > created.txt
`

describe("undo of a turn whose commands changed the work tree", () => {
  it.scopedLive("puts back every byte and mode, and leaves index, refs and stash alone", () =>
    given(repository, ({ root }) =>
      Effect.gen(function*() {
        const [before, gitBefore] = [everything(root), kept(root)]
        plant(root, { "wild.sh": wild })
        const withScript = everything(root)
        const told = yield* bash("bash wild.sh")
        assert.include(told, "exit code: 0")
        assert.notDeepEqual(everything(root), before)
        assert.deepStrictEqual(kept(root), gitBefore)
        const undone = yield* (yield* Undo).undoLast
        assert.deepStrictEqual(undone.refused, [])
        assert.deepStrictEqual(everything(root), withScript)
        assert.deepStrictEqual(kept(root), gitBefore)
        assert.include(undone.notes.join("\n"), "Undo does not cover git's index, refs and stash")
      })), 120_000)

  it.scopedLive("also after plain rm, git checkout -- and git reset, with what tools did in between", () =>
    given(repository, ({ root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        yield* run("turn", "write_file", { path: "created.txt", content: "by a tool\n" })
        yield* bash("rm -r src/part4 && git checkout -- src/part2 && rm created.txt")
        yield* run("turn", "write_file", { path: "src/part5/file5.txt", content: "by a tool\n" })
        yield* bash("git reset -q --hard && git clean -fdq")
        assert.isUndefined(everything(root)["new/untracked.txt"])
        const afterwards = kept(root)
        const undone = yield* (yield* Undo).undoLast
        assert.deepStrictEqual([undone.refused, everything(root)], [[], before])
        // What the commands did to the index stays, and shiro does nothing to it.
        assert.deepStrictEqual(kept(root), afterwards)
        assert.strictEqual((yield* Effect.flip((yield* Undo).undoLast)).message, "There is nothing to undo here.")
      })), 120_000)
})

describe("what a command only uncovered", () => {
  it.scopedLive("stays: ignored files when the rules go, a nested repository's files when it is no repository any more", () =>
    given((root) => {
      repository(root)
      plant(root, { "nested/inner.txt": "of another repository\n", "node_modules/a/index.js": "kept out\n" })
      git(path.join(root, "nested"), "init", "-q")
    }, ({ root }) =>
      Effect.gen(function*() {
        yield* bash("rm -r .gitignore nested/.git src/part3; echo more >> ignored.log; mv ignored.log seen.txt")
        const { notes, refused } = yield* (yield* Undo).undoLast
        const now = everything(root)
        assert.deepStrictEqual([refused, now[".gitignore"], now["src/part3/file3.txt"]], [[], "644 *.log\n", "644 file 3\nof many\n"])
        assert.deepStrictEqual([now["seen.txt"], now["nested/inner.txt"]], ["644 ignored\nmore\n", "644 of another repository\n"])
        assert.include(notes.join("\n"), "seen.txt was ignored before, or came from elsewhere, and is left as the command left it.")
      })))
})

describe("undo of commands", () => {
  it.scopedLive("leaves alone, file by file, what somebody has changed since", () =>
    given(repository, ({ root }) =>
      Effect.gen(function*() {
        yield* bash("echo command > src/part1/file1.txt; rm run.sh crlf.txt")
        plant(root, { "src/part1/file1.txt": "theirs\n", "run.sh": "theirs\n" })
        const { refused, restored } = yield* (yield* Undo).undoLast
        assert.deepStrictEqual([restored, refused.map(({ path: file }) => file)], [["crlf.txt"], ["run.sh", "src/part1/file1.txt"]])
        const now = everything(root)
        assert.deepStrictEqual([now["src/part1/file1.txt"], now["run.sh"]], ["644 theirs\n", "644 theirs\n"])
      })))

  it.scopedLive("works without a repository and in a folder of one, and keeps denied files where only the user reads", () =>
    given((root) => plant(root, { "a/b.txt": "b\n", ".env": "KEY=very-secret-value-1\n", "old/c.txt": "c\n" }), ({ parent, root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        yield* bash("rm -r a .env; echo x > old/c.txt; echo new > d.txt", "one")
        assert.notDeepEqual(everything(root), before)
        const undone = yield* (yield* Undo).undoLast
        assert.deepStrictEqual([undone.refused, everything(root)], [[], before])
        const open = Object.keys(everything(`${parent}/home`)).filter((name) =>
          (fs.statSync(path.join(parent, "home", name.split("/")[0] ?? "")).mode & 0o077) !== 0)
        assert.deepStrictEqual(open, [])
      })))

  it.scopedLive("runs nothing that a repository's configuration or attributes name, and says what it leaves out", () =>
    given((root) => {
      repository(root)
      const evil = `touch ${root}/../hit`
      for (const key of ["core.fsmonitor", "core.hooksPath", "filter.evil.clean", "filter.evil.smudge", "diff.external", "core.sshCommand"]) git(root, "config", key, evil)
      fs.writeFileSync(path.join(root, "large.bin"), Buffer.alloc(10_000_001))
    }, ({ parent, root }) =>
      Effect.gen(function*() {
        const told = yield* bash("echo changed > data.bin; rm large.bin")
        assert.include(told, "Undo does not cover files over 10 MB or that cannot be read: large.bin.")
        const { notes } = yield* (yield* Undo).undoLast
        assert.strictEqual(everything(root)["data.bin"], "644 \0\x01\u00c3\u00bf")
        assert.include(notes.join("\n"), "large.bin was changed by a command and is not put back")
        assert.isFalse(fs.existsSync(path.join(parent, "hit")))
      })))

  it.scopedLive("counts for nothing where the line only reads", () =>
    given(repository, ({ parent }) =>
      Effect.gen(function*() {
        for (const line of ["ls -la && cat run.sh | head -3", "git status > /dev/null; git log -1", "grep -rn file src"]) yield* bash(line)
        assert.isFalse(fs.existsSync(path.join(parent, "home/undo")))
        yield* bash("find . -name x -delete")
        assert.isTrue(fs.existsSync(path.join(parent, "home/undo")))
      })))
})
