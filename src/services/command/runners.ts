import { type Field, hole } from "../Commands.js"
import { gitRuns } from "./gitRuns.js"
import { anything, code, field, type Inner, joined, type Runs, words } from "./inner.js"
import { recipes } from "./escapes.js"
import { has, type Options, parseOptions, valueOf } from "./options.js"
import { scriptOf } from "./programs.js"
import { isInput } from "./shells.js"

/** Runs what follows its own options, as its business: rules speak of it by its own name. */
const runs = (spec: Options = {}, skip = 0): Runs => (args) => {
  const parsed = parseOptions(args, { ...spec, posix: true })
  return words(args.slice(parsed.rest + skip), "guard")
}
/** Only after one of these subcommands. */
const after = (subcommands: ReadonlyArray<string>, spec: Options = {}, skip = 0): Runs => (args, input) => {
  const at = args.findIndex(({ text }) => !text.startsWith("-"))
  return at >= 0 && subcommands.includes(args[at]?.text ?? "") ? runs(spec, skip)(args.slice(at + 1), input) : []
}
/** After the first `--`. */
const dashed: Runs = (args) => {
  const at = args.findIndex(({ text }) => text === "--")
  return at < 0 ? [] : words(args.slice(at + 1), "guard")
}
/** A word of shell code behind one of these options. */
const coded = (names: ReadonlyArray<string>): Runs => (args) =>
  args.flatMap(({ text }, at) => {
    const found = names.find((name) => text === name || (name.startsWith("--") ? text.startsWith(`${name}=`) : name.length === 2 && text.startsWith(name)))
    if (found === undefined) return []
    const next = args[at + 1]
    if (text === found) return next === undefined ? [] : code(next, "guard")
    return code(field(text.slice(found.startsWith("--") ? found.length + 1 : found.length)), "guard")
  })
/** The same, where words are added to it. */
const callback: Runs = (args, input) =>
  coded(["-C"])(args, input).map((each) => each.is === "code" ? { ...each, text: { ...each.text, text: `${each.text.text} "$@"` }, arguments: [anything] } : each)
/** A list whose words are expanded. */
const wordList: Runs = (args, input) => coded(["-W"])(args, input).map((each) => each.is === "code" ? { ...each, text: { ...each.text, text: `: ${each.text.text}` } } : each)
/** Every word that is no option is shell code. */
const allCode: Runs = (args) => parseOptions(args).others.flatMap((each) => each.text.includes(" ") ? code(each, "guard") : [])
const both = (...all: ReadonlyArray<Runs>): Runs => (args, input) => all.flatMap((each) => each(args, input))

const npx: Runs = (args) => {
  const parsed = parseOptions(args, { short: "pcw", long: ["--package", "--call", "--workspace"], posix: true })
  const call = valueOf(parsed, "-c", "--call")
  if (call !== null) return code(call, "guard")
  const [first, ...more] = args.slice(parsed.rest)
  // `rimraf@5` is rimraf.
  return first === undefined ? [] : words([{ ...first, text: first.text.replace(/^(@?[^@]+)@[^]*$/, "$1") }, ...more], "guard")
}
/** A script of a package's own, by the folder it lies in; a module by its name. */
const node: Runs = (args) => {
  const script = scriptOf("node", args)
  const name = /(?:^|\/)node_modules\/(?:\.bin\/)?([\w-]+)/.exec(script?.text ?? "")?.[1]
  return script === null || name === undefined ? [] : words([field(name), ...args.slice(args.indexOf(script) + 1)], "guard")
}
const pythonModule: Runs = (args) => {
  const { options, rest } = parseOptions(args, { short: "cmWXQ", posix: true })
  const module = options.find(({ name }) => name === "-m")?.value
  return module === undefined || module === null ? [] : words([module, ...args.slice(rest)], "guard")
}
const npm: Runs = (args, input) => {
  const at = args.findIndex(({ text }) => text === "exec" || text === "x" || text === "dlx")
  return at < 0 ? [] : npx(args.slice(at + 1), input)
}
const docker: Runs = (args) => {
  const at = args.findIndex(({ text }) => text === "exec" || text === "run")
  if (at < 0) return []
  const parsed = parseOptions(args.slice(at + 1), {
    short: "eulpvwnhmca",
    long: ["--env", "--env-file", "--user", "--label", "--publish", "--volume", "--workdir", "--name", "--hostname", "--memory", "--cpus", "--entrypoint", "--network", "--mount", "--platform", "--index", "--detach-keys", "--restart", "--gpus", "--add-host", "--cap-add", "--cap-drop", "--device", "--dns", "--ip", "--pid", "--shm-size", "--tmpfs", "--ulimit", "--container", "--namespace", "--pod-running-timeout", "--filename"],
    posix: true
  })
  const rest = args.slice(at + 1 + parsed.rest)
  const separator = rest.findIndex(({ text }) => text === "--")
  const entry = valueOf(parsed, "--entrypoint")
  const command = separator >= 0 ? rest.slice(separator + 1) : rest.slice(1)
  return words(entry === null ? command : [entry, ...command], "guard")
}
const crossEnv: Runs = (args) => {
  const first = args.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text))
  return first < 0 ? [] : words(args.slice(first), "guard")
}
const tmux: Runs = (args) => args.flatMap((each) => each.text.includes(" ") ? code(each, "guard") : [])
const fromInput: Runs = () => [{ is: "input", arguments: [], reach: "guard" }]
const tar: Runs = (args) =>
  args.flatMap(({ text }, at) => {
    const found = /^--(?:to-command|use-compress-program|rsh-command|info-script|new-volume-script)=([^]+)$/.exec(text)?.[1]
      ?? /^--checkpoint-action=exec=([^]+)$/.exec(text)?.[1]
    const next = args[at + 1]
    if (found !== undefined) return code(field(found), "guard")
    return /^(?:--to-command|--use-compress-program|--rsh-command|-I|-F)$/.test(text) && next !== undefined ? code(next, "guard") : []
  })
const vim: Runs = (args) =>
  args.flatMap(({ text }, at) => {
    const command = /^-c|^--cmd$/.test(text) ? (text.length > 2 && text !== "--cmd" ? text.slice(2) : args[at + 1]?.text) : text.startsWith("+") ? text.slice(1) : undefined
    const shell = command === undefined ? undefined : /^:?\s*(?:silent!?\s+)?(?:r(?:ead)?\s*)?!([^]+)$/.exec(command)?.[1]
    return shell === undefined ? [] : code(field(shell), "guard")
  })
const make: Runs = (args, input) => {
  const file = valueOf(parseOptions(args, { short: "CfIjloW", long: ["--file", "--makefile", "--directory"] }), "-f", "--file", "--makefile")
  const makefile = file === null ? null : file.contents?.text ?? (isInput(file.text) ? input : null)
  const set = args.flatMap(({ text }) => {
    const value = /^(?:SHELL|\.SHELLFLAGS|--eval)=([^]+)$/.exec(text)?.[1]
    return value === undefined ? [] : code(field(value), "guard")
  })
  return makefile === null ? set : [...set, ...recipes(makefile)]
}
/** By the word behind a subcommand, or the value of an option, on other machines. */
const ansible: Runs = (args) => {
  const text = valueOf(parseOptions(args, { short: "aimuefTltPKMBc", long: ["--args", "--module-name", "--inventory", "--user", "--extra-vars", "--limit"] }), "-a", "--args")
  return text === null ? [] : code(text, "guard")
}
const salt: Runs = (args) => args.flatMap(({ text }, at) => /^cmd\.(?:run\w*|shell|script)$/.test(text) ? code(joined(args.slice(at + 1)), "guard") : [])
/** `yarn rimraf x`: a program of the project, by its bare name. */
const byName = new Set(["rimraf", "del-cli", "shx", "trash", "node", "tsx", "ts-node", "npm", "lerna", "wrangler", "prisma"])
const projects: Runs = (args) => {
  const rest = parseOptions(args, { short: "C", long: ["--cwd", "--filter", "--dir"], posix: true }).others
  const [first, ...more] = rest[0]?.text === "run" || rest[0]?.text === "exec" ? rest.slice(1) : rest
  return first !== undefined && byName.has(first.text) ? words([first, ...more], "guard") : []
}
const powershell: Runs = (args) => code(joined(parseOptions(args, { posix: true }).others), "guard")
const cd: Options = { short: "C", long: ["--cwd", "--dir", "--prefix", "--directory"] }
const python: Options = { short: "p", long: ["--python", "--with", "--extra", "--group", "--env-file", "--package", "--project", "--directory"] }

/** Programs that run others as their business. */
const table: Readonly<Record<string, Runs>> = {
  git: gitRuns,
  hub: gitRuns, node, nodejs: node, python: pythonModule, python3: pythonModule, npx, bunx: npx, pnpx: npx, npm, pnpm: both(npm, projects), yarn: both(npm, projects), bun: both(npm, after(["run"]), projects), shx: runs(), lerna: both(after(["exec"]), dashed), nx: both(after(["exec"]), dashed), turbo: dashed, rush: dashed,
  ansible, salt, "salt-call": salt, pssh: allCode, "parallel-ssh": allCode, pdsh: runs({ short: "wxgRlfutSbNe" }), clush: runs({ short: "wxgGXfl" }), rsh: runs({ short: "l" }, 1),
  multipass: dashed, limactl: after(["shell"], {}, 1), lima: runs(), minikube: dashed, colima: dashed, distrobox: dashed, toolbox: both(after(["run"], { short: "c", long: ["--container"] }), dashed), "flatpak-spawn": runs(), flatpak: after(["run"], {}, 1), apptainer: after(["exec", "run"], { short: "B", long: ["--bind"] }, 1), singularity: after(["exec", "run"], { short: "B", long: ["--bind"] }, 1),
  srun: runs({ short: "nNcptJowAeqDi" }), sbatch: coded(["--wrap"]), mpirun: runs({ short: "nHx", long: ["-np", "--np", "--host", "--hostfile"] }), mpiexec: runs({ short: "nHx" }), machinectl: after(["shell"], { short: "E", long: ["--uid", "--setenv"] }, 1), "systemd-nspawn": runs({ short: "DMuEip", long: ["--directory", "--machine", "--user", "--bind"] }), schroot: both(dashed, runs({ short: "cud" })), ip: (args) => args[0]?.text === "netns" && args[1]?.text === "exec" ? words(args.slice(3), "guard") : [],
  bpftrace: coded(["-c"]), rr: after(["record"]), heaptrack: runs(),
  uvx: runs(python), uv: after(["run"], python), rye: after(["run"]), hatch: after(["run"]), pdm: after(["run"]), poetry: after(["run"], cd), pipenv: after(["run"]), pipx: after(["run"]),
  conda: after(["run"], { short: "np", long: ["--name", "--prefix", "--cwd"] }), micromamba: after(["run"], { short: "np", long: ["--name", "--prefix"] }),
  snap: after(["run"]), bundle: after(["exec"]), rbenv: after(["exec"]), pyenv: after(["exec"]), asdf: after(["exec"]), mise: both(after(["exec", "x"]), dashed), direnv: after(["exec"], {}, 1),
  nix: both(coded(["-c", "--command"]), dashed), "nix-shell": coded(["--run", "--command"]), devbox: after(["run"]), volta: after(["run"]), fnm: after(["exec"]), rustup: after(["run"], {}, 1),
  docker, podman: docker, nerdctl: docker, "docker-compose": docker, kubectl: docker, oc: docker, lxc: both(docker, dashed), crictl: docker,
  vagrant: coded(["-c", "--command"]), gcloud: coded(["--command"]), fly: coded(["-C", "--command"]), flyctl: coded(["-C", "--command"]), heroku: after(["run"]), adb: after(["shell"]), wsl: runs({ short: "du" }),
  "cross-env": crossEnv, "cross-env-shell": crossEnv, dotenv: both(dashed, runs({ short: "ef" })), dotenvx: dashed, op: dashed, doppler: dashed, "aws-vault": dashed, chamber: dashed, "env-cmd": runs({ short: "fre" }),
  concurrently: allCode, "npm-run-all": allCode, "run-p": allCode, "run-s": allCode, hyperfine: both(allCode, coded(["--prepare", "-p", "--cleanup", "-c", "--setup", "-s"])), nodemon: coded(["--exec", "-x"]),
  watchexec: both(runs({ short: "wefiodsS", long: ["--watch", "--exts", "--filter", "--ignore"] }), allCode), entr: runs(), chokidar: coded(["-c", "--command"]), cargo: coded(["-s", "--shell"]), perf: after(["stat", "record", "trace"], { short: "eopr" }),
  tmux, screen: both(tmux, (args) => words(args.slice(parseOptions(args, { short: "cehpsSTtX", posix: true }).rest), "guard")), at: fromInput, batch: fromInput,
  rsync: coded(["-e", "--rsh", "--rsync-path"]), scp: coded(["-S"]), sftp: coded(["-S"]), tar, gtar: tar, bsdtar: tar, zip: coded(["-TT", "--unzip-command"]), sort: coded(["--compress-program"]), rg: coded(["--pre", "--hostname-bin"]),
  man: coded(["-P", "--pager"]), vim, vi: vim, nvim: vim, ex: vim, view: vim, make, gmake: make, pwsh: powershell, powershell,
  mapfile: callback, readarray: callback, complete: both(callback, wordList), compgen: both(callback, wordList), bind: coded(["-x"]), "start-stop-daemon": dashed, ts: runs(), chronic: runs(), ifne: runs(), retry: dashed, "wait-for-it": dashed, pkexec: runs({ long: ["--user"] }), "ssh-agent": runs({ short: "aEPt" }), split: coded(["--filter"]), socat: (args) => args.flatMap(({ text }) => {
    const found = /(?:^|,)(?:exec|system):"?([^",]+)/i.exec(text)?.[1]
    return found === undefined ? [] : code(field(found), "guard")
  }), nc: coded(["-e", "-c"]), ncat: coded(["-e", "-c", "--exec", "--sh-exec"]), crontab: (args, input) => input === null || has(parseOptions(args), "lr") ? [] : input.split("\n").flatMap((line) => code(field(line.replace(/^(?:\S+\s+){5}|^@\S+\s+/, "")), "guard"))
}

export const runnerOf = (name: string): Runs | null => Object.hasOwn(table, name) ? table[name] ?? null : null

/** Whether a text is code at all: more than what is not known. */
export const isText = (text: Field) => text.text.replaceAll(hole, "").trim() !== ""
export type { Inner }
