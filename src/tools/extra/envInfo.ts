import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Host } from "../../services/Host.js"
import { Jail } from "../../services/Jail.js"
import { Processes } from "../../services/Processes.js"
import * as Tool from "../Tool.js"

type Probe = readonly [name: string, ...args: ReadonlyArray<string>]
const version = (name: string): Probe => [name, "--version"]

const families: ReadonlyArray<readonly [title: string, probes: ReadonlyArray<Probe>]> = [
  ["runtimes", [
    ...["node", "deno", "bun", "python3", "python", "ruby", "php", "perl"].map(version),
    ["java", "-version"], ["go", "version"], ["rustc", "--version"], ["dotnet", "--version"]
  ]],
  ["package managers", [
    "npm", "pnpm", "yarn", "pip3", "uv", "poetry", "cargo", "gem", "bundle", "composer", "mvn", "gradle", "apt-get", "apk", "dnf", "pacman", "brew"
  ].map(version)],
  ["tools", ["git", "rg", "make", "cmake", "gcc", "clang", "docker"].map(version)]
]

/** Everything a probe sees of the environment; no variable that could make a program load code. */
const passedOn = ["HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TEMP", "SystemRoot", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramFiles", "ProgramData"]
/** So that asking for a version neither downloads nor updates anything. */
const quiet = {
  NO_COLOR: "1",
  COREPACK_ENABLE_NETWORK: "0",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  npm_config_update_notifier: "false"
}
/** Where Apple's developer tools are missing, these in /usr/bin only open a window that offers them. */
const appleStubs = new Set(["git", "python3", "pip3", "make", "gcc", "clang"])
const limitMillis = 5_000
/** Programs at the same time. */
const atOnce = 4

const isAbsolute = (folder: string, windows: boolean) => windows ? /^[a-z]:[\\/]/i.test(folder) : folder.startsWith("/")

/** PATH without relative entries and without the workspace's own, whose programs nobody has approved. */
export const pathOutside = (path: string, root: string, windows: boolean): ReadonlyArray<string> =>
  path.split(windows ? ";" : ":").filter((folder) => {
    const under = windows ? folder.toLowerCase().startsWith(root.toLowerCase()) : `${folder}/`.startsWith(`${root}/`)
    return isAbsolute(folder, windows) && !under
  })

/** The first thing that looks like a version; null: there is none. */
export const versionIn = (text: string): string | null => /\d+(?:\.\d+)+[\w.+-]*/.exec(text)?.[0] ?? null

type Answer = { readonly said: string } | { readonly trouble: string }
const saidBy = (answer: Answer | null): string | null => answer !== null && "said" in answer ? answer.said : null

const prober = Effect.gen(function*() {
  const { env, platform } = yield* Host
  const { root } = yield* Jail
  const { run } = yield* Processes
  const windows = platform === "win32"
  const turns = yield* Effect.makeSemaphore(atOnce)
  const given = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? ""
  const folders = pathOutside(given, root, windows)
  const kept = { ...Object.fromEntries(passedOn.map((name) => [name, env[name]])), ...quiet }
  /** What a program says, or what is wrong with it; null: it is not there. */
  return ([name, ...args]: Probe, without: string | null = null) => {
    const PATH = folders.filter((folder) => folder !== without).join(windows ? ";" : ":")
    const line = windows ? { program: "cmd", args: ["/d", "/s", "/c", `"${[name, ...args].join(" ")}"`], verbatim: true } : { program: name, args }
    const cwd = windows ? env["SystemRoot"] ?? "C:\\" : "/"
    return run({ ...line, cwd, outside: root, env: { ...kept, PATH }, timeoutMillis: limitMillis, keepHead: 4_096 }).pipe(
      Effect.map(({ exitCode, stderr, stdout }): Answer | null =>
        exitCode === 0 ? { said: `${stdout.head}\n${stderr.head}`.trim() } : windows ? null : { trouble: "does not run" }),
      Effect.catchTags({
        ProgramMissing: () => Effect.succeed(null),
        ProcessTimedOut: () => Effect.succeed({ trouble: "does not answer" })
      }),
      turns.withPermits(1)
    )
  }
})

export const envInfo = Tool.make({
  name: "env_info",
  set: "extra",
  description: "Platform, shell, installed runtimes and package managers with versions.",
  input: Schema.Struct({}),
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("env_info")(function*() {
    const { env, platform } = yield* Host
    const probe = yield* prober
    const windows = platform === "win32"
    const stubs = platform === "darwin" && saidBy(yield* probe(["xcode-select", "-p"])) === null
    const named = Effect.fnUntraced(function*(asked: Probe) {
      const [name] = asked
      const answer = yield* probe(asked, stubs && appleStubs.has(name) ? "/usr/bin" : null)
      if (answer === null) return { name, text: null }
      return { name, text: `${name} ${"said" in answer ? versionIn(answer.said) ?? "(no version)" : `(${answer.trouble})`}` }
    })
    const { found, shell, system } = yield* Effect.all({
      system: windows ? Effect.succeed("Windows") : Effect.map(probe(["uname", "-srm"]), saidBy),
      shell: windows ? Effect.succeed("cmd") : named(version("bash")).pipe(Effect.map(({ text }) => text ?? "bash (not found)")),
      found: Effect.forEach(families, ([title, probes]) =>
        Effect.map(Effect.forEach(probes, named, { concurrency: "unbounded" }), (all) => ({ title, all })), { concurrency: "unbounded" })
    }, { concurrency: "unbounded" })
    const missing = found.flatMap(({ all }) => all.filter(({ text }) => text === null).map(({ name }) => name))
    const login = env["SHELL"]
    return [
      `platform: ${system ?? platform}`,
      `shell: ${shell}${login === undefined ? "" : `; the user's own is ${login}`}`,
      ...found.map(({ all, title }) => `${title}: ${all.flatMap(({ text }) => text ?? []).join(", ") || "none"}`),
      ...missing.length === 0 ? [] : [`not found: ${missing.join(", ")}`]
    ].join("\n")
  })
})
