import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { toolboxOver } from "../../../src/layers/whole.js"
import { Call } from "../../../src/services/Call.js"
import { Host } from "../../../src/services/Host.js"
import { Toolbox } from "../../../src/services/Toolbox.js"
import { Undo } from "../../../src/services/Undo.js"
import { temporaryFolder } from "../files/support.js"

/** SHIRO_TEST_FILES=5000 runs the form of issue 6. */
const howMany = Number(process.env["SHIRO_TEST_FILES"] ?? 300)

const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }
const git = (cwd: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, env: environment, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] })

/** Every file and link below a folder but `.git`: kind, mode and bytes. */
const everything = (root: string) => {
  const found: Record<string, string> = {}
  const visit = (folder: string) => {
    for (const name of fs.readdirSync(path.join(root, folder))) {
      const at = path.join(folder, name)
      const stat = fs.lstatSync(path.join(root, at))
      if (at === ".git") continue
      if (stat.isDirectory()) visit(at)
      else if (stat.isSymbolicLink()) found[at] = `-> ${fs.readlinkSync(path.join(root, at))}`
      else found[at] = `${(stat.mode & 0o7777).toString(8)} ${fs.readFileSync(path.join(root, at), "latin1")}`
    }
  }
  visit("")
  return found
}
/** What git keeps of the work: index, refs, stash, reflogs, HEAD. */
const kept = (root: string) =>
  Object.fromEntries(
    Object.entries(everything(path.join(root, ".git"))).filter(([name]) => /^(?:index|HEAD|ORIG_HEAD|packed-refs|refs\/|logs\/|config|info\/)/.test(name))
  )

const plant = (root: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
}
const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/part${n % 50}/file${n}.txt`, `file ${n}\nof many\n`]))

/** A repository with staged, unstaged and untracked work, and a stash. */
const repository = (root: string) => {
  plant(root, { ...numbered(howMany), "run.sh": "echo run\n", "old name.txt": "moved later\n", "with\nnewline": "odd\n", "crlf.txt": "one\r\ntwo\r\n", ".gitattributes": "*.txt text eol=lf\n*.bin filter=evil\n" })
  git(root, "init", "-q", "-b", "main")
  fs.chmodSync(path.join(root, "run.sh"), 0o755)
  fs.symlinkSync("run.sh", path.join(root, "link"))
  git(root, "add", "-A")
  git(root, "commit", "-qm", "first")
  plant(root, { "src/part0/file0.txt": "stashed\n" })
  git(root, "stash", "-q")
  plant(root, { "src/part1/file1.txt": "staged\n", "staged-new.txt": "staged and new\n" })
  git(root, "add", "-A")
  plant(root, { "src/part1/file1.txt": "staged, then changed\n", "src/part2/file2.txt": "unstaged\n", "new/untracked.txt": "untracked\n", "data.bin": "\0\x01\xff" })
  fs.writeFileSync(path.join(root, ".gitignore"), "*.log\n")
  plant(root, { "ignored.log": "ignored\n" })
  fs.chmodSync(path.join(root, "new/untracked.txt"), 0o640)
}

/** Tools over `<parent>/ws`, in which everything may run. */
const over = (parent: string, plugins = false) =>
  toolboxOver({
    root: `${parent}/ws`,
    host: Layer.succeed(Host, Host.of({
      platform: "linux", env: { ...environment, SHIRO_HOME: `${parent}/home` }, homeFolder: parent, cwd: `${parent}/ws`, pid: process.pid
    })),
    yolo: true,
    plugins,
    mcp: false
  })
const run = (turn: string, name: string, input: unknown) =>
  Effect.gen(function*() {
    const tool = (yield* (yield* Toolbox).all).find((each) => each.name === name)
    assert.isDefined(tool)
    return tool === undefined ? "" : yield* tool.run(input).pipe(Effect.provideService(Call, { id: `${turn}-${name}-${JSON.stringify(input)}`, turn, worker: null }))
  })
const bash = (command: string, turn = "turn") => run(turn, "bash", { command })
const workspace = (make: (root: string) => void) =>
  Effect.map(temporaryFolder, (parent) => {
    fs.mkdirSync(`${parent}/ws`)
    make(`${parent}/ws`)
    return { parent, root: `${parent}/ws` }
  })
const given = <A, E, R>(make: (root: string) => void, test: (place: { readonly parent: string; readonly root: string }) => Effect.Effect<A, E, R | Undo | Toolbox>) =>
  Effect.flatMap(workspace(make), (place) => Effect.provide(test(place), over(place.parent)))

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

describe("contents that went with the repository", () => {
  it.scopedLive("are named at once, and keep nothing else from being put back", () =>
    given((root) => {
      plant(root, { "kill.sh": "rm -rf .git committed.txt own.txt\n", "committed.txt": "committed\n" })
      git(root, "init", "-q", "-b", "main")
      git(root, "add", "committed.txt")
      git(root, "commit", "-qm", "first")
      plant(root, { "own.txt": "never added\n" })
    }, ({ root }) =>
      Effect.gen(function*() {
        const told = yield* bash("bash kill.sh")
        assert.include(told, "Undo cannot put back committed.txt: what was in them is not there any more.")
        const { notes, refused, restored } = yield* (yield* Undo).undoLast
        assert.deepStrictEqual([restored, refused, everything(root)["own.txt"]], [["own.txt"], [], "644 never added\n"])
        assert.include(notes.join("\n"), "committed.txt was changed by a command, and its earlier content is not there any more.")
      })))
})
