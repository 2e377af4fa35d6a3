import * as Effect from "effect/Effect"
import { buildSync } from "esbuild"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../support.js"

const here = path.dirname(fileURLToPath(import.meta.url))

/** The child as one file that node runs, in a folder that goes with the scope. */
export const builtChild = Effect.map(temporaryFolder, (folder) => {
  const outfile = path.join(folder, "child.mjs")
  buildSync({
    entryPoints: [path.join(here, "child.ts")], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error"
  })
  fs.chmodSync(folder, 0o755)
  return outfile
})

interface Options {
  /** in front of `node`, as `["strace", …]` */
  readonly through?: ReadonlyArray<string>
  readonly uid?: number
  readonly threads?: number
}
const argvOf = (child: string, args: ReadonlyArray<string>, { through = [] }: Options) => [...through, process.execPath, child, ...args]
const environment = ({ threads = 4 }: Options) => ({ PATH: process.env["PATH"], UV_THREADPOOL_SIZE: `${threads}` })

/** Runs a child to its end. */
export const runChild = (child: string, args: ReadonlyArray<string>, options: Options = {}) => {
  const [program = "", ...rest] = argvOf(child, args, options)
  const { signal, status, stderr, stdout } = spawnSync(program, rest, {
    env: environment(options),
    encoding: "utf8",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid })
  })
  return { status, signal, stdout, stderr }
}

/** Starts a child; after it is ready, and `millis` more, it is killed. Gives whether it was still alive then. */
export const killAfter = (child: string, args: ReadonlyArray<string>, millis: number) =>
  Effect.async<boolean>((resume) => {
    const [program = "", ...rest] = argvOf(child, args, {})
    const process = spawn(program, rest, { env: environment({}), stdio: ["ignore", "pipe", "inherit"] })
    let isKilled = false
    process.stdout.once("data", () => setTimeout(() => void (isKilled = process.kill("SIGKILL")), millis))
    process.on("exit", (_code, signal) => resume(Effect.succeed(isKilled && signal === "SIGKILL")))
  })

/** Milliseconds from a child's being ready to its end. */
export const timeOf = (child: string, args: ReadonlyArray<string>) =>
  Effect.async<number>((resume) => {
    const [program = "", ...rest] = argvOf(child, args, {})
    const process = spawn(program, rest, { env: environment({}), stdio: ["ignore", "pipe", "inherit"] })
    let start = 0
    process.stdout.once("data", () => void (start = performance.now()))
    process.on("exit", () => resume(Effect.succeed(performance.now() - start)))
  })

/** Runs several at once to their ends; gives what they said. */
export const runTogether = (child: string, calls: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.forEach(calls, (args) =>
    Effect.async<string>((resume) => {
      const [program = "", ...rest] = argvOf(child, args, {})
      const process = spawn(program, rest, { env: environment({}), stdio: ["ignore", "pipe", "inherit"] })
      let said = ""
      process.stdout.on("data", (data: Buffer) => void (said += data.toString("utf8")))
      process.on("close", () => resume(Effect.succeed(said)))
    }), { concurrency: "unbounded" })

/** What lies in a folder: every path with its content, links as `-> text`, folders as `/`. */
export const everythingIn = (folder: string): Record<string, string> =>
  Object.fromEntries(fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry): ReadonlyArray<readonly [string, string]> => {
    const at = path.join(folder, entry.name)
    if (entry.isSymbolicLink()) return [[entry.name, `-> ${fs.readlinkSync(at)}`]]
    if (!entry.isDirectory()) return [[entry.name, fs.readFileSync(at, "utf8")]]
    return [[entry.name, "/"], ...Object.entries(everythingIn(at)).map(([name, what]) => [`${entry.name}/${name}`, what] as const)]
  }))
/** Transactions in a home that are not finished, or could not be taken back whole. */
export const openIn = (home: string): ReadonlyArray<string> => {
  const journal = path.join(home, "journal")
  const inside = (folder: string) => fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : []
  return inside(journal).flatMap((workspace) => [...inside(path.join(workspace, "open")), ...inside(path.join(workspace, "left"))])
}
export const filesIn = (folder: string) => Object.fromEntries(Object.entries(everythingIn(folder)).filter(([, what]) => what !== "/"))
