import { spawn } from "node:child_process"
import { realpathSync } from "node:fs"
import { packagedRipgrep } from "../search/packaged.js"

/** What a search has to look for so that no denied name is missed; base names and folders. */
export const searchGlobs: ReadonlyArray<string> = ["*.env", "*.env.*", "*.pem", "*.env.*/**"]

export interface Listing {
  /** names below the root; null where ripgrep could not be run */
  readonly names: Promise<ReadonlyArray<string> | null>
  readonly stop: () => void
}

const start = (rg: string, root: string, globs: ReadonlyArray<string>): Listing => {
  const child = spawn(rg, [
    "--no-config", "--files", "--hidden", "--no-ignore", "--null", "--no-messages",
    ...globs.flatMap((glob) => ["--iglob", glob]),
    "--glob", "!.git", "--glob", "!node_modules"
  ], { cwd: root, stdio: ["ignore", "pipe", "ignore"] })
  const parts: Array<Buffer> = []
  child.stdout.on("data", (part: Buffer) => parts.push(part))
  const names = new Promise<ReadonlyArray<string> | null>((resolve) => {
    child.on("error", () => resolve(null))
    child.on("close", (code) => resolve(code === null ? null : Buffer.concat(parts).toString("utf8").split("\0").filter((name) => name !== "")))
  })
  return { names, stop: () => child.kill("SIGKILL") }
}

let early: { readonly rg: string; readonly root: string; readonly listing: Listing } | null = null

/**
 * Begins the first listing of a process before the rest of shiro is even loaded: it takes about as long as that. Only a
 * listing by the packaged ripgrep with the built-in names can be begun without reading any configuration.
 */
export const headStart = (folder: string): void => {
  const rg = packagedRipgrep(process.platform)
  if (rg === null) return
  try {
    const root = realpathSync.native(folder)
    early = { rg, root, listing: start(rg, root, searchGlobs) }
  } catch {
    // no such folder: whoever needs it will say so
  }
}

/** Names of files below `root`, ignored ones too. */
export const list = (rg: string, root: string, globs: ReadonlyArray<string>): Listing => {
  const begun = early
  early = null
  if (begun !== null && begun.rg === rg && begun.root === root && globs === searchGlobs) return begun.listing
  begun?.listing.stop()
  return start(rg, root, globs)
}
