import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** What bash really executed for one line: each program's base name with its arguments. */
export type Executed = ReadonlyArray<ReadonlyArray<string>>

/** Programs that run in earnest after they were logged, so that what they run in turn is seen too. */
const earnest = ["bash", "sh", "env", "nice", "nohup", "timeout", "setsid", "xargs", "find", "stdbuf", "cat", "basename", "echo", "printf"]
/** Everything else that a line may start is a stub that only logs its arguments. */
const stubs = [
  "rm", "git", "ls", "npm", "npx", "node", "python", "python3", "perl", "ruby", "php", "curl", "wget", "grep", "rg", "sed", "awk", "sort", "uniq", "head", "tail", "wc", "tee", "cp", "mv", "ln",
  "mkdir", "rmdir", "touch", "chmod", "chown", "dd", "mkfs", "mkfs.ext4", "shutdown", "reboot", "psql", "mysql", "sqlite3", "docker", "kubectl", "sudo", "su", "doas", "make", "tar", "zip", "jq", "date", "sleep", "true", "false",
  "test", "[", "which", "dirname", "seq", "tr", "cut", "diff", "ssh", "rsync", "busybox", "parallel", "watch", "time", "dash", "zsh", "x", "a", "b", "f", "y", "z", "foo", "bar", "pwd", "kill", "id", "uname", "yes", "expr", "tty"
]

const handler = "() { printf '%s\\0' \"$#\" \"${1##*/}\" \"${@:2}\" >> /log/all; return 127; }"
/** dash starts three times as fast as bash. Read by `source` or as a script of bash, a stub is a file like any other, and runs nothing. */
const stub = (name: string, real: string, quick: boolean) => {
  const only = quick ? "[ -z \"$BASH_VERSION\" ]" : "[[ $- == *p* ]]"
  return `#!/real/${quick ? "dash" : "bash -p"}\n${only} || return 0 2> /dev/null || exit 0\nprintf '%s\\0' "$(( $# + 1 ))" '${name}' "$@" >> /log/all\n${real === "" ? "" : `exec /real/${real} "$@"\n`}`
}

const driver = `
ulimit -f 4096 -t 4 -u 400 -v 4000000
for name in $(compgen -e); do unset "$name"; done
export PATH=/usr/bin:/bin HOME=/home
eval "command_not_found_handle $2"
export -f command_not_found_handle
for ((i = 0; i < $1; i++)); do
  IFS= read -r -d '' line < "/in/$i"
  : > /log/all
  cd "/ws/$i"
  /real/timeout -s KILL 2 /real/bash -c "$line" < /dev/null > /dev/null 2>&1
  kill -KILL -1 2> /dev/null
  while IFS= read -r -d '' word; do printf '%s\\0' "$word"; done < /log/all > "/out/$i"
done
`

const libraries = (program: string): ReadonlyArray<string> =>
  execFileSync("ldd", [program], { encoding: "utf8" }).split("\n").flatMap((line) => /(\/[^\s:]+) \(/.exec(line)?.[1] ?? [])
const place = (root: string, file: string) => {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  copyFileSync(file, join(root, file))
}
/** A program's file; a shell's own `echo` is none. */
const located = (name: string): string | null =>
  (process.env["PATH"] ?? "").split(":").map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null

const build = (root: string) => {
  for (const folder of ["real", "usr/bin", "in", "out", "log", "ws", "tmp", "home", "proc", "dev"]) mkdirSync(join(root, folder), { recursive: true })
  for (const name of ["bin", "sbin", "usr/sbin", "usr/local/bin"]) {
    mkdirSync(join(root, dirname(name)), { recursive: true })
    symlinkSync("/usr/bin", join(root, name))
  }
  for (const name of [...earnest.filter((each) => each !== "sh"), "setpriv", "dash"]) {
    const program = located(name)
    if (program === null) continue
    copyFileSync(program, join(root, "real", name))
    for (const library of libraries(program)) place(root, library)
  }
  const preload = "/usr/libexec/coreutils/libstdbuf.so"
  if (existsSync(preload)) place(root, preload)
  const quick = located("dash") !== null
  for (const name of stubs) writeFileSync(join(root, "usr/bin", name), stub(name, "", quick), { mode: 0o755 })
  // It runs what it has in itself.
  writeFileSync(join(root, "usr/bin/busybox"), `${stub("busybox", "", quick)}[ $# = 0 ] || exec "$@"\n`, { mode: 0o755 })
  for (const name of earnest) writeFileSync(join(root, "usr/bin", name), stub(name, name === "sh" ? "bash" : name, quick), { mode: 0o755 })
  for (const folder of ["log", "out", "ws", "tmp", "in", "."]) chmodSync(join(root, folder), 0o777)
  // What one line leaves there an interactive shell of another would read.
  chmodSync(join(root, "home"), 0o555)
  for (const name of ["null", "zero", "tty"]) writeFileSync(join(root, "dev", name), "", { mode: 0o666 })
  symlinkSync("/proc/self/fd", join(root, "dev/fd"))
  symlinkSync("/proc/self/fd/0", join(root, "dev/stdin"))
  symlinkSync("/proc/self/fd/1", join(root, "dev/stdout"))
  symlinkSync("/proc/self/fd/2", join(root, "dev/stderr"))
  writeFileSync(join(root, "driver"), driver)
}

/** A folder of its own for each line. */
const workspace = (folder: string) => {
  mkdirSync(join(folder, "src"), { recursive: true })
  for (const name of ["a", "b", "x", "src/a.ts", "README.md"]) writeFileSync(join(folder, name), "")
  for (const name of [".", "src"]) chmodSync(join(folder, name), 0o777)
}

const records = (bytes: Buffer): Executed => {
  const words = bytes.toString("utf8").split("\0")
  const all: Array<ReadonlyArray<string>> = []
  for (let at = 0; at < words.length - 1;) {
    const count = Number(words[at])
    if (!Number.isInteger(count) || count < 1) return all
    all.push(words.slice(at + 1, at + 1 + count))
    at += 1 + count
  }
  return all
}

export interface BashSandbox {
  /** For each line what was executed, in order. */
  readonly run: (lines: ReadonlyArray<string>) => ReadonlyArray<Executed>
  readonly remove: () => void
}

/**
 * A root of its own, in namespaces of its own, in which every program is a stub: bash can be given any line. Null where the
 * system does not allow namespaces.
 */
export const bashSandbox = (): BashSandbox | null => {
  const isRoot = process.getuid?.() === 0
  const separate = [...isRoot ? [] : ["--user", "--map-root-user"], "--mount", "--pid", "--fork", "--net", "--ipc", "--kill-child"]
  if (process.platform !== "linux" || spawnSync("unshare", [...separate, "true"]).status !== 0 || located("setpriv") === null) return null
  const root = mkdtempSync(join(tmpdir(), "bash-sandbox-"))
  build(root)
  const asNobody = isRoot ? "/real/setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs" : ""
  const enter = `mount --bind /dev/null "$1/dev/null" && mount --bind /dev/zero "$1/dev/zero" && mount -t proc proc "$1/proc" && exec chroot "$1" ${asNobody} /real/bash /driver "$2" "$3"`
  return {
    run: (lines) => {
      for (const folder of ["in", "out", "ws"]) for (const name of readdirSync(join(root, folder))) rmSync(join(root, folder, name), { force: true, recursive: true })
      for (const [index, line] of lines.entries()) {
        writeFileSync(join(root, "in", String(index)), `${line}\0`)
        workspace(join(root, "ws", String(index)))
      }
      spawnSync("unshare", [...separate, "sh", "-c", enter, "sh", root, String(lines.length), handler], { stdio: "ignore", timeout: 20_000 + lines.length * 2_500 })
      return lines.map((_, index) => {
        const file = join(root, "out", String(index))
        return existsSync(file) ? records(readFileSync(file)) : []
      })
    },
    remove: () => rmSync(root, { recursive: true, force: true })
  }
}
