import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** How a run of ripgrep ended. `code` is null where it did not start or died. */
export interface Ended {
  readonly code: number | null
  readonly stderr: string
}

const mostErrors = 65_536

/** Runs ripgrep below `root`; its output goes to `output` as it comes. Killed on interruption. */
export const runRipgrep = (program: string, args: ReadonlyArray<string>, root: string, output: (chunk: Buffer) => void): Effect.Effect<Ended> =>
  Effect.async<Ended>((resume) => {
    const errors: Array<Buffer> = []
    let size = 0
    const child = spawn(program, args, { cwd: root, env: {}, stdio: ["ignore", "pipe", "pipe"], windowsHide: true })
    child.stdout.on("data", output)
    child.stderr.on("data", (chunk: Buffer) => {
      if (size < mostErrors) errors.push(chunk)
      size += chunk.length
    })
    const end = (code: number | null) => resume(Effect.succeed({ code, stderr: Buffer.concat(errors).toString("utf8") }))
    child.on("error", () => end(null))
    child.on("close", (code) => end(code))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Whether `root` is in a repository; outside of one, ignore files above it do not count. */
const inRepository = (root: string): boolean =>
  existsSync(join(root, ".git")) || (dirname(root) !== root && inRepository(dirname(root)))

/**
 * What every search has: no configuration of the user's, dot files, never `.git` and `node_modules` (negative globs
 * leave ignore rules in force, positive ones would not), and rules from git's files alone.
 */
export const scopeArgs = (root: string, includeIgnored: boolean): ReadonlyArray<string> => [
  "--no-config", "--color=never", "--hidden", "--no-ignore-messages",
  ...includeIgnored
    ? ["--no-ignore"]
    : ["--no-require-git", "--no-ignore-global", "--no-ignore-dot", ...inRepository(root) ? [] : ["--no-ignore-parent"]],
  "--glob=!.git", "--glob=!node_modules"
]

const trouble = /^rg: (?:\.\/)?([^]*?): ([^:]+) \(os error \d+\)$/

/** ripgrep's complaints about single files and folders, as sentences; null where it complains about something else. */
export const unreadableIn = (stderr: string): ReadonlyArray<string> | null => {
  const lines = stderr.split(/\n(?=rg: )/).map((line) => line.trimEnd()).filter((line) => line !== "")
  if (lines.some((line) => !line.startsWith("rg: ./"))) return null
  return lines.map((line) => {
    const [, path, reason] = trouble.exec(line) ?? []
    return path === undefined || reason === undefined
      ? `${line.slice("rg: ".length)}.`
      : `${path} could not be read (${reason.toLowerCase()}).`
  })
}
