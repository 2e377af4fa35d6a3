import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Scope from "effect/Scope"
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import type { Server } from "node:net"
import { createServer } from "node:net"
import { join } from "node:path"
import { Shell } from "../../../src/services/Shell.js"
import { sandboxTrouble } from "../../../src/services/shell/live.js"
import { sandboxArgs } from "../../../src/services/shell/sandbox.js"
import { groundIn, path, shellIn } from "./workspace.js"

const secret = "s3cr3t-c0ntent"

const write = (file: string, text: string) => {
  mkdirSync(join(file, ".."), { recursive: true })
  writeFileSync(file, text)
}
const git = (root: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root, encoding: "utf8", env: { PATH: path, HOME: "/nonexistent" } })

// Not below the system's folder for temporary files, unless the project is: a sandboxed command does not see what else is in there.
mkdirSync("node_modules/.cache", { recursive: true })
const top = realpathSync(mkdtempSync("node_modules/.cache/shiro-sandbox-"))
afterAll(() => rmSync(top, { recursive: true, force: true }))
const [template, stage] = [join(top, "template"), join(top, "stage")]
const [root, home, beside] = [join(stage, "ws"), join(stage, "home"), join(stage, "beside")]

/** A repository with denied files, a home with credentials, and a folder beside both. */
const makeTemplate = () => {
  const ws = join(template, "ws")
  write(join(ws, "a.txt"), "hello\n")
  write(join(ws, ".env"), `KEY=${secret}\n`)
  write(join(ws, "sub/deep.pem"), `${secret}\n`)
  symlinkSync("sub/deep.pem", join(ws, "linked.pem"))
  const places = [".ssh/id_ed25519", ".aws/credentials", ".config/gh/hosts.yml", ".netrc", ".npmrc", ".docker/config.json",
    ".shiro/config.json", ".kube/config", ".git-credentials", ".bash_history"]
  for (const place of places) write(join(template, "home", place), `${secret}\n`)
  write(join(template, "home/.bashrc"), "# mine\n")
  write(join(template, "beside/file"), "beside\n")
  symlinkSync("../beside/file", join(ws, "way-out"))
  symlinkSync("../beside", join(ws, "folder-out"))
  git(ws, "init", "-q", "-b", "main")
  git(ws, "add", "a.txt")
  git(ws, "commit", "-qm", "first")
}
makeTemplate()
const reset = Effect.sync(() => {
  rmSync(stage, { recursive: true, force: true })
  cpSync(template, stage, { recursive: true, verbatimSymlinks: true })
  chmodSync(join(beside, "file"), 0o644)
})

const setting = {
  root,
  home,
  denied: [".env", "sub/deep.pem", "linked.pem"],
  env: { GH_TOKEN: secret, AWS_SECRET_ACCESS_KEY: secret, OPENAI_API_KEY: secret, SSH_AUTH_SOCK: "/tmp/agent.sock", DATABASE_PASSWORD: secret }
}
const runtimeWith = (sandboxNetwork: boolean) =>
  ManagedRuntime.make(shellIn({ ...setting, values: { sandbox: "workspace", sandboxNetwork } }))
const [closed, open] = [runtimeWith(false), runtimeWith(true)]
afterAll(() => Promise.all([closed.dispose(), open.dispose()]))

const run = (command: string, { network = false, timeoutMillis = 30_000 } = {}) =>
  Effect.flatMap(Shell, (shell) => shell.run({ command, timeoutMillis, onOutput: () => {} })).pipe(
    Effect.provide(network ? open : closed)
  )
const outputOf = ({ stderr, stdout }: { readonly stdout: { readonly head: string }; readonly stderr: { readonly head: string } }) => stdout.head + stderr.head

const trouble = await Effect.runPromise(Effect.provide(sandboxTrouble, groundIn(setting)))
/** Where bubblewrap cannot work, the sandbox must refuse; that is all that can be checked there. */
const inSandbox = <E>(title: string, check: () => Effect.Effect<unknown, E, Scope.Scope>) =>
  trouble === null
    ? it.scopedLive(title, () => Effect.zipRight(reset, check()))
    : it.scopedLive(`${title} (not run here: ${trouble.why}; the refusal is checked instead)`, () =>
      Effect.gen(function*() {
        yield* reset
        assert.strictEqual((yield* Effect.flip(run("touch made")))._tag, "SandboxMissing")
        assert.isFalse(existsSync(join(root, "made")))
      }))

/** Each tries to leave the sandbox; `HOME`, `BESIDE` and `OUT` (a path outside) are known to it. */
const escapes: ReadonlyArray<readonly [what: string, command: string]> = [
  ["write beside the workspace", "echo x > $BESIDE/new"],
  ["write beside it by ..", "echo x > ../beside/new"],
  ["change a file beside it", "echo x >> $BESIDE/file"],
  ["change a file through a link", "echo x >> way-out"],
  ["write through a linked folder", "echo x > folder-out/new"],
  ["write in the home folder", "echo x > $HOME/new"],
  ["add to a start-up file", "echo evil >> $HOME/.bashrc"],
  ["add to a start-up file by a move", "cp $HOME/.bashrc b; echo evil >> b; mv -f b $HOME/.bashrc"],
  ["delete a file outside", "rm -f $BESIDE/file"],
  ["rename a folder outside", "mv $BESIDE ${BESIDE}2"],
  ["change modes outside", "chmod 777 $BESIDE/file; chmod u+s $BESIDE/file"],
  ["write in /etc", "echo x > /etc/shiro-escape"],
  ["write in /usr/local/bin", "echo x > /usr/local/bin/shiro-escape"],
  ["make the system writable again", "mount -o remount,rw /; echo x > $BESIDE/new"],
  ["unmount what hides", "umount $HOME/.ssh; umount -l .env; cat $HOME/.ssh/* .env"],
  ["mount the parent again", "mkdir m; mount --bind $BESIDE m && echo x > m/new"],
  ["gain powers in a nested namespace", "unshare -Urm sh -c 'mount -o remount,rw,bind / ; echo x > $BESIDE/new; umount $HOME/.ssh; cat $HOME/.ssh/id_ed25519; umount .env; cat .env'"],
  ["link a file from outside", "ln $BESIDE/file hard && echo x >> hard"],
  ["go through the root of another process", "for p in /proc/[0-9]*; do cat $p/root$HOME/.ssh/id_ed25519; echo x > $p/root$BESIDE/new; done"],
  ["go through a working folder of another process", "for p in /proc/[0-9]*; do ls $p/cwd/; echo x > $p/cwd/../beside/new; done"],
  ["have another program write outside", "tar -cf $BESIDE/new a.txt; git -C $BESIDE init; cp a.txt $BESIDE/new; node -e 'fs.writeFileSync(process.env.BESIDE + \"/new\", \"x\")'"],
  ["make a device", "mknod disk b 8 0 && cat disk"],
  ["read an ssh key", "cat $HOME/.ssh/id_ed25519"],
  ["list the keys", "ls -A $HOME/.ssh | grep id_ && echo " + secret],
  ["read cloud credentials", "cat $HOME/.aws/credentials $HOME/.kube/config"],
  ["read a forge's token", "cat $HOME/.config/gh/hosts.yml $HOME/.git-credentials"],
  ["read other credentials", "cat $HOME/.netrc $HOME/.npmrc $HOME/.docker/config.json"],
  ["read shiro's own folder", "cat $HOME/.shiro/config.json"],
  ["read what was typed before", "cat $HOME/.bash_history"],
  ["read a denied file", "cat .env sub/deep.pem linked.pem"],
  ["read a denied file by another name", "cp .env copy; cat copy; ln .env hard; cat hard; mv .env moved; cat moved; mv sub sub2; cat sub2/deep.pem"],
  ["read a denied file with another program", "tar c .env | tar xO; dd if=.env; base64 .env | base64 -d; node -e 'console.log(require(\"fs\").readFileSync(\".env\",\"utf8\"))'"],
  ["bring a denied file back", "rm -f .env; git checkout -- .env; cat .env; ls -la .env"],
  ["read secrets of the environment", "env; cat /proc/*/environ | tr '\\0' '\\n'"],
  ["read the shadow file", "cat /etc/shadow | grep '^root:' && echo " + secret],
  ["reach a service on this machine", "(exec 3<>/dev/tcp/127.0.0.1/$PORT && echo hi >&3 && cat <&3)"],
  ["reach the network", "(exec 3<>/dev/tcp/1.1.1.1/53) && echo " + secret],
  ["find any interface but loopback", "tail -n +3 /proc/net/dev | grep -v lo: && echo " + secret],
  ["reach a daemon's socket", "ls -A /run /var/run/ | grep -v : | grep . && echo " + secret],
  ["see or signal processes outside", "kill -0 $SHIRO && echo " + secret + "; ls /proc/$SHIRO/fd && echo " + secret],
  ["kill everything", "kill -9 -1"],
  ["leave a process behind", "setsid sh -c 'sleep 0.5; echo x > left' > /dev/null 2>&1 & (setsid nohup sh -c 'sleep 0.5; echo x > left2' &)"],
  ["plant a git hook", "mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch evil' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; ls .git/hooks/pre-commit && echo " + secret],
  ["point git's hooks elsewhere", "git config core.hooksPath evil; git config core.fsmonitor ./evil; grep -q evil .git/config && echo " + secret],
  ["change git's configuration by a move", "cp .git/config c; echo '[core]fsmonitor=./evil' >> c; mv -f c .git/config; grep -q evil .git/config && echo " + secret],
  ["swap the whole .git", "mv .git old && cp -r old .git && echo '[core]fsmonitor=./evil' >> .git/config; rm -rf .git/config; grep -q evil .git/config && echo " + secret],
  ["send git to another configuration", "mkdir -p c/refs c/objects; printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=./evil' > c/config; echo ../c > .git/commondir"]
]

describe("the sandbox's arguments", () => {
  const view = {
    root: "/home/me/ws", temporary: "/t/tmp", emptyFile: "/t/empty", emptyFolder: "/t/none", network: false,
    blank: ["/run"], hiddenFolders: ["/home/me/.ssh", "/home/me/.ssh/more"], hiddenFiles: ["/home/me/.ssh/key", "/home/me/ws/.env"],
    shown: [], pinned: [], fixed: [], barred: []
  }
  it("hide after the workspace is there, and nothing twice", () => {
    const args = sandboxArgs(view).join(" ")
    assert.include(args, "--bind /home/me/ws /home/me/ws --ro-bind /t/none /home/me/.ssh --ro-bind /t/empty /home/me/ws/.env --chdir /home/me/ws --")
    assert.include(args, "--unshare-net")
  })
  it("hide a folder around the workspace before the workspace is there", () => {
    const args = sandboxArgs({ ...view, hiddenFolders: ["/home/me"], hiddenFiles: [], network: true }).join(" ")
    assert.include(args, "--tmpfs /home/me --bind /home/me/ws /home/me/ws")
    assert.notInclude(args, "--unshare-net")
  })
})

const listening = Effect.gen(function*() {
  const seen = { reached: false }
  const server = yield* Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const started = createServer((socket) => {
        seen.reached = true
        socket.end(secret)
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(started)))
    }),
    (started) => Effect.async<void>((resume) => void started.close(() => resume(Effect.void)))
  )
  const address = server.address()
  return { seen, port: typeof address === "object" && address !== null ? address.port : 0 }
})

describe("the sandbox", () => {
  for (const [what, command] of escapes) {
    inSandbox(`does not let a command ${what}`, () =>
      Effect.gen(function*() {
        const { port, seen } = yield* listening
        const ran = yield* run(`export BESIDE=${beside} PORT=${port} SHIRO=${process.pid}; ${command}`)
        assert.notInclude(outputOf(ran), secret)
        assert.isFalse(seen.reached)
        assert.deepStrictEqual(
          [readFileSync(join(beside, "file"), "utf8"), existsSync(join(beside, "new")), readFileSync(join(home, ".bashrc"), "utf8"), existsSync(join(home, "new"))],
          ["beside\n", false, "# mine\n", false]
        )
        assert.strictEqual(lstatSync(join(beside, "file")).mode & 0o7777, 0o644)
        assert.deepStrictEqual(["/etc/shiro-escape", "/usr/local/bin/shiro-escape"].filter(existsSync), [])
        assert.strictEqual(readFileSync(join(root, ".env"), "utf8"), `KEY=${secret}\n`)
        assert.notInclude(readFileSync(join(root, ".git/config"), "utf8"), "evil")
        assert.isFalse(existsSync(join(root, ".git/commondir")))
        if (what.includes("process behind")) yield* Effect.sleep("800 millis")
        assert.deepStrictEqual(["left", "left2"].filter((name) => existsSync(join(root, name))), [])
      }))
  }

  inSandbox("lets a command work: files, /tmp from call to call, commits, a real project's tests", () =>
    Effect.gen(function*() {
      cpSync("test/services/shell/project", join(root, "project"), { recursive: true })
      const made = yield* run("echo made > made.txt && mkdir -p d/e && echo x > /tmp/kept && cat made.txt")
      assert.strictEqual(outputOf(made), "made\n")
      assert.strictEqual((yield* run("cat /tmp/kept")).stdout.head, "x\n")
      const committed = yield* run("git add made.txt && git -c user.name=a -c user.email=a@b commit -qm second && git log --format=%s")
      assert.strictEqual(outputOf(committed), "second\nfirst\n")
      const tested = yield* run("cd project && npm test")
      assert.include(tested.stdout.head, "# pass 4", outputOf(tested))
      assert.strictEqual(tested.exitCode, 0)
      assert.strictEqual(readFileSync(join(root, "made.txt"), "utf8"), "made\n")
      assert.strictEqual(git(root, "log", "--format=%s"), "second\nfirst\n")
    }))

  inSandbox("hides the sockets that others listen on, wherever they lie, but not those of the workspace", () =>
    Effect.gen(function*() {
      const daemon = (path: string, text: string) =>
        Effect.acquireRelease(
          Effect.async<Server>((resume) => {
            const server = createServer((socket) => socket.end(text))
            server.listen(path, () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
        )
      yield* daemon(join(home, "d.sock"), secret)
      yield* daemon(join(root, "d.sock"), "ours")
      const reach = (path: string) => `node -e 'require("net").connect(process.argv[1]).on("data", (d) => process.stdout.write(d)).on("error", (e) => console.log(e.code))' ${path}`
      const { stdout } = yield* run(`${reach("d.sock")}; cd ${home}; ${reach("d.sock")}`)
      assert.match(stdout.head, /^ours(?:EACCES|ECONNREFUSED|ENOENT)\n$/)
    }))

  inSandbox("opens the network only where that is configured", () =>
    Effect.gen(function*() {
      const { port, seen } = yield* listening
      const { stdout } = yield* run(`cat < /dev/tcp/127.0.0.1/${port}`, { network: true })
      assert.deepStrictEqual([stdout.head, seen.reached], [secret, true])
    }))

  inSandbox("ends with everything in it at the time limit", () =>
    Effect.gen(function*() {
      const command = "trap '' TERM; (setsid sh -c 'while :; do echo x >> beat; sleep 0.05; done' &); while :; do sleep 0.1; done"
      const error = yield* Effect.flip(run(command, { timeoutMillis: 1_000 }))
      assert.strictEqual(error._tag, "CommandTimedOut")
      const { size } = lstatSync(join(root, "beat"))
      yield* Effect.sleep("200 millis")
      assert.strictEqual(lstatSync(join(root, "beat")).size, size)
    }))

  it("is tried where bubblewrap works", () => {
    const works = spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"]).status === 0
    assert.isTrue(!works || trouble === null, trouble?.message)
  })
})
