import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { toolboxOver } from "../../../src/layers/whole.js"
import { Call } from "../../../src/services/Call.js"
import { Host } from "../../../src/services/Host.js"
import { Toolbox } from "../../../src/services/Toolbox.js"
import type { Undo } from "../../../src/services/Undo.js"
import { temporaryFolder } from "../files/support.js"

/** SHIRO_TEST_FILES=5000 runs the form of issue 6. */
export const howMany = Number(process.env["SHIRO_TEST_FILES"] ?? 300)

export const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }
export const git = (cwd: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, env: environment, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] })

/** Every file and link below a folder but `.git`: kind, mode and bytes. */
export const everything = (root: string) => {
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
export const kept = (root: string) =>
  Object.fromEntries(
    Object.entries(everything(path.join(root, ".git"))).filter(([name]) => /^(?:index|HEAD|ORIG_HEAD|packed-refs|refs\/|logs\/|config|info\/)/.test(name))
  )

export const plant = (root: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
}
const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/part${n % 50}/file${n}.txt`, `file ${n}\nof many\n`]))

/** A repository with staged, unstaged and untracked work, and a stash. */
export const repository = (root: string) => {
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
export const over = (parent: string, { home = `${parent}/home` } = {}) =>
  toolboxOver({
    root: `${parent}/ws`,
    host: Layer.succeed(Host, Host.of({
      platform: "linux", env: { ...environment, SHIRO_HOME: home }, homeFolder: parent, cwd: `${parent}/ws`, pid: process.pid
    })),
    yolo: true,
    plugins: false,
    mcp: false
  })
export const run = (turn: string, name: string, input: unknown) =>
  Effect.gen(function*() {
    const tool = (yield* (yield* Toolbox).all).find((each) => each.name === name)
    assert.isDefined(tool)
    return tool === undefined ? "" : yield* tool.run(input).pipe(Effect.provideService(Call, { id: `${turn}-${name}-${JSON.stringify(input)}`, turn, worker: null }))
  })
export const bash = (command: string, turn = "turn") => run(turn, "bash", { command })
const workspace = (make: (root: string) => void) =>
  Effect.map(temporaryFolder, (parent) => {
    fs.mkdirSync(`${parent}/ws`)
    make(`${parent}/ws`)
    return { parent, root: `${parent}/ws` }
  })
export const given = <A, E, R>(make: (root: string) => void, test: (place: { readonly parent: string; readonly root: string }) => Effect.Effect<A, E, R | Undo | Toolbox>) =>
  Effect.flatMap(workspace(make), (place) => Effect.provide(test(place), over(place.parent)))
