import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Where npm puts it: looked at first, since asking Node's resolver costs as much as a search. */
const nearby = (start: string, below: string): string | null => {
  for (let folder = start;; folder = dirname(folder)) {
    const file = join(folder, "node_modules", below)
    if (existsSync(file)) return file
    if (dirname(folder) === folder) return null
  }
}

/** The packaged binary's path, asked of the platform's package; `@vscode/ripgrep` itself throws where there is none. */
export const packagedRipgrep = (platform: string): string | null => {
  const below = `@vscode/ripgrep-${platform}-${process.arch}/bin/${platform === "win32" ? "rg.exe" : "rg"}`
  const near = nearby(dirname(fileURLToPath(import.meta.url)), below)
  if (near !== null) return near
  try {
    return createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep")).resolve(below)
  } catch {
    return null
  }
}
