import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Undo } from "../../../src/services/Undo.js"
import { bash, everything, git, given, kept, plant, run } from "./support.js"

const undone = Effect.flatMap(Undo, ({ undoLast }) => undoLast)
const besides = (root: string, name: string) => path.join(path.dirname(root), name)
const committed = (root: string, files: Readonly<Record<string, string>>, ...how: ReadonlyArray<string>) => {
  fs.mkdirSync(root, { recursive: true })
  git(root, "init", "-q", "-b", "main", ...how)
  plant(root, files)
  git(root, "add", "-A")
  git(root, "commit", "-qm", "first")
}

describe("undo of commands that ran at the same time", () => {
  it.scopedLive("takes back what each of them changed, two of one step and a worker's", () =>
    given((root) => committed(root, { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "sub/d.txt": "d\n" }), ({ root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        yield* Effect.all([
          bash("sleep 0.3; echo one > a.txt; rm b.txt; sleep 0.2"),
          bash("echo two >> a.txt; sleep 0.1; echo new > n1.txt; mv sub moved"),
          Effect.delay(run("turn", "write_file", { path: "c.txt", content: "by a tool\n" }), 200),
          Effect.delay(bash("echo three > n2.txt; sleep 0.4; rm -f n1.txt; chmod 755 c.txt"), 100)
        ], { concurrency: "unbounded" })
        assert.notDeepEqual(everything(root), before)
        const { refused } = yield* undone
        assert.deepStrictEqual([refused, everything(root)], [[], before])
      })))

  it.scopedLive("takes back what a command writes and removes while others begin and end, at whatever moment they are looked at", () =>
    given((root) => committed(root, Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}.txt`, `${n}\n`]))), ({ root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        const busy = "for n in $(seq 0 99); do echo one > f$n.txt; echo $n > new$n.txt; sleep 0.02; echo two >> f$n.txt; rm new$n.txt; done"
        yield* Effect.all([
          bash(busy),
          Effect.delay(Effect.forEach(Array.from({ length: 8 }, (_, n) => n), (n) => bash(`echo ${n} > other${n}.txt`)), 200)
        ], { concurrency: "unbounded" })
        const { notes, refused } = yield* undone
        assert.deepStrictEqual([refused, notes.slice(0, -1), everything(root)], [[], [], before])
      })))

  it.scopedLive("takes back one turn and not another one's, whose command ran after it", () =>
    given((root) => committed(root, { "a.txt": "a\n", "b.txt": "b\n" }), ({ root }) =>
      Effect.gen(function*() {
        yield* bash("echo one > a.txt", "one")
        yield* bash("echo two > b.txt", "two")
        assert.deepStrictEqual((yield* undone).restored, ["b.txt"])
        assert.deepStrictEqual((yield* undone).restored, ["a.txt"])
        assert.deepStrictEqual(everything(root), { "a.txt": "644 a\n", "b.txt": "644 b\n" })
      })))
})

describe("undo of commands", () => {
  it.scopedLive("gives each turn its own part of what turns and a person did to the same files, one after the other", () =>
    given((root) => {
      committed(root, { ".gitignore": "kept.log\n", "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" })
      plant(root, { "kept.log": "tracked and ignored\n" })
      git(root, "add", "-f", "kept.log")
      fs.symlinkSync("a.txt", path.join(root, "link"))
    }, ({ root }) =>
      Effect.gen(function*() {
        const first = everything(root)
        yield* bash("echo one >> a.txt; echo one > new.txt; ln -sfn b.txt link; echo one > kept.log", "one")
        fs.writeFileSync(path.join(root, "b.txt"), "by a person\n")
        plant(root, { "mine.txt": "a person's\n" })
        const second = everything(root)
        yield* bash("echo two >> a.txt; echo '*.txt' > .gitignore; rm b.txt mine.txt; echo two > new.txt; chmod 755 sub/c.txt; ln -sfn sub link; rm kept.log", "two")
        yield* run("two", "write_file", { path: "sub/c.txt", content: "by a tool\n" })
        yield* bash("echo three >> a.txt; mv new.txt sub/new.md; echo x > b.txt", "two")
        assert.deepStrictEqual([(yield* undone).refused, everything(root)], [[], second])
        assert.deepStrictEqual([(yield* undone).refused, everything(root)], [[], { ...first, "b.txt": "644 by a person\n", "mine.txt": "644 a person's\n" }])
      })))

  it.scopedLive("holds in a repository of 256-bit ids, also when the command removes it", () =>
    given((root) => committed(root, Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}.txt`, `${n}\n`])), "--object-format=sha256"), ({ root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        yield* bash("rm -rf .git f1*.txt; echo x > f2.txt")
        assert.deepStrictEqual([(yield* undone).refused, everything(root)], [[], before])
      })))

  it.scopedLive("holds in a linked work tree, whose repository lies elsewhere", () =>
    given((root) => {
      const first = besides(root, "first")
      committed(first, { "a.txt": "a\n", "b/c.txt": "c\n" })
      fs.rmdirSync(root)
      git(first, "worktree", "add", "-q", "-b", "other", root)
      plant(root, { "b/c.txt": "staged\n", "u.txt": "untracked\n" })
      git(root, "add", "b/c.txt")
    }, ({ root }) =>
      Effect.gen(function*() {
        const [before, gitBefore] = [everything(root), kept(besides(root, "first"))]
        yield* bash("rm -r b u.txt; git checkout -q -- . ; echo x > a.txt; echo y > new.txt")
        const afterwards = fs.readFileSync(besides(root, "first/.git/worktrees/ws/index"))
        assert.deepStrictEqual([(yield* undone).refused, everything(root)], [[], before])
        assert.deepStrictEqual(fs.readFileSync(besides(root, "first/.git/worktrees/ws/index")), afterwards)
        assert.deepStrictEqual(kept(besides(root, "first")), gitBefore)
        yield* bash("rm -rf .git ../first/.git a.txt b", "two")
        assert.deepStrictEqual([(yield* undone).refused, everything(root)["a.txt"], everything(root)["b/c.txt"]], [[], "644 a\n", "644 staged\n"])
      })))

  it.scopedLive("covers a workspace below the repository's top, and nothing above it", () =>
    given((root) => {
      committed(path.dirname(root), { "ws/in/a.txt": "a\n", "ws/b.txt": "b\n", "out.txt": "out\n", ".gitignore": "*.log\nhome/\n" })
      plant(root, { "u.txt": "untracked\n", "x.log": "ignored\n" })
    }, ({ parent, root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        assert.strictEqual(yield* bash("rm -r in; mv b.txt u.txt; echo x > new.txt; echo x > ../out.txt; echo x > x.log"), "exit code: 0")
        assert.deepStrictEqual([(yield* undone).refused, everything(root)], [[], { ...before, "x.log": "644 x\n" }])
        assert.strictEqual(fs.readFileSync(path.join(parent, "out.txt"), "utf8"), "x\n")
      })))

  it.scopedLive("leaves submodules and nested repositories as the command left them, and takes back what is around them", () =>
    given((root) => {
      committed(besides(root, "lib"), { "lib.txt": "lib\n" })
      committed(root, { "a.txt": "a\n" })
      git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", besides(root, "lib"), "lib")
      git(root, "commit", "-qm", "submodule")
      committed(path.join(root, "nested"), { "n.txt": "n\n" })
    }, ({ root }) =>
      Effect.gen(function*() {
        yield* bash("echo x > lib/lib.txt; echo x > nested/n.txt; echo x > nested/new.txt; rm a.txt .gitmodules; echo new > b.txt")
        const { notes, refused } = yield* undone
        const now = everything(root)
        assert.deepStrictEqual([refused, now["a.txt"], now["b.txt"], ".gitmodules" in now], [[], "644 a\n", undefined, true])
        assert.deepStrictEqual([now["lib/lib.txt"], now["nested/n.txt"], now["nested/new.txt"]], ["644 x\n", "644 x\n", "644 x\n"])
        assert.include(notes.join("\n"), "nested repositories")
      })))

  it.scopedLive("keeps odd names, links and modes apart", () =>
    given((root) => {
      committed(root, {
        "-dash": "dash\n", " blank ": "blank\n", "quote\"'`$(x)": "quote\n", "tab\tnew\nline": "odd\n", "back\\slash": "back\n", "ünï/日本.txt": "wide\n",
        "star*?[a]": "star\n", "sp ace/.hidden": "hidden\n", "empty": "", "exec": "#!/bin/sh\n", "private": "private\n", "readonly": "readonly\n"
      })
      fs.chmodSync(path.join(root, "exec"), 0o755)
      fs.chmodSync(path.join(root, "private"), 0o600)
      fs.chmodSync(path.join(root, "readonly"), 0o444)
      fs.symlinkSync("nowhere", path.join(root, "dangling"))
      fs.symlinkSync("../outside", path.join(root, "out"))
      fs.symlinkSync("sp ace", path.join(root, "folder"))
    }, ({ root }) =>
      Effect.gen(function*() {
        const before = everything(root)
        yield* bash([
          "rm -f -- -dash ' blank ' dangling; echo x > 'quote\"'\"'\"'`$(x)'; rm tab*; mv 'back\\slash' moved; rm -r ünï",
          "ln -sfn /etc out; rm folder; mkdir folder; echo in > folder/file; chmod 644 exec; chmod 755 private; rm -f readonly; echo now > empty; mv star* other"
        ].join("\n"))
        assert.notDeepEqual(everything(root), before)
        assert.deepStrictEqual([(yield* undone).refused, everything(root)], [[], before])
      })))

  it.scopedLive("leaves ignored files alone but for those that are tracked all the same", () =>
    given((root) => {
      committed(root, { ".gitignore": "*.log\nbuild/\n", "a.txt": "a\n" })
      plant(root, { "kept.log": "tracked\n", "other.log": "ignored\n", "build/out.txt": "built\n" })
      git(root, "add", "-f", "kept.log")
      git(root, "commit", "-qm", "second")
    }, ({ root }) =>
      Effect.gen(function*() {
        yield* bash("echo x > kept.log; rm other.log; rm -r build; echo new > new.log; rm a.txt")
        const { notes, refused } = yield* undone
        assert.deepStrictEqual([refused, everything(root)], [[], { ".gitignore": "644 *.log\nbuild/\n", "a.txt": "644 a\n", "kept.log": "644 tracked\n", "new.log": "644 new\n" }])
        assert.include(notes.join("\n"), "ignored files")
      })))
})
